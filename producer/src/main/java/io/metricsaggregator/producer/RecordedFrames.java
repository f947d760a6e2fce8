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
 * Frames in a file: for each a big-endian uint32 length, then the frame, topic and all. Read one after the other, so that a file
 * may be larger than memory. One owner at a time.
 */
public final class RecordedFrames implements Closeable {
    private static final int FRAME_MAX_BYTES = 1 << 30;
    private static final int BUFFER_BYTES = 1 << 20;

    private final Path file;
    private final DataInputStream in;
    private long number;

    /** Opens a file. */
    public RecordedFrames(Path file) throws IOException {
        this.file = file;
        this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
    }

    /**
     * The next frame; null at the end.
     *
     * @throws IOException if the file ends within a frame, or is not such a file
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

    /** Writes such a file. */
    public static final class Writer implements Closeable {
        private final DataOutputStream out;

        /** Makes a file, or empties the one that is there. */
        public Writer(Path file) throws IOException {
            out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES));
        }

        /** Adds a frame. */
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
