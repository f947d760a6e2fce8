package io.metricsaggregator.fuzz;

import io.metricsaggregator.journal.JournalReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Reads a journal segment, and an input that begins with {@link #PACKED} as the payload of a packed entry with the right checksum: damage is counted and
 * never an error, and no more bytes are delivered than the entries may hold.
 */
public final class JournalTarget {
    private static final Path FOLDER = folder();
    private static final Path SEGMENT = FOLDER.resolve("segment-00000001.journal");

    private static final int HEAD_BYTES = 16;
    private static final byte PACKED = 'P';
    /** Most bytes of frames in a packed entry, and fewest bytes of one. */
    private static final long PACKED_MAX_BYTES = 2 << 20;

    private static final int PACKED_MIN_BYTES = 22;

    private JournalTarget() {}

    private static Path folder() {
        try {
            Path memory = Path.of("/dev/shm");
            Path folder = Files.isDirectory(memory)
                    ? Files.createTempDirectory(memory, "fuzz-journal")
                    : Files.createTempDirectory("fuzz-journal");
            folder.toFile().deleteOnExit();
            folder.resolve("segment-00000001.journal").toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A segment of its description and one entry. */
    private static byte[] segment(byte[] payload) {
        ByteBuffer segment = ByteBuffer.allocate(2 * HEAD_BYTES + 1 + payload.length);
        entry(segment, 0, new byte[] {'r'});
        entry(segment, 1, payload);
        return segment.array();
    }

    private static void entry(ByteBuffer to, long sequence, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(
                ByteBuffer.allocate(12).putInt(payload.length).putLong(sequence).flip());
        crc.update(payload);
        to.putInt(payload.length).putInt((int) crc.getValue()).putLong(sequence).put(payload);
    }

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        byte[] segment = input.length > 0 && input[0] == PACKED ? segment(input) : input;
        Files.write(SEGMENT, segment);
        JournalReader reader = new JournalReader();
        long[] seen = new long[1];
        reader.read(FOLDER, new JournalReader.Visitor() {
            @Override
            public void burst(long nanos) {
                // The times of bursts are not checked.
            }

            @Override
            public void frame(ByteBuffer buffer, int start, int length) {
                if (start < 0 || length < 0 || start > buffer.limit() - length) {
                    throw new IllegalStateException("a frame outside its buffer: " + start + ", " + length);
                }
                seen[0] += length;
            }
        });
        long unread = reader.skippedBytes() + reader.tornBytes();
        long most = segment.length + segment.length / PACKED_MIN_BYTES * PACKED_MAX_BYTES;
        if (seen[0] > most || unread > segment.length || unread < 0) {
            throw new IllegalStateException("more bytes were delivered than the file has");
        }
    }
}
