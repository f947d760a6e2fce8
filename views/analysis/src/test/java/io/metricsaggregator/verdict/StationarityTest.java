package io.metricsaggregator.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StationarityTest {
    private static Verdict verdict(SteadyState steady) {
        MetricsSnapshot run = ExampleRuns.steady("a", 100, 2, 0);
        return Verdict.of(new MetricsSnapshot(
                1, 2, run.state(), 0, run.metrics(), run.extensions().withSteady(steady)));
    }

    private static SteadyState judged(String state, double drift, @Nullable Double shift) {
        return new SteadyState(state, "tpot_ns", 9, 4, null, null, 0, 600, 0.01, drift, 0.00516, shift, null);
    }

    private static Finding stationarity(Verdict verdict) {
        return verdict.findings().stream()
                .filter(each -> each.what().equals(Stationarity.NAME))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_drift_or_a_shift_of_the_steady_state_makes_a_run_not_stationary() {
        Verdict drifting = verdict(judged("drifting_up", 0.0861, null));
        assertThat(drifting.limit()).isEqualTo(Finding.Limit.NOT_STATIONARY);
        assertThat(drifting.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(stationarity(drifting).evidence())
                .contains("time per output token drifts by +8.6% over the batches after the warm-up (p 0.0052)");
        assertThat(stationarity(verdict(judged("shifted", 0.4, 99.9))).evidence())
                .contains("time per output token changed its level by +99.9%");
        for (String state : List.of("steady", "unsteady", "warming_up")) {
            assertThat(stationarity(verdict(judged(state, 0.2, null))).weight())
                    .as(state)
                    .isEqualTo(Finding.Weight.GOOD);
        }
    }

    @Test
    void the_shape_of_the_super_passes_counts_too() {
        Map<String, Object> anomaly = Map.of("found", true, "anomaly", Map.of("detected", true, "delta_pct", 50.0));
        SuperPasses shifted = new SuperPasses(
                10, null, new SuperPasses.Judgement("windowable", "anomaly", anomaly, anomaly, anomaly));
        assertThat(stationarity(verdict(judged("steady", 0, null).with(null, shifted)))
                        .evidence())
                .contains("the time per token changes by +50.0% between super-passes");
        Map<String, Object> found = Map.of("found", true);
        SuperPasses drifting = new SuperPasses(
                10, null, new SuperPasses.Judgement("windowable", "drifting_down", found, found, found));
        assertThat(stationarity(verdict(judged("steady", 0, null).with(null, drifting)))
                        .evidence())
                .contains("the time per token drifts down over the super-passes");
    }
}
