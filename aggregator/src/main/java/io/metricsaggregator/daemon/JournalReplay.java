package io.metricsaggregator.daemon;

import io.metricsaggregator.fold.FoldOptions;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.Streaming;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.storage.ValueStorage;
import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A run computed again from its journal, by the same fold and with the settings it had. */
public final class JournalReplay {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final long FILE_PATIENCE_NANOS = 30_000_000_000L;

    private JournalReplay() {}

    /**
     * What a run says of how it was aggregated, by name.
     *
     * @param journal a run's folder, or the directory of journals, whose newest run is taken
     * @throws IOException if there is no run, or none of its segments can be read
     */
    public static Map<String, String> describe(Path journal) throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        Map<String, String> settings = JournalReader.describe(folder);
        if (settings.isEmpty()) {
            throw new IOException(folder + " holds no segment that can be read");
        }
        return settings;
    }

    /** How a run looked at other kinds of observation, by what it says of itself. */
    public static TelemetryOptions telemetry(Map<String, String> settings) {
        return TelemetrySettings.of(settings);
    }

    /**
     * Computes the terminal snapshot of a run.
     *
     * @param journal as above
     * @param whatIf how it is to differ
     * @param tokens how texts are counted; null for not at all
     * @param valuesMaxBytes memory for values
     * @param version of this program
     * @throws IOException if there is no run, or it cannot be read
     */
    public static MetricsSnapshot compute(
            Path journal, WhatIf whatIf, AggregatorOptions.@Nullable Tokens tokens, long valuesMaxBytes, String version)
            throws IOException {
        return terminal(run(journal, whatIf, tokens, valuesMaxBytes, version));
    }

    /** A run with all that its journal holds applied. */
    static Run run(
            Path journal, WhatIf whatIf, AggregatorOptions.@Nullable Tokens tokens, long valuesMaxBytes, String version)
            throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        Map<String, String> settings = describe(folder);
        AggregatorOptions options = options(settings, whatIf, tokens, valuesMaxBytes, version);
        WorkerExclusion exclusion = whatIf.excludedWorkers().isEmpty() ? null : exclusion(folder, whatIf, options);
        Run run = new Run(options, System::nanoTime, RunJournal.readOnly(folder), whatIf, exclusion);
        if (run.hasStarted()) {
            run.state.advance(SessionState.LIVE, "session.started");
        }
        if (run.fold.isEnded()) {
            run.state.advance(SessionState.DRAINING, "session.ended");
        }
        run.texts.countAll();
        return run;
    }

    /** Its last snapshot. */
    static MetricsSnapshot terminal(Run run) {
        if (run.fold.isEnded()) {
            run.end("the journal ends here");
        } else {
            run.state.advance(SessionState.INTERRUPTED, "the journal ends before the session does");
        }
        return run.takeTerminal(run.endNanos(), new TransportStats(), () -> false);
    }

    /** Finds the samples that excluded workers had to do with. */
    private static WorkerExclusion exclusion(Path folder, WhatIf whatIf, AggregatorOptions options) throws IOException {
        WorkerExclusion exclusion = new WorkerExclusion(whatIf.excludedWorkers());
        Registry unused =
                new Registry(options.significantFigures(), options.displayBuckets(), new ValueStorage(0, null));
        Ingest look = new Ingest(new LoadgenFold(unused, new FoldOptions(false, 1, 0, 0)), System::nanoTime);
        look.applyOnly(exclusion::look);
        RunJournal.replay(new JournalReader(), folder, RecoveryMarker.readOnly(folder), look, () -> {});
        exclusion.requireAllFound();
        return exclusion;
    }

    private static AggregatorOptions options(
            Map<String, String> settings,
            WhatIf whatIf,
            AggregatorOptions.@Nullable Tokens tokens,
            long valuesMaxBytes,
            String version) {
        return new AggregatorOptions(
                List.of(Endpoint.parse("ipc:///replayed", false)),
                List.of(),
                Path.of("."),
                null,
                PRIVATE,
                1_000_000_000L,
                0,
                JournalSettings.number(settings.get("hdr_sig_figs"), 3),
                JournalSettings.number(settings.get("n_histogram_buckets"), 30),
                whatIf.streaming() == null ? Streaming.ofSetting(settings.get("streaming")) : whatIf.streaming(),
                whatIf.trackAll() == null ? JournalSettings.trackAll(settings) : whatIf.trackAll(),
                Boolean.parseBoolean(settings.get("early_stopping")),
                whatIf.objectives() == null ? JournalSettings.objectives(settings) : whatIf.objectives(),
                tokens,
                null,
                false,
                false,
                Integer.MAX_VALUE,
                valuesMaxBytes,
                null,
                null,
                AggregatorOptions.Exports.NONE,
                new AggregatorOptions.Observe(
                        whatIf.telemetry() == null ? TelemetrySettings.of(settings) : whatIf.telemetry(),
                        null,
                        List.of()),
                0,
                version,
                TransportOptions.defaults());
    }

    /**
     * Writes a snapshot as the daemon writes its last one; what is there already is put aside.
     *
     * @return the file; null if it is not durable, which the log explains
     */
    public static @Nullable Path write(MetricsSnapshot snapshot, Path directory) throws IOException {
        String runId =
                snapshot.extensions() == null ? "" : snapshot.extensions().run().runId();
        try (OutputDirectory output = OutputDirectory.open(directory, runId)) {
            FinalSnapshotWriter writer = new FinalSnapshotWriter(output.path(), null, PRIVATE, () -> {});
            writer.start(snapshot);
            return writer.await(FILE_PATIENCE_NANOS);
        }
    }
}
