package io.metricsaggregator.it;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A file system in memory that is soon full. */
record SmallDisk(Path path) implements AutoCloseable {
    /**
     * Mounts one; skips the calling test with a printed reason if that is not permitted.
     *
     * @param path created
     * @param size as for the option {@code size} of tmpfs
     */
    static SmallDisk mount(Path path, String size) throws IOException {
        Files.createDirectory(path);
        if (status("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", path.toString()) != 0) {
            String reason = "no tmpfs can be mounted (needs root; a container needs SYS_ADMIN)";
            System.out.println("SKIPPED: " + reason);
            Assumptions.assumeTrue(false, reason);
        }
        return new SmallDisk(path);
    }

    private static int status(String... command) throws IOException {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Takes the room that is left. */
    void fill() throws IOException {
        try (OutputStream ballast = Files.newOutputStream(path.resolve("ballast"))) {
            while (true) {
                ballast.write(new byte[1024]);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw full;
            }
        }
    }

    @Override
    public void close() throws IOException {
        status("umount", "--lazy", path.toString());
    }
}
