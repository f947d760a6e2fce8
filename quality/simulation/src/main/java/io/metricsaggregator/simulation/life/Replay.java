package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterGroup;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Replays the journal of a finished run and compares the result with its final file. Runs on a simulated thread. */
final class Replay {
    private static final long VALUES_BYTES = 1L << 26;

    private final Path journal;
    private final Verdicts verdicts;

    Replay(Path journal, Verdicts verdicts) {
        this.journal = journal;
        this.verdicts = verdicts;
    }

    void compare(MetricsSnapshot file) {
        MetricsSnapshot replayed;
        try {
            JournalReplay replay = JournalReplay.open(journal);
            MetricsSnapshot computed = replay.compute(replay.recorded(), RunResources.ofReplay(null, VALUES_BYTES));
            // As a file, because JSON does not keep every kind of number.
            replayed = Objects.requireNonNull(Snapshots.ofJson(new JsonSnapshotCodec().encode(computed)));
        } catch (IOException e) {
            verdicts.violated(Invariant.REPLAY_GIVES_THE_FILE, "the journal cannot be replayed: " + e);
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
        verdicts.require(
                Arrays.equals(series(file), series(replayed)),
                Invariant.REPLAY_GIVES_THE_FILE,
                "the series of the replay differ from those of the file");
    }

    /** The series of a snapshot as JSON: the records hold arrays, which do not compare by content. */
    private static byte[] series(MetricsSnapshot snapshot) {
        return new JsonSnapshotCodec()
                .encode(new MetricsSnapshot(
                        1, 0, SessionState.COMPLETE, 0, List.copyOf(snapshot.series()), SnapshotExtensions.NONE));
    }
}
