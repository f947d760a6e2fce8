package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.Recomputation;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.fold.FoldOptions;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.storage.ValueStorage;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Recomputes a run from its journal, by the fold that computed it, with its recorded settings or others. Used by one thread. */
public final class JournalReplay {
    private static final long FILE_PATIENCE_NANOS = 30_000_000_000L;
    /** Ticks are not taken in a replay: nothing depends on it. */
    private static final long INTERVAL_NANOS = 1_000_000_000L;

    private final Path folder;
    private final RunConfig recorded;

    private JournalReplay(Path folder, RunConfig recorded) {
        this.folder = folder;
        this.recorded = recorded;
    }

    /**
     * Opens the journal of a run.
     *
     * @param journal a run's folder, or the directory of journals, whose newest run is taken
     * @throws IOException if there is no run, or none of its segments can be read
     */
    public static JournalReplay open(Path journal) throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        Map<String, String> description = JournalReader.describe(folder);
        if (description.isEmpty()) {
            throw new IOException(folder + " holds no segment that can be read");
        }
        return new JournalReplay(folder, RunConfigCodec.decode(RunJournal.settings(description)));
    }

    /** The configuration that the run was recorded with. */
    public RunConfig recorded() {
        return recorded;
    }

    /**
     * Computes the terminal snapshot of the run. Settings in which {@code config} differs from {@link #recorded} are named in the
     * snapshot's {@code recomputed}.
     *
     * @param config decides the numbers
     * @param resources memory, and the tokenizer that {@code config} names
     * @throws IOException if the journal cannot be read
     * @throws IllegalArgumentException if an excluded worker sent no record
     */
    public MetricsSnapshot compute(RunConfig config, RunResources resources) throws IOException {
        return terminal(run(config, resources, Recomputation.words(recorded, config)));
    }

    /** The run with all frames of the journal applied and its texts counted; {@code changes} are the words of {@code recomputed}. */
    Run run(RunConfig config, RunResources resources, List<String> changes) throws IOException {
        Run run = new Run(
                config,
                resources,
                INTERVAL_NANOS,
                System::nanoTime,
                RunJournal.readOnly(folder),
                changes,
                exclusion(config));
        if (run.hasStarted()) {
            run.state.advance(SessionState.LIVE, "session.started");
        }
        if (run.fold.isEnded()) {
            run.state.advance(SessionState.DRAINING, "session.ended");
        }
        run.texts.countAll();
        return run;
    }

    /** The terminal snapshot of a run that has been read back. */
    static MetricsSnapshot terminal(Run run) {
        if (run.fold.isEnded()) {
            run.end("the journal ends here");
        } else {
            run.state.advance(SessionState.INTERRUPTED, "the journal ends before the session does");
        }
        return run.takeTerminal(run.endNanos(), new TransportStats(), () -> false);
    }

    /** Finds the samples that excluded workers took part in; null if none is excluded. */
    private @Nullable WorkerExclusion exclusion(RunConfig config) throws IOException {
        if (config.tracking().excludedWorkers().isEmpty()) {
            return null;
        }
        WorkerExclusion exclusion = new WorkerExclusion(config.tracking().excludedWorkers());
        Registry unused = new Registry(
                config.histograms().significantFigures(),
                config.histograms().displayBuckets(),
                new ValueStorage(0, null));
        RecordLedger ledger = new RecordLedger();
        FrameApplier scan = new FrameApplier(
                ledger,
                new LoadgenFold(unused, ledger, new FoldOptions(false, 1, 0, 0)),
                new TelemetryFolds(),
                new EventDecoder(),
                exclusion::scan);
        RunJournal.replay(
                new JournalReader(), folder, RecoveryMarker.readOnly(folder), new JournalIngest(scan), () -> {});
        exclusion.requireAllFound();
        return exclusion;
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
            FinalSnapshotWriter writer =
                    new FinalSnapshotWriter(output.path(), null, DaemonConfig.Output.PRIVATE, () -> {});
            writer.start(snapshot);
            return writer.await(FILE_PATIENCE_NANOS);
        }
    }
}
