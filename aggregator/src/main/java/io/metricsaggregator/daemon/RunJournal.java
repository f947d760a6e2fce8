package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalClock;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.transport.LockFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal of one run: what is read back of it at the start, and what is written from then on. */
final class RunJournal implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);

    private final DaemonConfig.@Nullable Journal options;
    private final @Nullable LockFile lock;
    private final @Nullable JournalDirectory directory;
    private final @Nullable Path unfinished;
    private final JournalReader reader = new JournalReader();
    private final long idSecret;
    private long framesSkipped;
    private @Nullable RecoveryMarker marker;
    private @Nullable Path run;
    private @Nullable JournalWriter writer;

    /** Environment entries of a journal's description start with this. */
    static final String ENVIRONMENT = "environment.";

    private static final Set<String> IDENTITY = Set.of("run_id", "started_wall_ns", JournalReader.ID_SECRET);

    private RunJournal(
            DaemonConfig.@Nullable Journal options,
            @Nullable LockFile lock,
            @Nullable JournalDirectory directory,
            @Nullable Path unfinished)
            throws IOException {
        this.options = options;
        this.lock = lock;
        this.directory = directory;
        this.unfinished = unfinished;
        this.idSecret = idSecret(unfinished);
    }

    /** The secret of a run that is read back; another for a new run, and for runs of versions that kept none. */
    private static long idSecret(@Nullable Path unfinished) throws IOException {
        String kept = unfinished == null
                ? null
                : JournalReader.describeAll(unfinished).get(JournalReader.ID_SECRET);
        try {
            return kept == null ? new SecureRandom().nextLong() : Long.parseUnsignedLong(kept, 16);
        } catch (NumberFormatException e) {
            return new SecureRandom().nextLong();
        }
    }

    /** The journal of a run, to be read and not written, whether it was finished or not. */
    static RunJournal readOnly(Path run) throws IOException {
        return new RunJournal(null, null, null, run);
    }

    boolean isReadOnly() {
        return directory == null;
    }

    /**
     * Takes the directory, and looks for a run that was not finished.
     *
     * @param config of this process: a run that was started with another is left as it is
     */
    static RunJournal open(DaemonConfig.Journal options, RunConfig config) throws IOException {
        JournalDirectory directory = JournalDirectory.open(options.directory());
        LockFile lock = LockFile.acquire(directory.path().resolve(".journal.lock"));
        try {
            return new RunJournal(options, lock, directory, resumable(directory, config));
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
        List<String> differences = was.isEmpty() ? List.of() : RunConfigCodec.differences(settings(was), config);
        if (differences.isEmpty()) {
            return unfinished;
        }
        LOG.warn(
                "the unfinished run {} is not resumed, because it was started with other flags: {}. This is a new run; 'replay {}' computes"
                        + " the unfinished one",
                was.getOrDefault("run_id", ""),
                String.join(", ", differences),
                unfinished);
        return null;
    }

    /** The settings in a journal's description, without what identifies the run and its machine. */
    static Map<String, String> settings(Map<String, String> description) {
        Map<String, String> settings = new TreeMap<>(description);
        settings.keySet().removeIf(name -> IDENTITY.contains(name) || name.startsWith(ENVIRONMENT));
        return settings;
    }

    /** The journal of a new run in the same directory. What this one wrote stays, and is resumed no more. */
    RunJournal next() throws IOException {
        return new RunJournal(options, null, directory, null);
    }

    /** Writes no more: the run is left as it is. */
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

    /** Frames that were read back and not applied, because they killed or broke a process. */
    long framesSkipped() {
        return framesSkipped;
    }

    /** What was read back is dealt with: a death from now on says nothing of it. */
    void settled() {
        if (marker != null) {
            marker.settled();
            marker = null;
        }
    }

    /** The process ends by an error of its own. */
    void broken() {
        if (marker != null) {
            marker.broken();
        }
    }

    /** Whether what was read back may still kill the process. */
    boolean isSettling() {
        return marker != null && !isReadOnly();
    }

    /** Whether frames were read back that an earlier process had received, and the run continues. */
    boolean isResumed() {
        return !isReadOnly() && reader.frames() > 0;
    }

    /** The folder of the run; null if it is only read. */
    @Nullable
    Path folder() {
        return run;
    }

    /** What the hashes of the run's long sample ids start from. */
    long idSecret() {
        return idSecret;
    }

    /**
     * Applies what an unfinished run had received.
     *
     * @param onStart run before anything is applied
     * @param beforeBurst run before each burst of frames
     */
    void recover(JournalIngest ingest, Consumer<RecoveryMarker> onStart, Runnable beforeBurst) throws IOException {
        if (unfinished == null) {
            return;
        }
        long start = System.nanoTime();
        RecoveryMarker opened = isReadOnly() ? RecoveryMarker.readOnly(unfinished) : RecoveryMarker.open(unfinished);
        marker = opened;
        onStart.accept(opened);
        framesSkipped = replay(reader, unfinished, opened, ingest, beforeBurst);
        if (isReadOnly()) {
            return;
        }
        LOG.info(
                "resumed {}: {} frames read back in {} ms, {} bytes skipped, {} entries missing",
                unfinished,
                reader.frames(),
                (System.nanoTime() - start) / 1_000_000,
                reader.skippedBytes(),
                reader.missingEntries());
    }

    /** Applies the frames of a run, burst by burst as they were received, without those that killed earlier processes. */
    static long replay(
            JournalReader reader, Path run, RecoveryMarker marker, JournalIngest ingest, Runnable beforeBurst)
            throws IOException {
        Applier applier = new Applier(reader, marker, ingest, beforeBurst);
        reader.read(run, applier);
        marker.applied();
        return applier.skipped;
    }

    /** Applies what is read back. */
    private static final class Applier implements JournalReader.Visitor {
        private final JournalReader reader;
        private final RecoveryMarker marker;
        private final JournalIngest ingest;
        private final Runnable beforeBurst;
        private long skipped;

        Applier(JournalReader reader, RecoveryMarker marker, JournalIngest ingest, Runnable beforeBurst) {
            this.reader = reader;
            this.marker = marker;
            this.ingest = ingest;
            this.beforeBurst = beforeBurst;
        }

        @Override
        public void burst(long nanos) {
            ingest.burst(nanos);
            beforeBurst.run();
        }

        @Override
        public void frame(ByteBuffer buffer, int start, int length) {
            long entry = reader.nextSequence() - 1;
            if (!marker.applies(entry)) {
                skipped++;
                LOG.error(
                        "entry {} of the journal, a frame of {} bytes, was skipped: applying it killed the process",
                        entry,
                        length);
                return;
            }
            try {
                ingest.frame(buffer, start, length);
            } catch (RuntimeException | StackOverflowError e) {
                skipped++;
                LOG.error(
                        "entry {} of the journal, a frame of {} bytes, was skipped: it cannot be applied",
                        entry,
                        length,
                        e);
            } catch (Error e) {
                marker.fatal();
                throw e;
            }
        }

        @Override
        public void outage(long fromWallNanos, long toWallNanos) {
            ingest.outage(fromWallNanos, toWallNanos);
        }
    }

    /** The id of the run that is resumed; null for a new one. */
    @Nullable
    String runId() {
        return reader.run().get("run_id");
    }

    /** When the run that is resumed was started; 0 if it is new. */
    long startedWallNanos() {
        try {
            return Long.parseLong(reader.run().getOrDefault("started_wall_ns", "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** When what was read back ended. */
    JournalClock clock() {
        return reader.clock();
    }

    /** The machine the run was measured on, by name; empty for a new run and for journals of versions that did not record it. */
    Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>();
        reader.run().forEach((name, value) -> {
            if (name.startsWith(ENVIRONMENT)) {
                environment.put(name.substring(ENVIRONMENT.length()), value);
            }
        });
        return environment;
    }

    /** Begins to write what is received from now on; null if it is only read. */
    @Nullable
    JournalWriter write(
            String runId, long startedWallNanos, Map<String, String> settings, Map<String, String> environment)
            throws IOException {
        if (directory == null || options == null) {
            return null;
        }
        Map<String, String> description = new LinkedHashMap<>(settings);
        description.put("run_id", runId);
        description.put("started_wall_ns", Long.toString(startedWallNanos));
        description.put(JournalReader.ID_SECRET, Long.toHexString(idSecret));
        environment.forEach((name, value) -> description.put(ENVIRONMENT + name, value));
        Path folder = unfinished == null ? directory.create(runId, startedWallNanos) : unfinished;
        run = folder;
        JournalWriter opened = new JournalWriter(
                folder,
                description,
                reader.nextSegment(),
                reader.nextSequence(),
                options.segmentMaxBytes(),
                options.syncNanos(),
                reader.missedFrames());
        writer = opened;
        return opened;
    }

    /**
     * The run has its result.
     *
     * @param nanos the monotonic clock at its last snapshot
     * @param wallNanos the wall clock then
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

    JournalReader recovered() {
        return reader;
    }

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
