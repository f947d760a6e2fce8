package io.metricsaggregator.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.SelfCost;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Traces of benchmark runs that do not change figures, and the same traces where they do. */
class RealRunVerdictTest {
    private static final long MILLI = 1_000_000L;
    /** The median latency of the runs is 500 ms: this lag is 40 % of it. */
    private static final long LONG_LAG = 200 * MILLI;

    private static final SnapshotExtensions.InFlight NOTHING_LEFT = new SnapshotExtensions.InFlight(0, 0, 0, 12, 0);

    private static SelfCost cost(long lagNanos, long ticksLengthened) {
        return new SelfCost(
                lagNanos / 2,
                lagNanos,
                lagNanos,
                0,
                1,
                0,
                1,
                1,
                0,
                0,
                0,
                1,
                0,
                0,
                1,
                MILLI,
                ticksLengthened,
                0,
                0,
                0,
                0);
    }

    private static MetricsSnapshot run(SnapshotExtensions.InFlight left, SelfCost self, CounterMetric... more) {
        MetricsSnapshot base = ExampleRuns.hostile(1, SessionState.COMPLETE);
        List<Metric> metrics = new ArrayList<>(base.metrics());
        metrics.addAll(List.of(more));
        SnapshotExtensions of = base.extensions();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                metrics,
                SnapshotExtensions.of(of.run(), left, VerdictTest.slices(VerdictTest.STEADY, VerdictTest.STEADY))
                        .rates(of.rates())
                        .workers(of.workers())
                        .errors(of.errors())
                        .malformed(of.malformed())
                        .slowest(of.slowest())
                        .telemetry(of.telemetry())
                        .self(self)
                        .build());
    }

    private static Finding finding(Verdict verdict, String what) {
        return verdict.findings().stream()
                .filter(each -> each.what().equals(what))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void unfinished_warmup_samples_do_not_affect_the_validity() {
        Verdict verdict = Verdict.of(run(new SnapshotExtensions.InFlight(7, 0, 0, 12, 9 * MILLI), cost(MILLI, 0)));
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.VALID);
        Finding left = finding(verdict, "unfinished samples");
        assertThat(left.weight()).isEqualTo(Finding.Weight.GOOD);
        assertThat(left.evidence()).startsWith("7 samples issued outside the tracked windows never completed");
    }

    @Test
    void unfinished_tracked_samples_make_a_run_questionable() {
        Verdict verdict = Verdict.of(run(new SnapshotExtensions.InFlight(7, 2, 0, 12, 9 * MILLI), cost(MILLI, 0)));
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(verdict.worst())
                .contains("unfinished samples: 2 tracked samples were still in flight; no latency includes them");
        assertThat(verdict.findings()).anyMatch(each -> each.evidence().startsWith("5 samples issued outside"));
    }

    @Test
    void daemon_lag_is_no_remark_if_all_timestamps_come_from_the_producer() {
        Verdict verdict = Verdict.of(run(
                NOTHING_LEFT,
                cost(LONG_LAG, 4),
                new CounterMetric("ticks_skipped", 90),
                new CounterMetric("ticks_published", 10)));
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.VALID);
        assertThat(finding(verdict, "the daemon itself").evidence())
                .contains("records waited 200")
                .contains("90 of 100 live snapshots were skipped")
                .contains("no figure includes the wait");
    }

    @Test
    void daemon_lag_is_a_remark_if_the_daemon_stamped_records() {
        CounterMetric stamped = new CounterMetric("records_without_timestamp", 3);
        Verdict lagging = Verdict.of(run(NOTHING_LEFT, cost(LONG_LAG, 0), stamped));
        assertThat(lagging.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(lagging.worst())
                .hasValueSatisfying(worst ->
                        assertThat(worst).startsWith("the daemon itself").contains("3 records had no timestamp_ns"));
        Verdict prompt = Verdict.of(run(NOTHING_LEFT, cost(MILLI, 0), stamped));
        assertThat(prompt.validity()).isEqualTo(Verdict.Validity.VALID);
    }
}
