package io.metricsaggregator.run;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.transport.LockFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal of one live run: read back at the start if the directory holds an unfinished run, and written from then on. Belongs to
 * the main loop.
 */
public final class RunJournal implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);

    private final DaemonConfig.Journal config;
    /** Null for the journal of a run that follows another: the first one holds the lock. */
    private final @Nullable LockFile lock;

    private final JournalDirectory directory;
    private final @Nullable Path unfinished;
    private final long idSecret;
    private final JournalRecovery recovery = new JournalRecovery();
    private @Nullable RecoveryMarker marker;
    private @Nullable Path run;
    private @Nullable JournalWriter writer;

    private RunJournal(
            DaemonConfig.Journal config,
            @Nullable LockFile lock,
            JournalDirectory directory,
            @Nullable Path unfinished,
            long idSecret) {
        this.config = config;
        this.lock = lock;
        this.directory = directory;
        this.unfinished = unfinished;
        this.idSecret = idSecret;
    }

    /**
     * Locks the directory and looks for an unfinished run in it.
     *
     * @param run configuration of this process: an unfinished run that was started with another one is left as it is
     * @throws LockFile.HeldException if another process uses the directory
     * @throws IOException if the directory cannot be used
     */
    public static RunJournal open(DaemonConfig.Journal config, RunConfig run) throws IOException {
        JournalDirectory directory = JournalDirectory.open(config.directory());
        LockFile lock = LockFile.acquire(directory.path().resolve(".journal.lock"));
        try {
            Path unfinished = resumable(directory, run);
            Long recorded = unfinished == null ? null : JournalRecovery.idSecret(unfinished);
            return new RunJournal(
                    config, lock, directory, unfinished, recorded == null ? new SecureRandom().nextLong() : recorded);
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static @Nullable Path resumable(JournalDirectory directory, RunConfig config) throws IOException {
        Path unfinished = directory.unfinished().orElse(null);
        if (unfinished == null) {
            return null;
        }
        Map<String, String> was = JournalReader.describe(unfinished);
        List<String> differences =
                was.isEmpty() ? List.of() : RunConfigCodec.differences(JournalRecovery.settings(was), config);
        if (differences.isEmpty()) {
            return unfinished;
        }
        LOG.warn(
                "the unfinished run {} is not resumed, because it was started with other flags: {}. This is a new run; 'replay {}' computes"
                        + " the unfinished one",
                was.getOrDefault(JournalRecovery.RUN_ID, ""),
                String.join(", ", differences),
                unfinished);
        return null;
    }

    /** The journal of a new run in the same directory. The files of this one stay, and no process resumes them. */
    RunJournal next() {
        return new RunJournal(config, null, directory, null, new SecureRandom().nextLong());
    }

    /** Stops writing and leaves the run unfinished. */
    void leave() {
        JournalWriter last = writer;
        try {
            if (last != null) {
                last.close();
            }
        } catch (IOException e) {
            LOG.error("the journal {} may lack its end. {}", run, e.toString());
        }
    }

    /** All frames that were read back are dealt with: a death from now on has another cause. */
    void settled() {
        if (marker != null) {
            marker.settled();
            marker = null;
        }
    }

    /** The process ends by an error of its own, which a frame that was read back may have caused. */
    void broken() {
        if (marker != null) {
            marker.broken();
        }
    }

    /** Whether a frame that was read back may still kill the process. */
    boolean isSettling() {
        return marker != null;
    }

    /** Whether an earlier process received frames of this run. */
    boolean isResumed() {
        return recovery.reader().frames() > 0;
    }

    /** The folder of the run; null before {@link #write}. */
    @Nullable
    Path folder() {
        return run;
    }

    /** The secret from which the run hashes long sample ids. */
    long idSecret() {
        return idSecret;
    }

    /**
     * Applies the frames of the unfinished run, if there is one.
     *
     * @param onStart runs before a frame is applied
     * @param beforeBurst runs before each burst of frames
     * @throws IOException if the run cannot be read
     */
    void recover(JournalIngest ingest, Consumer<RecoveryMarker> onStart, Runnable beforeBurst) throws IOException {
        if (unfinished == null) {
            return;
        }
        long start = System.nanoTime();
        RecoveryMarker opened = RecoveryMarker.open(unfinished);
        marker = opened;
        onStart.accept(opened);
        recovery.apply(unfinished, opened, ingest, beforeBurst);
        JournalReader reader = recovery.reader();
        LOG.info(
                "resumed {}: {} frames read back in {} ms, {} bytes skipped, {} entries missing",
                unfinished,
                reader.frames(),
                (System.nanoTime() - start) / 1_000_000,
                reader.skippedBytes(),
                reader.missingEntries());
    }

    /**
     * Starts to write the frames received from now on.
     *
     * @throws IOException if the folder or its first file cannot be created
     */
    JournalWriter write(RunIdentity identity) throws IOException {
        Map<String, String> description = new LinkedHashMap<>(identity.settings());
        description.put(JournalRecovery.RUN_ID, identity.id());
        description.put(JournalRecovery.STARTED_WALL_NANOS, Long.toString(identity.startedWallNanos()));
        description.put(JournalReader.ID_SECRET, Long.toHexString(idSecret));
        identity.environment().forEach((name, value) -> description.put(JournalRecovery.ENVIRONMENT + name, value));
        Path folder = unfinished == null ? directory.create(identity.id(), identity.startedWallNanos()) : unfinished;
        run = folder;
        JournalReader reader = recovery.reader();
        JournalWriter opened = new JournalWriter(
                folder,
                description,
                reader.nextSegment(),
                reader.nextSequence(),
                config.segmentMaxBytes(),
                config.syncNanos(),
                reader.missedFrames());
        writer = opened;
        return opened;
    }

    /**
     * Marks the run as finished: its result is durable.
     *
     * @param nanos the monotonic clock at its terminal snapshot
     * @param wallNanos the wall clock at that time, since 1970 UTC
     */
    void finish(long nanos, long wallNanos) {
        JournalWriter last = writer;
        Path folder = run;
        try {
            if (last != null) {
                last.end(nanos, wallNanos);
                last.close();
            }
            if (folder != null) {
                JournalDirectory.finish(folder);
            }
        } catch (IOException e) {
            LOG.error("the journal could not be finished: the next start resumes this run. {}", e.toString());
        }
    }

    /** What was read back of the run. */
    JournalRecovery recovery() {
        return recovery;
    }

    /** The writer; null before {@link #write}. */
    @Nullable
    JournalWriter writer() {
        return writer;
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }
}
