package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.verdict.Finding;
import io.metricsaggregator.verdict.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Conditions of a comparison that fail, are inconclusive or do not hold. */
class ConditionTest {
    private static Condition.Answer check(String condition, MetricsSnapshot baseline, MetricsSnapshot other) {
        return ConditionParser.parse(condition).check(Comparison.of("good", baseline, "bad", other));
    }

    private static Comparison.Outcome throughput(MetricsSnapshot baseline, MetricsSnapshot other) {
        return Comparison.of("a", baseline, "b", other).rows().stream()
                .filter(each -> each.key().equals("requests_per_s"))
                .findFirst()
                .orElseThrow()
                .outcome();
    }

    @Test
    void a_large_difference_within_a_wide_interval_is_inconclusive() {
        MetricsSnapshot good = ExampleRuns.steady("a", 100, 100, 0);
        MetricsSnapshot bad = ExampleRuns.steady("b", 80, 80, 12_730);
        assertThat(throughput(good, bad)).isEqualTo(Comparison.Outcome.INCONCLUSIVE);
        Condition.Answer answer = check("requests_per_s < -3%", good, bad);
        assertThat(answer.state()).isEqualTo(Condition.State.INCONCLUSIVE);
        assertThat(answer.evidence()).contains("95 % interval").contains("may be chance");
    }

    @Test
    void aFigureIsTheSameOnlyIfItsIntervalIsNarrow() {
        assertThat(throughput(ExampleRuns.steady("a", 100, 2, 0), ExampleRuns.steady("c", 100, 3, 0)))
                .isEqualTo(Comparison.Outcome.SAME);
        assertThat(throughput(ExampleRuns.steady("a", 100, 2, 0), ExampleRuns.steady("b", 80, 2, 0)))
                .isEqualTo(Comparison.Outcome.WORSE);
        assertThat(throughput(ExampleRuns.steady("a", 80, 2, 0), ExampleRuns.steady("b", 100, 2, 0)))
                .isEqualTo(Comparison.Outcome.BETTER);
    }

    @Test
    void aProvenDifferenceBeyondTheLimitHoldsAndOneWithinItDoesNot() {
        MetricsSnapshot good = ExampleRuns.steady("a", 100, 2, 0);
        MetricsSnapshot bad = ExampleRuns.steady("b", 80, 2, 0);
        assertThat(check("requests_per_s < -3%", good, bad).state()).isEqualTo(Condition.State.HOLDS);
        assertThat(check("requests_per_s < -30%", good, bad).state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        assertThat(check("requests_per_s > +3%", good, bad).state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        // The limit has the opposite sign of the change: the whole interval lies beyond it.
        assertThat(check("requests_per_s > -50%", good, bad).state()).isEqualTo(Condition.State.HOLDS);
        // A limit close to 0: the difference may be chance.
        assertThat(check("requests_per_s < 0.0001%", good, ExampleRuns.steady("d", 100, 3, 0))
                        .state())
                .isNotEqualTo(Condition.State.HOLDS);
    }

    @Test
    void theVerdictOfEitherRunCanFailAComparison() {
        MetricsSnapshot good = ExampleRuns.steady("a", 100, 2, 0);
        MetricsSnapshot bad = ExampleRuns.steady("b", 100, 2, 12_730);
        assertThat(Verdict.of(bad).validity()).isEqualTo(Verdict.Validity.INVALID);
        assertThat(check("verdict=invalid", good, good).state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        Condition.Answer answer = check(" verdict = INVALID", good, bad);
        assertThat(answer.state()).isEqualTo(Condition.State.HOLDS);
        assertThat(answer.evidence()).isEqualTo("bad is INVALID: losses: 12,730 numbered records never arrived");
        assertThat(check("verdict=invalid", bad, good).evidence()).startsWith("good is INVALID");
        assertThat(check("verdict=questionable", good, bad).state()).isEqualTo(Condition.State.HOLDS);
        assertThatThrownBy(() -> ConditionParser.parse("verdict=valid")).hasMessageContaining("verdict=questionable");
    }

    private static MetricsSnapshot inState(String state, double seconds, double ttft) {
        MetricsSnapshot run = ExampleRuns.steady("a", 100, 2, 0);
        SteadyWindow.Durations durations = new SteadyWindow.Durations(1000, ttft, ttft, ttft, ttft);
        SteadyState steady = new SteadyState(
                state,
                "tpot_ns",
                9,
                4,
                5L,
                5L,
                seconds,
                600,
                0.01,
                0.0,
                0.5,
                null,
                state.equals("steady") ? new SteadyWindow(0, 10, 10, 9, 5.0, null, null, durations, null, null) : null);
        return new MetricsSnapshot(
                run.counter(),
                run.timestampNanos(),
                run.state(),
                run.pendingTasks(),
                run.metrics(),
                run.extensions().withSteady(steady));
    }

    @Test
    void aComparisonCanFailWithoutASteadyWindowAndOnItsFigures() {
        MetricsSnapshot steady = inState("steady", 100, 20e6);
        MetricsSnapshot certified = inState("steady", 700, 23e6);
        MetricsSnapshot drifting = inState("drifting_up", 0, 20e6);
        assertThat(check("steady=no", steady, certified).state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        assertThat(check("steady=no", steady, drifting).evidence()).isEqualTo("bad has no steady window: drifting_up");
        Condition.Answer answer = check("steady = uncertified", steady, certified);
        assertThat(answer.state()).isEqualTo(Condition.State.HOLDS);
        assertThat(answer.evidence()).isEqualTo("good is steady for 100 s of 600 s");
        assertThat(check("steady=uncertified", certified, certified).state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        assertThat(check("steady.ttft.p99 > +10%", steady, certified).state()).isEqualTo(Condition.State.HOLDS);
        assertThat(check("steady.qps_per_s < -10%", steady, certified).state())
                .isEqualTo(Condition.State.DOES_NOT_HOLD);
        assertThatThrownBy(() -> ConditionParser.parse("steady=yes")).hasMessageContaining("steady=uncertified");
    }

    private static Comparison ofOneRow(double before, double after, boolean certain) {
        Verdict verdict = new Verdict(Verdict.Validity.VALID, Finding.Limit.NONE, List.of());
        Comparison.Row row = new Comparison.Row(
                "ttft.p99.9",
                "ms",
                before,
                after,
                null,
                null,
                null,
                null,
                certain,
                true,
                Comparison.Outcome.UNTESTED,
                false);
        MetricsSnapshot run = ExampleRuns.steady("a", 100, 2, 0);
        return new Comparison("a", "b", verdict, verdict, List.of(row), List.of(), List.of(), run, run);
    }

    @Test
    void an_uncertain_percentile_always_has_evidence() {
        Condition condition = ConditionParser.parse("ttft.p99.9 > +5%");
        assertThat(condition.check(ofOneRow(100, 150, true)).state()).isEqualTo(Condition.State.HOLDS);
        assertThat(condition.check(ofOneRow(100, 100, true)).evidence()).isEmpty();
        Condition.Answer beyond = condition.check(ofOneRow(100, 150, false));
        assertThat(beyond.state()).isEqualTo(Condition.State.INCONCLUSIVE);
        assertThat(beyond.evidence()).contains("+50.0%").contains("too few values");
        Condition.Answer within = condition.check(ofOneRow(100, 100, false));
        assertThat(within.state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        assertThat(within.evidence()).contains("too few values");
        assertThat(condition.check(ofOneRow(0, 100, true)).state()).isEqualTo(Condition.State.HOLDS);
    }

    @Test
    void malformed_conditions_and_missing_figures_are_named() {
        assertThatThrownBy(() -> ConditionParser.parse("latency.p99 > 5"))
                .hasMessageContaining("'latency.p99 > 5' is not a condition")
                .hasMessageContaining("verdict=invalid");
        MetricsSnapshot run = ExampleRuns.steady("a", 100, 2, 0);
        assertThatThrownBy(() -> check("nothing > 5%", run, run))
                .hasMessageContaining("needs nothing of both runs")
                .hasMessageContaining("requests_per_s");
    }
}
