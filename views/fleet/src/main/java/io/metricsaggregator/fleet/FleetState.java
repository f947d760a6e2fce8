package io.metricsaggregator.fleet;

import io.metricsaggregator.daemon.OutputDirectory;
import io.metricsaggregator.publish.AtomicFile;
import io.metricsaggregator.transport.LockFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of {@code --state}: the run id of the fleet, and the last snapshot of each node that ended or was lost, so that a fleet that starts
 * again goes on with the same sums. Files are written on the thread {@code disk}; everything else belongs to the main loop.
 */
final class FleetState implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(FleetState.class);
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final String ID = "run_id";
    private static final String SUFFIX = ".snapshot";
    private static final String RUN_ID = "[0-9a-f]{16}";
    private static final int NAME_BYTES = 16;
    private static final long CLOSE_SECONDS = 2;

    private final Path directory;
    private final LockFile lock;
    private final Map<String, byte[]> latest = new HashMap<>();
    private final ExecutorService disk = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "disk");
        thread.setDaemon(true);
        return thread;
    });

    private FleetState(Path directory, LockFile lock) {
        this.directory = directory;
        this.lock = lock;
    }

    /**
     * Locks a directory, created if missing.
     *
     * @throws LockFile.HeldException if another process uses it
     */
    static FleetState open(Path wanted) throws IOException {
        Path directory = OutputDirectory.create(wanted);
        return new FleetState(directory, LockFile.acquire(directory.resolve(".metrics-aggregator.lock")));
    }

    /**
     * The run id of the fleet that used the directory; {@code fresh}, which is then stored, if there is none.
     *
     * @throws IOException if it can be neither read nor stored
     */
    String runId(String fresh) throws IOException {
        Path file = directory.resolve(ID);
        if (Files.exists(file)) {
            String stored = Files.readString(file, StandardCharsets.US_ASCII).strip();
            if (stored.matches(RUN_ID)) {
                return stored;
            }
            LOG.warn("run id ignored file={}: it is not 16 hexadecimal digits", file);
        }
        AtomicFile.of(directory, ID, PRIVATE).write(to -> to.write(fresh.getBytes(StandardCharsets.US_ASCII)));
        return fresh;
    }

    /**
     * The stored snapshots, as they came.
     *
     * @param maxBytes a larger file is left out with a line in the log
     */
    List<byte[]> read(long maxBytes) throws IOException {
        List<byte[]> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                if (Files.size(file) <= maxBytes) {
                    found.add(Files.readAllBytes(file));
                } else {
                    LOG.warn("stored snapshot ignored file={}: it is larger than {} bytes", file, maxBytes);
                }
            }
        }
        return found;
    }

    /** Holds the latest snapshot of a run, in case it is to be stored. */
    void hold(String runId, byte[] payload) {
        latest.put(runId, payload);
    }

    /** Stores the snapshot that is held of a run; does nothing without one. A failure is logged. */
    void store(String runId) {
        byte @Nullable [] payload = latest.remove(runId);
        if (payload != null) {
            disk.execute(() -> write(runId, payload));
        }
    }

    private void write(String runId, byte[] payload) {
        try {
            AtomicFile.of(directory, name(runId), PRIVATE).write(to -> to.write(payload));
        } catch (IOException e) {
            LOG.error("snapshot not stored run={} cause={}", runId, e.getMessage());
        }
    }

    /** A name that any run id can have. */
    private static String name(String runId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(runId.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, NAME_BYTES) + SUFFIX;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** Waits up to 2 s for the files, and unlocks the directory. */
    @Override
    public void close() throws IOException {
        disk.shutdown();
        try {
            if (!disk.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.error("snapshots not stored in time directory={}", directory);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.close();
    }
}
