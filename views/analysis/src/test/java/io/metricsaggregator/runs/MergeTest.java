package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MergeSettings;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The times, id and bounds that a merged run takes from its parts. */
class MergeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long EPOCH = 1_700_000_000L * SECOND;
    /** The monotonic clock of all hosts at {@link #EPOCH}. */
    private static final long BOOT = 5_000 * SECOND;

    private static final int RATE = 10;

    private final List<SnapshotExtensions.WorkerRow> workers = new ArrayList<>();
    private final List<SnapshotExtensions.ErrorRow> errors = new ArrayList<>();
    private long bytes = 1;

    /**
     * A run that completed {@link #RATE} samples a second in its session.
     *
     * @param started when its daemon was started, seconds after {@link #EPOCH}
     * @param session when its session began
     * @param length of its session; the daemon ended with it
     */
    private MetricsSnapshot run(String id, long started, long session, long length) {
        long[] completed = new long[(int) length];
        java.util.Arrays.fill(completed, RATE);
        long end = session + length;
        return new MetricsSnapshot(
                1,
                BOOT + end * SECOND,
                SessionState.COMPLETE,
                0,
                List.of(
                        new CounterMetric("tracked_samples_issued", RATE * length),
                        new CounterMetric("tracked_samples_completed", RATE * length),
                        new CounterMetric("tracked_duration_ns", length * SECOND),
                        new CounterMetric("total_duration_ns", length * SECOND),
                        new CounterMetric("succeeded_duration_ns", (length - 1) * SECOND),
                        new CounterMetric("frame_bytes_received", bytes)),
                SnapshotExtensions.of(
                                new RunInfo(
                                        1,
                                        id,
                                        "1",
                                        EPOCH + started * SECOND,
                                        EPOCH + end * SECOND,
                                        List.of(),
                                        List.of(),
                                        Map.of("host", id),
                                        Map.of(),
                                        null,
                                        Map.of(),
                                        "node-" + id,
                                        new ClockOffset(EPOCH - BOOT, 50)),
                                new SnapshotExtensions.InFlight(0, 0, 0, 7, 0),
                                new Slices(
                                        BOOT + session * SECOND,
                                        SECOND,
                                        0,
                                        List.of(
                                                new Slices.Column("issued", completed),
                                                new Slices.Column("completed", completed.clone()))))
                        .workers(workers)
                        .errors(errors)
                        .build());
    }

    private static String overlap(MetricsSnapshot merged) {
        return merged.extensions().run().settings().get(MergeSettings.OVERLAP);
    }

    private static Double rate(MetricsSnapshot merged) {
        return Report.of(merged).requestsPerSecond();
    }

    @Test
    void ratesOfRunsSideBySideAddUp() {
        SnapshotMerge.Merged merged = SnapshotMerge.of(List.of(run("a", 0, 5, 100), run("b", 0, 8, 98)));
        assertThat(merged.warnings()).isEmpty();
        assertThat(overlap(merged.snapshot())).isEqualTo("whole");
        assertThat(rate(merged.snapshot())).isEqualTo(19.8);
        assertThat(merged.snapshot().extensions().slices().column("completed")).startsWith(20, 20);
        assertThat(merged.snapshot().extensions().inFlight().peak()).isEqualTo(14);
        assertThat(merged.snapshot().counterValue("succeeded_duration_ns")).isEqualTo(99 * SECOND);
    }

    @Test
    void rates_of_consecutive_runs_are_averaged_with_a_warning() {
        MetricsSnapshot a = run("a", 0, 5, 100);
        MetricsSnapshot b = run("b", 200, 205, 300);
        SnapshotMerge.Merged merged = SnapshotMerge.of(List.of(b, a));
        assertThat(merged.warnings())
                .singleElement()
                .asString()
                .startsWith(
                        "the runs did not measure at the same time: a at 2023-11-14T22:13:25Z for 0:01:40, b at 2023")
                .contains("rates are the mean of the runs and not their sum");
        assertThat(overlap(merged.snapshot())).isEqualTo("none");
        assertThat(rate(merged.snapshot())).isEqualTo(RATE);
        assertThat(merged.snapshot().counterValue("total_duration_ns")).isEqualTo(400 * SECOND);
        assertThat(merged.snapshot().counterValue("succeeded_duration_ns")).isEqualTo(398 * SECOND);
        assertThat(merged.snapshot().extensions().slices().length()).isZero();
        assertThat(merged.snapshot().extensions().inFlight().peak()).isEqualTo(7);
        Verdict verdict = Verdict.of(merged.snapshot());
        assertThat(verdict.validity()).isEqualTo(Verdict.Validity.QUESTIONABLE);
        assertThat(verdict.findings())
                .anySatisfy(each -> assertThat(each.evidence()).contains("did not measure at the same time"));
    }

    @Test
    void overlap_is_that_of_sessions_and_not_of_daemons() {
        // Both daemons started at 0.
        assertThat(overlap(SnapshotMerge.merge(List.of(run("a", 0, 5, 50), run("b", 0, 60, 50)))))
                .isEqualTo("none");
    }

    @Test
    void partial_overlap_is_a_warning() {
        SnapshotMerge.Merged merged = SnapshotMerge.of(List.of(run("a", 0, 0, 100), run("b", 50, 50, 100)));
        assertThat(merged.warnings()).singleElement().asString().contains("only in part");
        assertThat(overlap(merged.snapshot())).isEqualTo("partial");
        assertThat(rate(merged.snapshot())).isEqualTo(RATE);
        // A short run after a long one does not overlap with it, although it adds little time.
        assertThat(overlap(SnapshotMerge.merge(List.of(run("a", 0, 0, 100), run("b", 101, 101, 5)))))
                .isEqualTo("none");
        assertThat(overlap(
                        SnapshotMerge.merge(List.of(run("a", 0, 0, 100), run("b", 0, 0, 100), run("c", 101, 101, 5)))))
                .isEqualTo("partial");
    }

    @Test
    void a_merged_run_without_overlap_keeps_that_when_merged_again() {
        MetricsSnapshot apart = SnapshotMerge.merge(List.of(run("a", 0, 0, 100), run("b", 100, 100, 100)));
        MetricsSnapshot again = SnapshotMerge.merge(List.of(apart, run("c", 0, 0, 200)));
        assertThat(overlap(again)).isEqualTo("partial");
        assertThat(again.extensions().run().recomputed())
                .anyMatch(word -> word.startsWith("the runs did not measure at the same time: a at"));
    }

    @Test
    void runs_without_times_have_an_unknown_overlap() {
        MetricsSnapshot foreign =
                new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, List.of(), SnapshotExtensions.NONE);
        assertThat(SnapshotMerge.of(List.of(foreign, foreign)).warnings())
                .containsExactly("whether the runs measured at the same time is unknown; their rates are added");
    }

    @Test
    void the_merged_id_depends_on_the_runs_and_not_on_order_or_nesting() {
        MetricsSnapshot a = run("a", 0, 0, 10);
        MetricsSnapshot b = run("b", 0, 0, 10);
        MetricsSnapshot c = run("c", 0, 0, 10);
        MetricsSnapshot merged = SnapshotMerge.merge(List.of(a, b, c));
        MetricsSnapshot nested = SnapshotMerge.merge(List.of(c, SnapshotMerge.merge(List.of(b, a))));
        String id = merged.extensions().run().runId();
        assertThat(id).matches("merged-[0-9a-f]{16}");
        assertThat(nested.extensions().run().runId()).isEqualTo(id);
        assertThat(nested.extensions().run().settings()).containsEntry(MergeSettings.RUNS, "a,b,c");
        assertThat(nested.extensions().run().environment())
                .isEqualTo(merged.extensions().run().environment())
                .containsEntry("host", "a / b / c");
        assertThat(SnapshotMerge.merge(List.of(a, b)).extensions().run().runId())
                .isNotEqualTo(id);
        assertThatThrownBy(() -> SnapshotMerge.merge(List.of(nested, b))).hasMessage("run b is given twice");
        assertThatThrownBy(() -> SnapshotMerge.of(List.of(nested, b), List.of("merged", "node2")))
                .hasMessage("run b is given twice, in merged and in node2");
    }

    @Test
    void a_merged_run_names_no_node_and_no_clock() {
        MetricsSnapshot merged = SnapshotMerge.merge(List.of(run("a", 0, 0, 10), run("b", 0, 0, 10)));
        assertThat(merged.extensions().run().node()).isNull();
        assertThat(merged.extensions().run().clockOffset()).isNull();
    }

    @Test
    void workers_and_errors_beyond_their_bounds_are_summed_in_other() {
        for (int i = 0; i < 700; i++) {
            workers.add(new SnapshotExtensions.WorkerRow("w" + i, 3, 1, 1, 1, 1, 2, 1, 4, 5));
        }
        workers.add(new SnapshotExtensions.WorkerRow("other", 5, 5, 5, 0, 0, 0, 0));
        for (int i = 0; i < 80; i++) {
            errors.add(new SnapshotExtensions.ErrorRow("error.client", "kind" + i, 1000 - i, "late", 5, 9));
        }
        MetricsSnapshot a = run("a", 0, 0, 10);
        errors.replaceAll(
                row -> new SnapshotExtensions.ErrorRow("error.server", row.type(), row.count(), "late", 3, 7));
        MetricsSnapshot b = run("b", 0, 0, 10);
        SnapshotExtensions merged = SnapshotMerge.merge(List.of(a, b)).extensions();
        assertThat(merged.workers()).hasSize(MergedRows.WORKERS_MAX + 1);
        assertThat(merged.workers().get(MergedRows.WORKERS_MAX))
                .isEqualTo(new SnapshotExtensions.WorkerRow(
                        "other", 2 * 5 + 3L * 376, 386, 386, 376, 376, 2 * 376, 376, 4 * 376, 5 * 376));
        assertThat(merged.workers().stream()
                        .mapToLong(SnapshotExtensions.WorkerRow::sequenceLost)
                        .sum())
                .isEqualTo(2 * 2 * 700);
        assertThat(merged.errors()).hasSize(MergedRows.ERRORS_MAX + 1);
        assertThat(merged.errors().stream()
                        .mapToLong(SnapshotExtensions.ErrorRow::count)
                        .sum())
                .isEqualTo(2 * (1000L + 921) * 80 / 2);
        assertThat(merged.errors())
                .filteredOn(row -> row.event().equals("other"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.firstNanos()).isEqualTo(3);
                    assertThat(row.lastNanos()).isEqualTo(9);
                });
        // The rarest errors were moved into that row.
        assertThat(merged.errors()).noneMatch(row -> row.type().equals("kind79"));
    }

    @Test
    void sums_beyond_64_bits_saturate_and_are_named() {
        bytes = Long.MAX_VALUE;
        workers.add(new SnapshotExtensions.WorkerRow("other", Long.MAX_VALUE, 0, 0, 0, 0, 0, 0));
        SnapshotMerge.Merged merged = SnapshotMerge.of(List.of(run("a", 0, 0, 10), run("b", 0, 0, 10)));
        assertThat(merged.snapshot().counterValue("frame_bytes_received")).isEqualTo(Long.MAX_VALUE);
        assertThat(merged.snapshot().extensions().workers().get(0).records()).isEqualTo(Long.MAX_VALUE);
        assertThat(merged.warnings())
                .singleElement()
                .asString()
                .contains("saturated at 9223372036854775807")
                .contains("frame_bytes_received");
        assertThat(merged.snapshot().extensions().run().recomputed())
                .anyMatch(word -> word.contains("frame_bytes_received"));
    }
}
