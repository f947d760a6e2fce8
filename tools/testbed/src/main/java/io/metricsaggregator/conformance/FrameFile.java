package io.metricsaggregator.conformance;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads files of frames: each a big-endian uint32 length and one ZeroMQ frame. Stateless. */
final class FrameFile {
    private FrameFile() {}

    /**
     * Reads all frames of a file.
     *
     * @throws IOException if the file ends within a frame
     */
    static List<byte[]> read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        List<byte[]> frames = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int length = bytes.remaining() < Integer.BYTES ? -1 : bytes.getInt();
            if (length < 0 || length > bytes.remaining()) {
                throw new IOException(file + " ends within frame " + (frames.size() + 1));
            }
            byte[] frame = new byte[length];
            bytes.get(frame);
            frames.add(frame);
        }
        return frames;
    }
}
