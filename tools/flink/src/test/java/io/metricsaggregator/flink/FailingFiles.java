package io.metricsaggregator.flink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.local.LocalFileSystem;

/**
 * The local file system under the scheme {@code failing}, on which a job over journals fails three times: each time a task has read half of a segment, it
 * waits until two checkpoints more are complete, and throws.
 */
final class FailingFiles extends LocalFileSystem {
    private static final URI ROOT = URI.create("failing:///");
    private static final int TIMES = 3;
    /** Bytes of a read: a buffered reader of the first bytes does not read half of a segment. */
    private static final int READ_BYTES = 4096;

    private static final Object LOCK = new Object();
    private static int failures = TIMES;
    private static Path checkpoints = Path.of("");

    /** Called by Flink for the scheme. */
    public static final class Factory implements FileSystemFactory {
        @Override
        public String getScheme() {
            return "failing";
        }

        @Override
        public FileSystem create(URI file) {
            return new FailingFiles();
        }
    }

    /** Begins to fail; {@code folder} is that of the job's checkpoints. */
    static void arm(Path folder) {
        synchronized (LOCK) {
            failures = 0;
            checkpoints = folder;
        }
    }

    /** How many times reading failed. */
    static int failures() {
        synchronized (LOCK) {
            return failures;
        }
    }

    @Override
    public URI getUri() {
        return ROOT;
    }

    @Override
    public FSDataInputStream open(org.apache.flink.core.fs.Path file) throws IOException {
        return new Failing(super.open(file), getFileStatus(file).getLen() / 2);
    }

    @Override
    public FSDataInputStream open(org.apache.flink.core.fs.Path file, int bufferBytes) throws IOException {
        return open(file);
    }

    private static final class Failing extends FSDataInputStream {
        private final FSDataInputStream file;
        private final long half;
        private boolean isPassed;

        Failing(FSDataInputStream file, long half) {
            this.file = file;
            this.half = half;
        }

        @Override
        public void seek(long position) throws IOException {
            file.seek(position);
        }

        @Override
        public long getPos() throws IOException {
            return file.getPos();
        }

        @Override
        public int read() throws IOException {
            return file.read();
        }

        @Override
        public int read(byte[] into, int start, int length) throws IOException {
            if (!isPassed && half > 8 * READ_BYTES && file.getPos() >= half) {
                isPassed = true;
                fail();
            }
            return file.read(into, start, Math.min(length, READ_BYTES));
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private static boolean completed(long checkpoint) {
        try {
            return lastCheckpoint() >= checkpoint;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void fail() throws IOException {
        int before = failures();
        if (before == TIMES) {
            return;
        }
        long first = lastCheckpoint();
        try {
            Await.until("two checkpoints complete", () -> failures() != before || completed(first + 2));
        } catch (AssertionError e) {
            throw new IOException(e.getMessage(), e);
        }
        synchronized (LOCK) {
            if (failures == before) {
                failures++;
            }
            throw new IOException("failure " + failures + " of this test");
        }
    }

    /** Number of the last complete checkpoint; 0 for none. */
    private static long lastCheckpoint() throws IOException {
        Path folder;
        synchronized (LOCK) {
            folder = checkpoints;
        }
        if (!Files.exists(folder)) {
            return 0;
        }
        try (Stream<Path> all = Files.find(
                folder, 3, (each, file) -> each.getFileName().toString().equals("_metadata"))) {
            return all.mapToLong(each -> Long.parseLong(
                            each.getParent().getFileName().toString().substring("chk-".length())))
                    .max()
                    .orElse(0);
        } catch (UncheckedIOException e) {
            // A checkpoint was deleted meanwhile.
            return 0;
        }
    }
}
