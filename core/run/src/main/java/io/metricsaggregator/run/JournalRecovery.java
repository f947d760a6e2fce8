package io.metricsaggregator.run;

import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalClock;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one run's journal back: its description, and its frames, which it applies to an ingest. Empty for a new run. Belongs to the
 * thread that owns the run.
 */
final class JournalRecovery {
    /** Environment entries of a journal's description start with this. */
    static final String ENVIRONMENT = "environment.";

    static final String LABEL = "label.";

    private static final Logger LOG = LoggerFactory.getLogger(JournalRecovery.class);
    private static final Set<String> IDENTITY = Set.of(
            RunOrigin.RUN_ID,
            RunOrigin.STARTED_WALL_NANOS,
            RunOrigin.STARTED_MONOTONIC_NANOS,
            RunOrigin.UNCERTAINTY_NANOS,
            RunOrigin.NODE,
            JournalReader.ID_SECRET,
            ImportedRun.IMPORTED,
            ImportedRun.FORMAT,
            ImportedRun.KIND,
            ImportedRun.TIMELINE);

    private final JournalReader reader = new JournalReader();
    private long framesSkipped;

    /** The settings in a journal's description, without what identifies the run and its machine, and without labels. */
    static Map<String, String> settings(Map<String, String> description) {
        Map<String, String> settings = new TreeMap<>(description);
        settings.keySet()
                .removeIf(name -> IDENTITY.contains(name) || name.startsWith(ENVIRONMENT) || name.startsWith(LABEL));
        return settings;
    }

    /** Whether the data of a run comes from files of another tool. */
    static boolean isImported(RunFiles run) throws IOException {
        return JournalReader.describeAll(run).containsKey(ImportedRun.IMPORTED);
    }

    /** The secret from which a run hashes long sample ids; null for runs of versions that recorded none. */
    static @Nullable Long idSecret(RunFiles run) throws IOException {
        String recorded = JournalReader.describeAll(run).get(JournalReader.ID_SECRET);
        try {
            return recorded == null ? null : (Long) Long.parseUnsignedLong(recorded, 16);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * Applies the frames of a run, burst by burst as they were received, without those that killed earlier processes.
     *
     * @param run files of the run
     * @param beforeBurst runs before each burst
     * @throws IOException if the folder cannot be listed
     */
    void apply(RunFiles run, RecoveryMarker marker, JournalIngest ingest, Runnable beforeBurst) throws IOException {
        reader.read(run, new Applier(marker, ingest, beforeBurst));
        marker.applied();
        if (reader.missingEntries() > 0
                || reader.skippedBytes() > 0
                || reader.missedFrames() > 0
                || reader.tornBytes() > 0) {
            LOG.warn(
                    "journal incomplete entries_missing={} bytes_skipped={} bytes_torn={} frames_missed={}: the run lacks their records",
                    reader.missingEntries(),
                    reader.skippedBytes(),
                    reader.tornBytes(),
                    reader.missedFrames());
        }
    }

    /** Frames that were not applied, because they killed or broke a process. */
    long framesSkipped() {
        return framesSkipped;
    }

    /** The reader, for its counts and the place at which writing continues. */
    JournalReader reader() {
        return reader;
    }

    /** The id of the run; null for a new one. */
    @Nullable
    String runId() {
        return reader.run().get(RunOrigin.RUN_ID);
    }

    /** Start of the run, in nanoseconds since 1970 UTC; 0 for a new one. */
    long startedWallNanos() {
        try {
            return Long.parseLong(reader.run().getOrDefault(RunOrigin.STARTED_WALL_NANOS, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** Name of the node that received the run; null for a new run, and for journals that name none. */
    @Nullable
    String node() {
        return RunOrigin.of(reader.run()).node();
    }

    /** Where the monotonic clock of the process that wrote the end of the journal stood; null for a new run, and for journals that do not record it. */
    @Nullable
    ClockOffset clockOffset() {
        RunOrigin origin = reader.origin();
        Long offset = origin.wallOffsetNanos();
        Long uncertainty = origin.wallOffsetUncertaintyNanos();
        return offset == null || uncertainty == null ? null : new ClockOffset(offset, uncertainty);
    }

    /** Both clocks at the end of the journal. */
    JournalClock clock() {
        return reader.clock();
    }

    /** Where the data of an imported run comes from; null for a run that a daemon received. */
    @Nullable
    Imported imported() {
        return ImportedRun.of(reader.run());
    }

    /** The machine that measured the run, by name; empty for a new run and for journals of versions that did not record it. */
    Map<String, String> environment() {
        return beginning(ENVIRONMENT);
    }

    /** What the user stated of the run, by name; empty for a new run and for journals without labels. */
    Map<String, String> labels() {
        return beginning(LABEL);
    }

    /** The entries of the description whose names begin with a prefix, without the prefix. */
    private Map<String, String> beginning(String prefix) {
        Map<String, String> entries = new TreeMap<>();
        reader.run().forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                entries.put(name.substring(prefix.length()), value);
            }
        });
        return entries;
    }

    /** Applies each burst and frame to the ingest. */
    private final class Applier implements JournalReader.Visitor {
        private final RecoveryMarker marker;
        private final JournalIngest ingest;
        private final Runnable beforeBurst;

        Applier(RecoveryMarker marker, JournalIngest ingest, Runnable beforeBurst) {
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
                framesSkipped++;
                LOG.error("journal entry skipped entry={} bytes={}: applying it killed the process", entry, length);
                return;
            }
            try {
                ingest.frame(buffer, start, length);
            } catch (RuntimeException | StackOverflowError e) {
                framesSkipped++;
                LOG.error("journal entry skipped entry={} bytes={}: it cannot be applied", entry, length, e);
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
}
