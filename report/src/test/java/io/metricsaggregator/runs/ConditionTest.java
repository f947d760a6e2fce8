package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.report.Verdict;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.Slices;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Conditions of a comparison: what fails, what is inconclusive, and what stays silent. */
class ConditionTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SLICES = 20;

    /** A run of 20 s that completes about {@code level} samples a second, give or take {@code noise}; records may be lost. */
    private static MetricsSnapshot run(String id, int level, int noise, long lost) {
        Random random = new Random(id.hashCode());
        long[] completed = new long[SLICES];
        long[] issued = new long[SLICES];
        long sum = 0;
        for (int i = 0; i < SLICES; i++) {
            completed[i] = Math.max(0, level + (noise == 0 ? 0 : random.nextInt(2 * noise) - noise));
            issued[i] = completed[i];
            sum += completed[i];
        }
        SnapshotExtensions extensions = new SnapshotExtensions(
                new SnapshotExtensions.RunInfo(1, id, "1", 0, 0, List.of(), List.of(), Map.of(), Map.of()),
                new SnapshotExtensions.InFlight(0, 0, 0, 7, 0),
                List.of(),
                List.of(new SnapshotExtensions.WorkerRow("0", sum, sum, sum, 0, lost == 0 ? 0 : 1, lost, 0)),
                List.of(),
                List.of(),
                new Slices(
                        0,
                        SECOND,
                        0,
                        List.of(new Slices.Column("issued", issued), new Slices.Column("completed", completed))),
                null,
                null);
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                List.of(
                        new CounterMetric("tracked_samples_issued", sum),
                        new CounterMetric("tracked_samples_completed", sum),
                        new CounterMetric("tracked_duration_ns", SLICES * SECOND)),
                extensions);
    }

    private static Condition.Answer check(String condition, MetricsSnapshot baseline, MetricsSnapshot other) {
        return Condition.parse(condition).check(Comparison.of("good", baseline, "bad", other));
    }

    private static Comparison.Outcome throughput(MetricsSnapshot baseline, MetricsSnapshot other) {
        return Comparison.of("a", baseline, "b", other).rows().stream()
                .filter(each -> each.key().equals("requests_per_s"))
                .findFirst()
                .orElseThrow()
                .outcome();
    }

    @Test
    void aLargeDifferenceWithinAWideIntervalIsInconclusiveAndNotTheSame() {
        MetricsSnapshot good = run("a", 100, 100, 0);
        MetricsSnapshot bad = run("b", 80, 80, 12_730);
        assertThat(throughput(good, bad)).isEqualTo(Comparison.Outcome.INCONCLUSIVE);
        Condition.Answer answer = check("requests_per_s < -3%", good, bad);
        assertThat(answer.state()).isEqualTo(Condition.State.INCONCLUSIVE);
        assertThat(answer.evidence()).contains("95 % interval").contains("may be chance");
        assertThat(ComparisonView.TEXT.render(List.of(Comparison.of("good", good, "bad", bad))))
                .contains("inconclusive")
                .doesNotContain("  same");
    }

    @Test
    void aFigureIsTheSameOnlyIfItsIntervalIsNarrow() {
        assertThat(throughput(run("a", 100, 2, 0), run("c", 100, 3, 0))).isEqualTo(Comparison.Outcome.SAME);
        assertThat(throughput(run("a", 100, 2, 0), run("b", 80, 2, 0))).isEqualTo(Comparison.Outcome.WORSE);
        assertThat(throughput(run("a", 80, 2, 0), run("b", 100, 2, 0))).isEqualTo(Comparison.Outcome.BETTER);
    }

    @Test
    void aProvenDifferenceBeyondTheLimitHoldsAndOneWithinItDoesNot() {
        MetricsSnapshot good = run("a", 100, 2, 0);
        MetricsSnapshot bad = run("b", 80, 2, 0);
        assertThat(check("requests_per_s < -3%", good, bad).state()).isEqualTo(Condition.State.HOLDS);
        assertThat(check("requests_per_s < -30%", good, bad).state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        assertThat(check("requests_per_s > +3%", good, bad).state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        // A limit on the other side of no difference: the whole interval lies beyond it.
        assertThat(check("requests_per_s > -50%", good, bad).state()).isEqualTo(Condition.State.HOLDS);
        // The slightest limit: the difference may be chance.
        assertThat(check("requests_per_s < 0.0001%", good, run("d", 100, 3, 0)).state())
                .isNotEqualTo(Condition.State.HOLDS);
    }

    @Test
    void theVerdictOfEitherRunCanFailAComparison() {
        MetricsSnapshot good = run("a", 100, 2, 0);
        MetricsSnapshot bad = run("b", 100, 2, 12_730);
        assertThat(Verdict.of(bad).validity()).isEqualTo(Verdict.Validity.INVALID);
        assertThat(check("verdict=invalid", good, good).state()).isEqualTo(Condition.State.DOES_NOT_HOLD);
        Condition.Answer answer = check(" verdict = INVALID", good, bad);
        assertThat(answer.state()).isEqualTo(Condition.State.HOLDS);
        assertThat(answer.evidence()).isEqualTo("bad is INVALID: losses: 12,730 numbered records never arrived");
        assertThat(check("verdict=invalid", bad, good).evidence()).startsWith("good is INVALID");
        assertThat(check("verdict=questionable", good, bad).state()).isEqualTo(Condition.State.HOLDS);
        assertThatThrownBy(() -> Condition.parse("verdict=valid")).hasMessageContaining("verdict=questionable");
    }

    @Test
    void everyFormatIsHeadedByBothVerdictsAndWhatWeighsAgainstThem() {
        Comparison comparison = Comparison.of("good", run("a", 100, 2, 0), "bad", run("b", 100, 2, 12_730));
        for (ComparisonView view : ComparisonView.values()) {
            String text = view.render(List.of(comparison));
            assertThat(text)
                    .contains("baseline good: VALID")
                    .contains("run bad: INVALID")
                    .contains("losses: 12,730 numbered records never arrived");
            assertThat(text.indexOf("INVALID")).isLessThan(text.indexOf("requests_per_s"));
        }
    }

    private static Comparison ofOneRow(double before, double after, boolean certain) {
        Verdict verdict = new Verdict(Verdict.Validity.VALID, Verdict.Limit.NONE, List.of());
        Comparison.Row row = new Comparison.Row(
                "ttft.p99.9", "ms", before, after, null, null, null, null, certain, Comparison.Outcome.UNTESTED);
        return new Comparison("a", "b", verdict, verdict, List.of(row), List.of());
    }

    @Test
    void anUncertainPercentileIsNeverSilent() {
        Condition condition = Condition.parse("ttft.p99.9 > +5%");
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
    void textThatIsNotAConditionAndFiguresThatAreMissingAreNamed() {
        assertThatThrownBy(() -> Condition.parse("latency.p99 > 5"))
                .hasMessageContaining("'latency.p99 > 5' is not a condition")
                .hasMessageContaining("verdict=invalid");
        MetricsSnapshot run = run("a", 100, 2, 0);
        assertThatThrownBy(() -> check("nothing > 5%", run, run))
                .hasMessageContaining("needs nothing of both runs")
                .hasMessageContaining("requests_per_s");
    }
}
