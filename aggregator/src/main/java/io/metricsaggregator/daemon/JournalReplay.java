package io.metricsaggregator.daemon;

import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
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

/** A run computed again from its journal, by the same fold and with the settings it had. Texts are not counted again. */
public final class JournalReplay {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final long FILE_PATIENCE_NANOS = 30_000_000_000L;

    private JournalReplay() {}

    /**
     * Computes the terminal snapshot of a run.
     *
     * @param journal a run's folder, or the directory of journals, whose newest run is taken
     * @param valuesMaxBytes memory for values
     * @param version of this program
     * @throws IOException if there is no run, or it cannot be read
     */
    public static MetricsSnapshot compute(Path journal, long valuesMaxBytes, String version) throws IOException {
        Path folder = JournalDirectory.findRun(journal);
        Map<String, String> settings = JournalReader.describe(folder);
        if (settings.isEmpty()) {
            throw new IOException(folder + " holds no segment that can be read");
        }
        Run run = new Run(options(settings, valuesMaxBytes, version), System::nanoTime, RunJournal.readOnly(folder));
        if (run.fold.isStarted()) {
            run.state.advance(SessionState.LIVE, "session.started");
        }
        if (run.fold.isEnded()) {
            run.state.advance(SessionState.DRAINING, "session.ended");
        }
        run.state.advance(
                run.fold.isEnded() ? SessionState.COMPLETE : SessionState.INTERRUPTED, "the journal ends here");
        return run.takeTerminal(System.nanoTime(), new TransportStats(), () -> false);
    }

    private static AggregatorOptions options(Map<String, String> settings, long valuesMaxBytes, String version) {
        return new AggregatorOptions(
                List.of(Endpoint.parse("ipc:///replayed", false)),
                List.of(),
                Path.of("."),
                null,
                PRIVATE,
                1_000_000_000L,
                0,
                number(settings.get("hdr_sig_figs"), 3),
                number(settings.get("n_histogram_buckets"), 30),
                Boolean.parseBoolean(settings.get("streaming")),
                Boolean.parseBoolean(settings.get("early_stopping")),
                null,
                null,
                false,
                Integer.MAX_VALUE,
                valuesMaxBytes,
                null,
                null,
                version,
                TransportOptions.defaults());
    }

    private static int number(@Nullable String text, int otherwise) {
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /**
     * Writes a snapshot as the daemon writes its last one; what is there already is put aside.
     *
     * @return the file; null if it is not durable, which the log explains
     */
    public static @Nullable Path write(MetricsSnapshot snapshot, Path directory) throws IOException {
        String runId =
                snapshot.additions() == null ? "" : snapshot.additions().run().runId();
        try (OutputDirectory output = OutputDirectory.open(directory, runId)) {
            FinalSnapshotWriter writer = new FinalSnapshotWriter(output.path(), null, PRIVATE);
            writer.start(snapshot);
            return writer.await(FILE_PATIENCE_NANOS);
        }
    }
}
