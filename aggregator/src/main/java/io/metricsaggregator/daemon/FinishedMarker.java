package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.FileErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file {@code .finished}: a daemon with {@code --after-end stay} serves the result of the run that it names. The daemon creates it
 * before the result and removes it when it is asked to stop, so that it outlives only a daemon that was killed. It also names the host
 * (in a pod: the pod) and its boot: on another one nobody waits for that result any more.
 */
final class FinishedMarker {
    private static final Logger LOG = LoggerFactory.getLogger(FinishedMarker.class);
    private static final String NAME = ".finished";
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final int LINES = 3;

    private FinishedMarker() {}

    /** Creates or replaces the file. Not fsynced: it is void after a restart of the host. A failure is logged. */
    static void write(Path directory, String runId) {
        Path file = directory.resolve(NAME);
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, lines(runId), StandardCharsets.UTF_8);
        } catch (IOException e) {
            LOG.warn("a daemon that is restarted after the end will set the result aside: {}", FileErrors.words(e));
        }
    }

    /** Removes the file, if it exists. A failure is logged. */
    static void delete(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(NAME));
        } catch (IOException e) {
            LOG.warn("the next start with --after-end stay may serve the old result: {}", FileErrors.words(e));
        }
    }

    /** The run that a daemon on this host, since its boot, finished and still had to serve; null if there is none. */
    static @Nullable String runId(Path directory) {
        try {
            List<String> found = Files.readAllLines(directory.resolve(NAME), StandardCharsets.UTF_8);
            String runId = found.size() == LINES ? found.get(0).replaceFirst("^run ", "") : "";
            return found.equals(lines(runId)) ? runId : null;
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            LOG.warn("marker of a finished run ignored: {}", FileErrors.words(e));
            return null;
        }
    }

    private static List<String> lines(String runId) throws IOException {
        return List.of(
                "run " + runId,
                "host " + Files.readString(HOST).strip(),
                "boot " + Files.readString(BOOT).strip());
    }
}
