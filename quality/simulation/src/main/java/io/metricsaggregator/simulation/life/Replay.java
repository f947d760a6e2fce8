package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterGroup;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.simulation.life.plan.DaemonSettings;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/** Replays the journal of a finished run and compares the result with its final file. Runs on a simulated thread. */
final class Replay {
    private final Path journal;
    private final DaemonSettings settings;
    private final Verdicts verdicts;
    private final BooleanSupplier failed;

    /**
     * A replay.
     *
     * @param failed whether a call of the disk has failed, which this comparison excuses
     */
    Replay(Path journal, DaemonSettings settings, Verdicts verdicts, BooleanSupplier failed) {
        this.journal = journal;
        this.settings = settings;
        this.verdicts = verdicts;
        this.failed = failed;
    }

    void compare(MetricsSnapshot file) {
        MetricsSnapshot replayed;
        try {
            JournalReplay replay = JournalReplay.open(journal);
            MetricsSnapshot computed = replay.compute(replay.recorded(), settings.ofReplay(journal.getFileSystem()));
            // As a file, because JSON does not keep every kind of number.
            replayed = Objects.requireNonNull(Snapshots.ofJson(new JsonSnapshotCodec().encode(computed)));
        } catch (IOException e) {
            verdicts.require(
                    failed.getAsBoolean(), Invariant.REPLAY_GIVES_THE_FILE, "the journal cannot be replayed: " + e);
            return;
        }
        if (failed.getAsBoolean()) {
            return;
        }
        for (CounterGroup group : List.of(CounterGroup.SAMPLES, CounterGroup.LEDGER)) {
            for (CounterName name : CounterName.of(group)) {
                verdicts.require(
                        file.counter(name) == replayed.counter(name),
                        Invariant.REPLAY_GIVES_THE_FILE,
                        () -> name + " is " + replayed.counter(name) + ", in the file " + file.counter(name));
            }
        }
        // Texts that a signal left uncounted, and dropped ones, are counted now.
        // A process that was held up while it stopped has no time for exact percentiles.
        boolean comparable = file.pendingTasks() == 0 && (isExact(file) || !isExact(replayed));
        verdicts.require(
                !comparable || Arrays.equals(series(file), series(replayed)),
                Invariant.REPLAY_GIVES_THE_FILE,
                "the series of the replay differ from those of the file");
    }

    private static boolean isExact(MetricsSnapshot snapshot) {
        return snapshot.series().stream().allMatch(SeriesMetric::isExact);
    }

    /** The series of a snapshot as JSON: the records hold arrays, which do not compare by content. */
    private static byte[] series(MetricsSnapshot snapshot) {
        return new JsonSnapshotCodec()
                .encode(new MetricsSnapshot(
                        1, 0, SessionState.COMPLETE, 0, List.copyOf(snapshot.series()), SnapshotExtensions.NONE));
    }
}
