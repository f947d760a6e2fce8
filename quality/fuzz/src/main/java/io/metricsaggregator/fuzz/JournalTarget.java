package io.metricsaggregator.fuzz;

import io.metricsaggregator.journal.JournalReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a journal segment: damage is counted and never an error, and no bytes outside the file are delivered. */
public final class JournalTarget {
    private static final Path FOLDER = folder();
    private static final Path SEGMENT = FOLDER.resolve("segment-00000001.journal");

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

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        Files.write(SEGMENT, input);
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
        if (seen[0] > input.length || unread > input.length || unread < 0) {
            throw new IllegalStateException("more bytes were delivered than the file has");
        }
    }
}
