package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.Outcomes;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MoreFailuresTest {

    @Test
    void theTestIsThatOfTwoProportions() {
        // scipy: z = (0.06 - 0.04) / sqrt(0.05 * 0.95 * 2 / 1000), p = 2 * norm.sf(z)
        assertThat(MoreFailures.of(new Outcomes(960, 40), new Outcomes(940, 60)).p())
                .isCloseTo(0.040177, within(1e-5));
        assertThat(MoreFailures.of(new Outcomes(10, 0), new Outcomes(10, 0)).p())
                .isEqualTo(1);
        assertThat(MoreFailures.of(new Outcomes(0, 0), new Outcomes(0, 10)).isShown())
                .isFalse();
    }

    private static MetricsSnapshot failing(String id, int level, long failed) {
        MetricsSnapshot run = ExampleRuns.steady(id, level, 2, 0);
        List<Metric> metrics = new ArrayList<>(run.metrics());
        metrics.add(new CounterMetric("tracked_samples_failed", failed));
        return new MetricsSnapshot(1, 1, run.state(), 0, metrics, run.extensions());
    }

    @Test
    void noFigureOfARunThatFailsMoreIsCalledBetterAndTheErrorsAreWorse() {
        Comparison comparison = Comparison.of("a", failing("a", 100, 20), "b", failing("b", 300, 2500));
        assertThat(comparison.rows())
                .extracting(Comparison.Row::outcome)
                .contains(Comparison.Outcome.FAILS_MORE)
                .doesNotContain(Comparison.Outcome.BETTER);
        assertThat(comparison.rows())
                .filteredOn(each -> each.key().equals("errors"))
                .extracting(Comparison.Row::outcome)
                .containsExactly(Comparison.Outcome.WORSE);
        assertThat(comparison.failures()).startsWith("failures: 1.").contains("no figure of the run is called better");
        assertThat(Comparison.of("b", failing("b", 300, 2500), "a", failing("a", 100, 20))
                        .rows())
                .filteredOn(each -> each.key().equals("errors"))
                .extracting(Comparison.Row::outcome)
                .containsExactly(Comparison.Outcome.BETTER);
    }
}
