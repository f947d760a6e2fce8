package io.metricsaggregator.producer;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of frames, each a big-endian uint32 length and the frame with its topic. Reads sequentially, so that a file may exceed
 * the memory. Not thread-safe.
 */
public final class RecordedFrames implements Closeable {
    private static final int FRAME_MAX_BYTES = 1 << 30;
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path file;
    private final DataInputStream in;
    private long number;

    /** Opens a file of frames for reading. */
    public RecordedFrames(Path file) throws IOException {
        this.file = file;
        this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
    }

    /**
     * Reads the next frame; null at the end of the file.
     *
     * @throws IOException if the file ends within a frame or is not a file of frames
     */
    public byte @Nullable [] next() throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        number++;
        try {
            long length = (long) first << 24
                    | in.readUnsignedByte() << 16
                    | in.readUnsignedByte() << 8
                    | in.readUnsignedByte();
            if (length > FRAME_MAX_BYTES) {
                throw new IOException("frame " + number + " of " + file + " declares " + length
                        + " bytes; is this a file of recorded frames?");
            }
            byte[] frame = in.readNBytes((int) length);
            if (frame.length < length) {
                throw new EOFException();
            }
            return frame;
        } catch (EOFException e) {
            throw new IOException(file + " ends within frame " + number, e);
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Writes a file of frames. */
    public static final class Writer implements Closeable {
        private final DataOutputStream out;

        /** Creates a file, or truncates an existing one. */
        public Writer(Path file) throws IOException {
            out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
        }

        /** Appends a frame. */
        public void write(byte[] frame) throws IOException {
            out.writeInt(frame.length);
            out.write(frame);
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
