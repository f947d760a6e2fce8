package io.metricsaggregator.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.SessionGap;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final long MILLI = 1_000_000L;

    private final MetricsSnapshot base = ExampleRuns.hostile(1, SessionState.COMPLETE);

    private MetricsSnapshot with(List<Metric> more, Slices slices, SessionState state) {
        List<Metric> metrics = new ArrayList<>(base.metrics());
        more.forEach(each -> metrics.removeIf(old -> old.name().equals(each.name())));
        metrics.addAll(more);
        SnapshotExtensions a = base.extensions();
        return new MetricsSnapshot(
                1,
                1,
                state,
                0,
                metrics,
                SnapshotExtensions.of(a.run(), a.inFlight(), slices)
                        .rates(a.rates())
                        .workers(a.workers())
                        .errors(a.errors())
                        .malformed(a.malformed())
                        .build());
    }

    static Slices slices(IntToLongFunction completed, IntToLongFunction inFlight) {
        long[] done = new long[60];
        long[] issued = new long[60];
        long[] flying = new long[60];
        for (int i = 0; i < 60; i++) {
            done[i] = completed.applyAsLong(i);
            issued[i] = 20;
            flying[i] = inFlight.applyAsLong(i);
        }
        return new Slices(
                0,
                1000 * MILLI,
                0,
                List.of(
                        new Slices.Column("issued", issued),
                        new Slices.Column("completed", done),
                        new Slices.Column("in_flight_max", flying)));
    }

    private static Metric slip(long millis) {
        Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 0; i < 100; i++) {
            histogram.recordValue(millis * MILLI);
        }
        return ExampleRuns.series("schedule_slip_ns", histogram);
    }

    static final IntToLongFunction STEADY = i -> 20 + i % 3;

    @Test
    void a_complete_steady_run_on_schedule_is_valid_without_limiting_factor() {
        Verdict verdict = Verdict.of(with(List.of(slip(1)), slices(STEADY, STEADY), SessionState.COMPLETE));
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.VALID);
        assertThat(verdict.limit()).isEqualTo(Finding.Limit.NONE);
    }

    @Test
    void texts_counted_approximately_or_not_at_all_make_a_run_questionable() {
        List<Metric> texts = new ArrayList<>(List.of(slip(1), new CounterMetric("texts_enqueued", 2000)));
        assertThat(Verdict.of(with(texts, slices(STEADY, STEADY), SessionState.COMPLETE))
                        .validity())
                .isEqualTo(Verdict.Validity.VALID);
        texts.add(new CounterMetric("texts_approximate", 1200));
        texts.add(new CounterMetric("texts_failed", 3));
        Verdict verdict = Verdict.of(with(texts, slices(STEADY, STEADY), SessionState.COMPLETE));
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(verdict.findings().get(0).what()).isEqualTo("token counts");
        assertThat(verdict.findings().get(0).evidence())
                .contains("1,200 of 2,000 texts are counted approximately", "3 of 2,000 texts could not be counted");
    }

    @Test
    void interrupted_and_lossy_runs_are_invalid_with_evidence() {
        Verdict interrupted = Verdict.of(with(List.of(), slices(STEADY, STEADY), SessionState.INTERRUPTED));
        assertThat(interrupted.validity()).isEqualTo(Verdict.Validity.INVALID);
        assertThat(interrupted.findings().get(0).evidence()).contains("interrupted");
        Verdict aborted = Verdict.of(with(
                List.of(new CounterMetric("session_interrupts", 1)), slices(STEADY, STEADY), SessionState.INTERRUPTED));
        assertThat(aborted.validity()).isEqualTo(Verdict.Validity.INVALID);
        assertThat(aborted.findings().get(0).evidence()).contains("the producer aborted the session");
        Verdict lossy = Verdict.of(with(
                List.of(new CounterMetric("batches_malformed", 7)), slices(STEADY, STEADY), SessionState.COMPLETE));
        assertThat(lossy.validity()).isEqualTo(Verdict.Validity.INVALID);
        assertThat(lossy.findings().get(0).evidence()).contains("7 malformed batches were discarded");
    }

    @Test
    void late_issues_make_the_client_the_limiting_factor() {
        Verdict verdict = Verdict.of(with(List.of(slip(200)), slices(STEADY, STEADY), SessionState.COMPLETE));
        assertThat(verdict.limit()).isEqualTo(Finding.Limit.CLIENT);
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(verdict.findings().get(0).evidence()).contains("200.").contains("late (p99)");
    }

    /** The run with resource samples of its own host. */
    private MetricsSnapshot onHost(MetricsSnapshot run, double over80Percent, double waitedPercent) {
        SnapshotExtensions a = run.extensions();
        RunInfo r = a.run();
        RunInfo here = new RunInfo(
                r.schemaVersion(),
                r.runId(),
                r.version(),
                r.startedWallNanos(),
                r.wallNanos(),
                r.exposures(),
                r.recomputed(),
                Map.of("host", "here"),
                r.settings());
        Map<String, Object> busy = Map.of(
                "n_samples",
                9L,
                "cpu_avg_pct",
                55.0,
                "cpu_over80_pct",
                over80Percent,
                "core_avg_pct",
                List.of(10.0, 99.5),
                "pressure_cpu_some_pct",
                Map.of("mean", waitedPercent));
        Map<String, Object> idle = Map.of("n_samples", 9L, "cpu_avg_pct", 100.0, "cpu_over80_pct", 100.0);
        return new MetricsSnapshot(
                1,
                1,
                run.state(),
                0,
                run.metrics(),
                SnapshotExtensions.of(here, a.inFlight(), a.slices())
                        .rates(a.rates())
                        .workers(a.workers())
                        .errors(a.errors())
                        .malformed(a.malformed())
                        .telemetry(TelemetrySnapshots.of(
                                Map.of("resource", Map.of("by_node", Map.of("here", busy, "the-server", idle)))))
                        .build());
    }

    @Test
    void scarce_cpu_makes_the_client_the_limiting_factor_unless_it_kept_its_schedule() {
        MetricsSnapshot untold = with(List.of(), slices(STEADY, STEADY), SessionState.COMPLETE);
        MetricsSnapshot kept = with(List.of(slip(1)), slices(STEADY, STEADY), SessionState.COMPLETE);
        for (double[] scarce : new double[][] {{40, 3}, {3, 40}}) {
            Verdict verdict = Verdict.of(onHost(untold, scarce[0], scarce[1]));
            assertThat(verdict.limit()).isEqualTo(Finding.Limit.CLIENT);
            assertThat(verdict.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
            assertThat(verdict.findings())
                    .anyMatch(each -> each.what().equals("the client's host")
                            && each.weight() == Finding.Weight.REMARK
                            && each.evidence().contains("CPU 1, averaged 99.5 %"));
            assertThat(Verdict.of(onHost(kept, scarce[0], scarce[1])).limit()).isEqualTo(Finding.Limit.NONE);
        }
        // Another busy node does not affect the client.
        assertThat(Verdict.of(onHost(untold, 3, 3)).limit()).isEqualTo(Finding.Limit.UNKNOWN);
        assertThat(Verdict.of(onHost(kept, 3, 3)).validity()).isEqualTo(Verdict.Validity.VALID);
    }

    @Test
    void growing_samples_in_flight_make_the_server_the_limiting_factor() {
        Verdict verdict = Verdict.of(with(List.of(slip(1)), slices(STEADY, i -> 20 + 10L * i), SessionState.COMPLETE));
        assertThat(verdict.limit()).isEqualTo(Finding.Limit.SERVER);
    }

    @Test
    void a_run_that_slows_down_is_not_stationary() {
        Verdict verdict = Verdict.of(with(List.of(slip(1)), slices(i -> 100 - i, STEADY), SessionState.COMPLETE));
        assertThat(verdict.limit()).isEqualTo(Finding.Limit.NOT_STATIONARY);
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
    }

    @Test
    void a_check_without_data_is_unknown_and_not_passed() {
        Verdict verdict = Verdict.of(with(List.of(), slices(STEADY, STEADY), SessionState.COMPLETE));
        assertThat(verdict.limit()).isEqualTo(Finding.Limit.UNKNOWN);
        assertThat(verdict.findings()).anyMatch(each -> each.weight() == Finding.Weight.UNKNOWN);
    }

    @Test
    void samples_orphaned_by_an_outage_name_no_limiting_factor() {
        MetricsSnapshot piledUp = with(List.of(slip(1)), slices(STEADY, i -> 20 + 10 * i), SessionState.COMPLETE);
        assertThat(Verdict.of(piledUp).limit()).isEqualTo(Finding.Limit.SERVER);

        Verdict verdict = Verdict.of(withOutage(piledUp, new Outage(0, 5_000 * MILLI, 12, 12, 3)));
        assertThat(verdict.limit()).isEqualTo(Finding.Limit.UNKNOWN);
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.INVALID);
        assertThat(verdict.findings())
                .anySatisfy(each -> assertThat(each.evidence())
                        .contains("from 1970-01-01T00:00:00Z to 1970-01-01T00:00:05Z", "12 of the 12 samples"));
    }

    @Test
    void an_outage_that_cost_nothing_leaves_the_run_questionable() {
        MetricsSnapshot steady = with(List.of(slip(1)), slices(STEADY, STEADY), SessionState.COMPLETE);
        Verdict verdict = Verdict.of(withOutage(steady, new Outage(0, 5_000 * MILLI, 12, 0, 0)));
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(verdict.limit()).isEqualTo(Finding.Limit.UNKNOWN);
    }

    private static MetricsSnapshot withOutage(MetricsSnapshot of, Outage outage) {
        SnapshotExtensions a = of.extensions();
        return new MetricsSnapshot(
                of.counter(),
                of.timestampNanos(),
                of.state(),
                of.pendingTasks(),
                of.metrics(),
                a.toBuilder()
                        .outages(List.of(outage))
                        .optional(OptionalFigures.NONE)
                        .completeness(Completeness.UNKNOWN)
                        .build());
    }

    /** A steady run with one scraped server, whose panel has these keys. */
    private MetricsSnapshot served(Map<String, ?> panel) {
        MetricsSnapshot plain = with(List.of(slip(1)), slices(STEADY, STEADY), SessionState.COMPLETE);
        SnapshotExtensions a = plain.extensions();
        Map<String, Object> row = new LinkedHashMap<>(panel);
        row.put("instance", "gpu-1:8000");
        return new MetricsSnapshot(
                1,
                1,
                plain.state(),
                0,
                plain.metrics(),
                SnapshotExtensions.of(a.run(), a.inFlight(), a.slices())
                        .rates(a.rates())
                        .workers(a.workers())
                        .errors(a.errors())
                        .malformed(a.malformed())
                        .slowest(a.slowest())
                        .goodput(a.goodput())
                        .telemetry(TelemetrySnapshots.of(
                                Map.of("scrape", Map.of("server", Map.of("targets", List.of(row))))))
                        .self(a.self())
                        .session(a.session())
                        .build());
    }

    private static Map<String, Object> level(double mean, double max) {
        return Map.of("mean", mean, "max", max, "last", mean);
    }

    @Test
    void requestsThatWaitForAFullKvCacheAreHeldBackByTheServer() {
        Map<String, Object> waiting = Map.of(
                "mean", 4.0, "max", 9.0, "last", 4.0, "by", Map.of("capacity", level(3, 8), "deferred", level(0, 0)));
        Verdict full = Verdict.of(served(Map.of(
                "waiting_by_reason", waiting, "waiting_scrapes_ratio", 0.51, "kv_usage_ratio", level(0.9, 0.96))));
        assertThat(full.limit()).isEqualTo(Finding.Limit.SERVER);
        assertThat(full.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(full.findings())
                .contains(new Finding(
                        Finding.Weight.REMARK,
                        "the servers' KV memory",
                        "held requests back: gpu-1:8000: requests waited in 51% of scrapes (on average 3.0 for capacity)"
                                + " with up to 96.0% of the KV cache in use",
                        Finding.Limit.SERVER));
        for (Map<String, Object> roomy : List.<Map<String, Object>>of(
                Map.of("waiting_scrapes_ratio", 0.5, "kv_usage_ratio", level(0.9, 0.96)),
                Map.of("waiting_scrapes_ratio", 0.9, "kv_usage_ratio", level(0.9, 0.95)),
                Map.of("preemptions", Map.of("total", 0.0)))) {
            Verdict verdict = Verdict.of(served(roomy));
            assertThat(verdict.limit()).isEqualTo(Finding.Limit.NONE);
            assertThat(verdict.validity()).isEqualTo(Verdict.Validity.VALID);
        }
        assertThat(Verdict.of(served(Map.of("running", level(1, 1)))).findings())
                .noneMatch(each -> each.what().contains("KV"));
    }

    @Test
    void aPreemptionIsALackOfKvMemoryUnlessTheSteadyWindowHadNone() {
        Map<String, Object> one = Map.of("total", 1.0);
        assertThat(Verdict.of(served(Map.of("preemptions", one))).limit()).isEqualTo(Finding.Limit.SERVER);
        assertThat(Verdict.of(served(Map.of("preemptions", level(0.1, 2)))).limit())
                .isEqualTo(Finding.Limit.SERVER);
        Map<String, Object> none = Map.of("preemptions", Map.of("total", 0.0));
        assertThat(Verdict.of(served(Map.of("preemptions", one, "steady", none)))
                        .limit())
                .isEqualTo(Finding.Limit.NONE);
    }

    private MetricsSnapshot untracked(SessionInfo session) {
        return untracked(session, SessionState.COMPLETE, 1_000_000_000L);
    }

    private MetricsSnapshot untracked(SessionInfo session, SessionState state, long durationNanos) {
        MetricsSnapshot plain = with(
                List.of(
                        new CounterMetric("total_samples_issued", 50),
                        new CounterMetric("total_duration_ns", durationNanos),
                        new CounterMetric("tracked_samples_completed", 0),
                        new CounterMetric("records_received", 100),
                        new CounterMetric("records_applied", 100)),
                slices(STEADY, STEADY),
                state);
        SnapshotExtensions a = plain.extensions();
        return new MetricsSnapshot(
                1,
                1,
                plain.state(),
                0,
                plain.metrics(),
                a.toBuilder()
                        .session(session)
                        .outages(List.of())
                        .optional(OptionalFigures.NONE)
                        .completeness(Completeness.UNKNOWN)
                        .build());
    }

    @Test
    void a_run_without_session_start_or_tracking_is_invalid_with_a_remedy() {
        Verdict unstarted = Verdict.of(untracked(new SessionInfo(false, false, false, null)));
        assertThat(unstarted.validity()).isEqualTo(Verdict.Validity.INVALID);
        assertThat(unstarted.findings().get(0).evidence())
                .contains("session.started was never received: 100 records")
                .contains("none of 50 samples is tracked")
                .contains("run --track all");
        Verdict untracked = Verdict.of(untracked(new SessionInfo(true, false, false, null)));
        assertThat(untracked.findings().get(0).evidence())
                .contains("performance tracking never started: none of 50 samples")
                .contains("replay DIR --track all");
        assertThat(Verdict.of(untracked(new SessionInfo(true, true, false, null)))
                        .findings())
                .noneMatch(each -> each.what().equals("the session"));
    }

    @Test
    void a_warm_up_below_five_seconds_is_not_a_session_gap() {
        SessionInfo started = new SessionInfo(true, false, false, null);
        assertThat(SessionGap.of(untracked(started, SessionState.LIVE, 4_999_999_999L)))
                .isNull();
        assertThat(SessionGap.of(untracked(started, SessionState.LIVE, 5_000_000_000L)))
                .isNotNull();
        assertThat(SessionGap.of(untracked(started, SessionState.DRAINING, 1_000_000_000L)))
                .isNotNull();
    }
}
