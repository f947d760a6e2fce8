package io.metricsaggregator.benchmarks;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Measures how fast a disk takes new files, in segments and writes of the size that a journal has: the limit of every journal there. */
final class DiskLimit {
    private static final int WRITE_BYTES = 1 << 20;
    private static final int WRITES_OF_A_FILE = 256;
    private static final int PAGE = 4096;

    private final Path folder;
    private final int files;
    private final ByteBuffer random;

    /**
     * Prepares a measurement.
     *
     * @param files number of files of 256 MiB to write
     */
    DiskLimit(Path folder, int files) {
        this.folder = folder;
        this.files = files;
        random =
                ByteBuffer.allocateDirect(WRITE_BYTES + PAGE).alignedSlice(PAGE).limit(WRITE_BYTES);
        Random numbers = new Random(1);
        for (int i = 0; i < WRITE_BYTES; i += Long.BYTES) {
            random.putLong(i, numbers.nextLong());
        }
    }

    /** Writes the files and returns the bytes a second; they are deleted afterwards. */
    double bytesPerSecond(boolean direct) throws IOException {
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
        if (direct) {
            options.add(ExtendedOpenOption.DIRECT);
        }
        Path place = Files.createTempDirectory(folder, "disk-");
        try {
            long start = System.nanoTime();
            for (int i = 0; i < files; i++) {
                try (FileChannel file = FileChannel.open(place.resolve("file" + i), options)) {
                    for (int k = 0; k < WRITES_OF_A_FILE; k++) {
                        writeFully(file, random.duplicate());
                    }
                }
            }
            return (double) files * WRITES_OF_A_FILE * WRITE_BYTES * 1e9 / (System.nanoTime() - start);
        } finally {
            Machine.delete(place);
        }
    }

    private static void writeFully(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }
}
