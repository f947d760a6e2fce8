package io.metricsaggregator.run;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.ingest.FrameLog;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.transport.LockFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A journal in a directory that this process has locked: read back if it holds an unfinished run, and written from then on. */
final class JournalOnDisk implements RunJournal {
    private static final Logger LOG = LoggerFactory.getLogger(JournalOnDisk.class);

    private final DaemonConfig.Journal config;
    /** Null for the journal of a run that follows another: the first one holds the lock. */
    private final @Nullable LockFile lock;

    private final JournalDirectory directory;
    private final @Nullable Path unfinished;
    private final long idSecret;
    private final BooleanSupplier stopping;
    private final JournalRecovery recovery = new JournalRecovery();
    private @Nullable RecoveryMarker marker;
    private @Nullable Path run;
    private @Nullable JournalWriter writer;
    private @Nullable JournalCounters counters;

    private JournalOnDisk(
            DaemonConfig.Journal config,
            @Nullable LockFile lock,
            JournalDirectory directory,
            @Nullable Path unfinished,
            long idSecret,
            BooleanSupplier stopping) {
        this.config = config;
        this.lock = lock;
        this.directory = directory;
        this.unfinished = unfinished;
        this.idSecret = idSecret;
        this.stopping = stopping;
    }

    /** Opens the journal as {@link RunJournal#open} does. */
    static JournalOnDisk open(DaemonConfig.Journal config, RunConfig run, BooleanSupplier stopping) throws IOException {
        JournalDirectory directory = JournalDirectory.open(config.directory());
        LockFile lock = LockFile.acquire(directory.path().resolve(".journal.lock"));
        try {
            Path unfinished = resumable(directory, run);
            Long recorded = unfinished == null ? null : JournalRecovery.idSecret(RunFiles.local(unfinished));
            return new JournalOnDisk(
                    config,
                    lock,
                    directory,
                    unfinished,
                    recorded == null ? new SecureRandom().nextLong() : recorded,
                    stopping);
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
                "unfinished run not resumed run={}: it was started with different options: {}. This is a new run; recompute the"
                        + " unfinished one with 'replay {}'",
                was.getOrDefault(RunOrigin.RUN_ID, ""),
                String.join(", ", differences),
                unfinished);
        return null;
    }

    @Override
    public RunJournal next() {
        return new JournalOnDisk(config, null, directory, null, new SecureRandom().nextLong(), stopping);
    }

    @Override
    public void leave() {
        JournalWriter last = writer;
        try {
            if (last != null) {
                last.close();
            }
        } catch (IOException e) {
            LOG.error("journal may be incomplete at its end directory={} cause={}", run, e.toString());
        }
    }

    @Override
    public void abandon() {
        leave();
        Path folder = run;
        if (unfinished == null && folder != null) {
            try {
                JournalDirectory.remove(folder);
            } catch (IOException e) {
                LOG.warn("folder of a run that did not start stays directory={} cause={}", folder, e.toString());
            }
        }
    }

    @Override
    public void settled() {
        if (marker != null) {
            marker.settled();
            marker = null;
        }
    }

    @Override
    public void broken() {
        if (marker != null) {
            marker.broken();
        }
    }

    @Override
    public boolean isSettling() {
        return marker != null;
    }

    @Override
    public boolean isResumed() {
        return recovery.reader().frames() > 0;
    }

    @Override
    public @Nullable Path folder() {
        return run;
    }

    @Override
    public EventDecoder decoder() {
        return new EventDecoder(idSecret);
    }

    @Override
    public void register(Registry registry) {
        counters = new JournalCounters(registry, recovery, () -> writer);
    }

    @Override
    public void settle(long nowNanos) {
        if (writer != null) {
            writer.settle(nowNanos);
        }
    }

    @Override
    public void refreshCounters() {
        if (counters != null) {
            counters.refresh();
        }
    }

    @Override
    public void recover(RunParts parts) throws IOException {
        if (unfinished != null) {
            resume(unfinished, parts);
        }
        parts.texts().recovered();
    }

    private void resume(Path unfinished, RunParts parts) throws IOException {
        long start = System.nanoTime();
        RecoveryMarker opened = RecoveryMarker.open(unfinished);
        marker = opened;
        parts.texts().refuseWhatMayKill(opened);
        recovery.apply(
                RunFiles.local(unfinished),
                opened,
                new JournalIngest(parts.frames()),
                () -> parts.texts().makeRoom(stopping));
        try {
            JournalDirectory.sync(unfinished);
        } catch (IOException e) {
            LOG.error(
                    "segments of the resumed run not fsynced: a power failure may cost frames received before this start directory={} cause={}",
                    unfinished,
                    e.toString());
        }
        JournalReader reader = recovery.reader();
        LOG.info(
                "run resumed directory={} frames={} duration_ms={} bytes_skipped={} entries_missing={}",
                unfinished,
                reader.frames(),
                (System.nanoTime() - start) / 1_000_000,
                reader.skippedBytes(),
                reader.missingEntries());
    }

    @Override
    public FrameLog write(RunIdentity identity) throws IOException {
        Map<String, String> description = new LinkedHashMap<>(identity.settings());
        description.putAll(identity.origin().entries(identity.startedWallNanos()));
        description.put(JournalReader.ID_SECRET, Long.toHexString(idSecret));
        identity.environment().forEach((name, value) -> description.put(JournalRecovery.ENVIRONMENT + name, value));
        identity.labels().forEach((name, value) -> description.put(JournalRecovery.LABEL + name, value));
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
        return FrameLog.to(opened);
    }

    @Override
    public void outage(long fromWallNanos, long toWallNanos) {
        if (writer != null) {
            writer.outage(fromWallNanos, toWallNanos, System.nanoTime());
        }
    }

    @Override
    public void finish(long nanos, long wallNanos) {
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
            LOG.error("journal not finished: the next start resumes this run. cause={}", e.toString());
        }
    }

    @Override
    public JournalRecovery recovery() {
        return recovery;
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }
}
