package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.CounterGroup;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names in the snapshot of a daemon with every option that adds counters are those of the catalogue, but for the optional keys, which the run does not have. */
class CatalogueIT {
    @TempDir
    Path directory;

    @Test
    void aSnapshotHasEveryCounterOfTheCatalogueAndNoOther() throws IOException {
        GoldenCase golden = new GoldenCase("05a_tokens_text");
        String in = "ipc://" + directory.resolve("events");
        Path output = directory.resolve("out");
        try (RunningProcess daemon = Cli.daemon(
                output,
                "--in",
                "bind:" + in,
                "--journal",
                directory.resolve("journal").toString(),
                "--streaming",
                "--tokenizer",
                golden.tokenizer().toString())) {
            try (RunningProcess replay =
                    Cli.start("replay", golden.framesFile().toString(), "--out", "connect:" + in)) {
                assertThat(replay.awaitExit()).as("%s", replay).isZero();
            }
            assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
        }
        MetricsSnapshot snapshot = FinalSnapshotFile.read(output);
        assertThat(snapshot.metrics().stream()
                        .filter(CounterMetric.class::isInstance)
                        .map(Metric::name))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(CounterName.values())
                        .filter(CatalogueIT::isInEverySnapshot)
                        .map(CounterName::wire)
                        .toList());
        assertThat(snapshot.metrics().stream()
                        .filter(SeriesMetric.class::isInstance)
                        .map(Metric::name))
                .isSubsetOf(
                        Arrays.stream(SeriesName.values()).map(SeriesName::wire).toList());
    }

    /** Counters outside the group are in a snapshot from their first value on. */
    private static boolean isInEverySnapshot(CounterName counter) {
        return counter.group() != CounterGroup.OPTIONAL
                && counter != CounterName.WEB_EVENTS_DROPPED
                && counter != CounterName.WEB_FAILURES
                && !counter.wire().startsWith("span");
    }
}
