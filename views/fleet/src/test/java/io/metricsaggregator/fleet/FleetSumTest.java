package io.metricsaggregator.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The sum of nodes in memory against one daemon with all their values. */
class FleetSumTest {
    private static Random random() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("FleetSumTest seed: -Dtest.seed=" + seed);
        return new Random(seed);
    }

    private static void equal(SeriesMetric sum, SeriesMetric daemon) {
        assertThat(sum.count()).isEqualTo(daemon.count());
        assertThat(sum.total()).isEqualTo(daemon.total());
        assertThat(sum.min()).isEqualTo(daemon.min());
        assertThat(sum.max()).isEqualTo(daemon.max());
        assertThat(sum.sumSq().doubleValue())
                .isCloseTo(
                        daemon.sumSq().doubleValue(),
                        within(1e-12 * daemon.sumSq().doubleValue()));
        assertThat(sum.percentiles()).isEqualTo(daemon.percentiles());
        assertThat(sum.histogram()).isEqualTo(daemon.histogram());
        assertThat(sum.detail().hdr()).isEqualTo(daemon.detail().hdr());
        assertThat(sum.detail().clamped()).isEqualTo(daemon.detail().clamped());
        assertThat(sum.detail().exact()).isEqualTo(sum.count() == 0);
        Double deviation = daemon.detail().stdDev();
        if (deviation == null) {
            assertThat(sum.detail().stdDev()).isNull();
        } else {
            assertThat(sum.detail().stdDev()).isCloseTo(deviation, within(1e-12 * deviation));
        }
    }

    @Test
    void a_sum_has_every_figure_of_one_live_daemon_with_all_values() {
        Random random = random();
        TestFleet fleet = new TestFleet();
        TestNode union = new TestNode("union", "u");
        for (int i = 0; i < 7; i++) {
            TestNode node = new TestNode("n" + i, "r" + i);
            node.samples(i == 3 ? 0 : 1 + random.nextInt(400), random, union);
            fleet.receive(node, SessionState.LIVE);
        }
        MetricsSnapshot sum = fleet.next();
        MetricsSnapshot daemon = union.snapshot(SessionState.LIVE, 1, 1);
        for (SeriesName name : new SeriesName[] {SeriesName.SAMPLE_LATENCY_NS, SeriesName.TTFT_NS}) {
            equal(sum.series(name), daemon.series(name));
        }
        for (CounterMetric each : daemon.counters()) {
            assertThat(sum.counterValue(each.name())).as(each.name()).isEqualTo(each.value());
        }
    }

    @Test
    void successes_of_a_node_with_failures_and_of_one_without_are_those_of_one_daemon_with_all_values() {
        Random random = random();
        TestNode failing = new TestNode("failing", "r1");
        TestNode good = new TestNode("good", "r2");
        TestNode union = new TestNode("union", "u");
        failing.samples(300, random, union);
        good.samples(200, random, union);
        for (int i = 1; i <= 50; i++) {
            failing.failure(i);
            union.failure(i);
        }
        TestFleet fleet = new TestFleet();
        // In either order: the series of successes exists from the snapshot of the node with failures on.
        fleet.receive(good, SessionState.LIVE);
        fleet.next();
        fleet.receive(failing, SessionState.LIVE);
        MetricsSnapshot sum = fleet.next();
        MetricsSnapshot daemon = union.snapshot(SessionState.LIVE, 1, 1);
        for (SuccessSeries each : SuccessSeries.values()) {
            assertThat(daemon.series(each.succeeded()).count()).isEqualTo(500);
            equal(sum.series(each.succeeded()), daemon.series(each.succeeded()));
            equal(sum.series(each.failed()), daemon.series(each.failed()));
            equal(sum.series(each.all()), daemon.series(each.all()));
            equal(each.of(sum), daemon.series(each.succeeded()));
        }
    }

    @Test
    void a_merge_has_the_successes_of_runs_with_and_without_failures() {
        Random random = random();
        TestNode failing = new TestNode("failing", "r1");
        TestNode good = new TestNode("good", "r2");
        TestNode union = new TestNode("union", "u");
        failing.samples(300, random, union);
        good.samples(200, random, union);
        for (int i = 1; i <= 50; i++) {
            failing.failure(i);
            union.failure(i);
        }
        MetricsSnapshot daemon = union.snapshot(SessionState.COMPLETE, 1, 1);
        MetricsSnapshot withFailures = failing.snapshot(SessionState.COMPLETE, 1, 1);
        MetricsSnapshot without = good.snapshot(SessionState.COMPLETE, 1, 1);
        for (List<MetricsSnapshot> runs : List.of(List.of(withFailures, without), List.of(without, withFailures))) {
            MetricsSnapshot merged = SnapshotMerge.merge(runs);
            for (SuccessSeries each : SuccessSeries.values()) {
                SeriesMetric all = daemon.series(each.succeeded());
                SeriesMetric sum = each.of(merged);
                assertThat(sum.count()).isEqualTo(500);
                assertThat(sum.total()).isEqualTo(all.total());
                assertThat(sum.min()).isEqualTo(all.min());
                assertThat(sum.max()).isEqualTo(all.max());
                assertThat(sum.percentile("99.0")).isCloseTo(all.percentile("99.0"), withinPercentage(0.2));
            }
        }
    }

    @Test
    void two_levels_equal_one_but_for_the_last_digit_of_the_standard_deviation() {
        Random random = random();
        TestFleet flat = new TestFleet();
        TestFleet left = new TestFleet("left", new Expectation(0, List.of()), 1024);
        TestFleet right = new TestFleet("right", new Expectation(0, List.of()), 1024);
        TestFleet top = new TestFleet("top", new Expectation(0, List.of()), 1024);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 6; i++) {
                TestNode node = new TestNode("n" + i, "r" + i + "-" + round);
                node.samples(1 + random.nextInt(100), random);
                node.error();
                node.inFlight = i;
                MetricsSnapshot snapshot = flat.receive(node, SessionState.LIVE);
                (i < 3 ? left : right).receive(snapshot);
            }
            top.receive(left.next());
            top.receive(right.next());
            for (TestFleet each : new TestFleet[] {flat, left, right, top}) {
                each.pass(0.25);
            }
        }
        MetricsSnapshot one = flat.next();
        MetricsSnapshot two = top.next();
        for (Metric each : one.metrics()) {
            if (each instanceof SeriesMetric series) {
                equal(two.series(series.name()), series);
            } else if (each instanceof CounterMetric counter) {
                assertThat(two.counterValue(counter.name())).as(counter.name()).isEqualTo(counter.value());
            }
        }
        SnapshotExtensions single = one.extensions();
        SnapshotExtensions nested = two.extensions();
        assertThat(nested.optional().nodes().rows())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("ageSeconds", "offsetSeconds")
                .containsExactlyInAnyOrderElementsOf(single.optional().nodes().rows());
        assertThat(nested.workers()).containsExactlyInAnyOrderElementsOf(single.workers());
        assertThat(nested.errors()).isEqualTo(single.errors());
        assertThat(nested.inFlight()).isEqualTo(single.inFlight());
        assertThat(nested.rates()).isEqualTo(single.rates());
        assertThat(nested.slowest()).hasSameSizeAs(single.slowest());
    }

    @Test
    void durations_are_the_longest_and_not_the_sum() {
        TestFleet fleet = new TestFleet();
        for (int i = 1; i <= 3; i++) {
            TestNode node = new TestNode("n" + i, "r" + i);
            node.tracked(i * 1000);
            fleet.receive(node, SessionState.LIVE);
        }
        assertThat(fleet.next().counter(CounterName.TRACKED_DURATION_NS)).isEqualTo(3000);
    }

    @Test
    void samples_of_a_node_without_any_label_do_not_have_the_key() {
        TestFleet fleet = new TestFleet("f", new Expectation(0, List.of()), 64);
        TestNode labelled = new TestNode("a", "r1");
        TestNode plain = new TestNode("b", "r2");
        labelled.sample(1000);
        labelled.labels = new LabelBreakdown(List.of(
                new LabelBreakdown.Key("model", List.of(new LabelBreakdown.Value("x", 1, 1, 0, 0, 5, 7, null, null)))));
        for (int i = 0; i < 3; i++) {
            plain.sample(2000);
        }
        plain.failure(3000);
        fleet.receive(labelled, SessionState.LIVE);
        fleet.receive(plain, SessionState.LIVE);

        LabelBreakdown labels = fleet.next().extensions().optional().labels();
        assertThat(labels).isNotNull();
        assertThat(labels.keys()).hasSize(1);
        assertThat(labels.keys().get(0).values())
                .extracting(
                        LabelBreakdown.Value::value,
                        LabelBreakdown.Value::issued,
                        LabelBreakdown.Value::completed,
                        LabelBreakdown.Value::failed)
                .containsExactly(tuple("x", 1L, 1L, 0L), tuple("(none)", 4L, 4L, 1L));
    }

    @Test
    void names_of_nodes_stand_in_front_of_workers_and_messages() {
        TestFleet fleet = new TestFleet();
        for (int i = 1; i <= 2; i++) {
            TestNode node = new TestNode("gpu-" + i, "r" + i);
            node.workers = 2;
            node.error();
            fleet.receive(node, SessionState.LIVE);
        }
        SnapshotExtensions sum = fleet.next().extensions();
        assertThat(sum.workers().stream().map(SnapshotExtensions.WorkerRow::worker))
                .containsExactly("gpu-1/unnamed", "gpu-1/1", "gpu-2/unnamed", "gpu-2/1");
        assertThat(sum.errors()).hasSize(1);
        assertThat(sum.errors().get(0).message()).isEqualTo("gpu-1: after 3 s");
        assertThat(sum.errors().get(0).count()).isEqualTo(2);
    }

    @Test
    void times_of_a_host_with_another_monotonic_clock_are_on_that_of_the_fleet() {
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("far", "r");
        // Its host booted 7000 s earlier.
        long ahead = 7000 * TestFleet.SECOND;
        fleet.receive(node.snapshot(SessionState.LIVE, fleet.nanos + ahead, fleet.wall()));
        assertThat(fleet.next().extensions().slowest().get(0).issuedNanos()).isEqualTo(fleet.nanos);
    }

    @Test
    void settings_that_differ_and_clocks_that_are_apart_are_named_in_notes() {
        TestFleet fleet = new TestFleet();
        TestNode a = new TestNode("a", "ra");
        TestNode b = new TestNode("b", "rb");
        b.settings = Map.of("streaming", "false", "slo", "ttft=1s");
        fleet.receive(a, SessionState.LIVE);
        fleet.receive(b.snapshot(SessionState.LIVE, fleet.nanos, fleet.wall() + 3 * TestFleet.SECOND));
        RunInfo run = fleet.next().extensions().run();
        assertThat(run.recomputed())
                .containsExactlyInAnyOrder(
                        "nodes differ in the setting streaming: true / false",
                        "only 1 of 2 nodes have the setting slo",
                        "clocks of nodes are more than a slice apart from the fleet's: b 3.0 s ahead; durations do not depend"
                                + " on them");
        assertThat(run.runId()).isEqualTo("fleet-1");
        assertThat(run.settings()).containsEntry("streaming", "true / false");
        assertThat(fleet.row("b").offsetSeconds()).isEqualTo(3.0);
    }

    @Test
    void nodes_that_hardly_measured_at_the_same_time_are_noted() {
        TestFleet fleet = new TestFleet();
        TestNode early = new TestNode("early", "r1");
        TestNode late = new TestNode("late", "r2");
        MetricsSnapshot first = new MetricsSnapshot(
                1,
                fleet.nanos,
                SessionState.LIVE,
                0,
                early.metrics(),
                withSlices(early.snapshot(SessionState.LIVE, fleet.nanos, fleet.wall()), fleet.nanos));
        fleet.receive(first);
        fleet.pass(40);
        fleet.receive(new MetricsSnapshot(
                1,
                fleet.nanos,
                SessionState.LIVE,
                0,
                late.metrics(),
                withSlices(
                        late.snapshot(SessionState.LIVE, fleet.nanos, fleet.wall()), fleet.nanos - TestFleet.SECOND)));
        assertThat(fleet.next().extensions().run().recomputed())
                .anyMatch(note -> note.startsWith("all nodes measured at the same time for 1 s of 40 s"));
    }

    private static SnapshotExtensions withSlices(MetricsSnapshot of, long startNanos) {
        SnapshotExtensions from = of.extensions();
        return SnapshotExtensions.of(
                        from.run(),
                        from.inFlight(),
                        new Slices(
                                startNanos, TestFleet.SECOND, 0, List.of(new Slices.Column("records", new long[] {1}))))
                .rates(from.rates())
                .workers(from.workers())
                .errors(from.errors())
                .malformed(from.malformed())
                .slowest(from.slowest())
                .goodput(from.goodput())
                .telemetry(from.telemetry())
                .self(from.self())
                .session(from.session())
                .build();
    }

    @Test
    void slices_are_cut_by_the_fleet_and_have_percentiles_of_all_nodes() {
        Random random = random();
        TestFleet fleet = new TestFleet();
        TestNode a = new TestNode("a", "ra");
        TestNode b = new TestNode("b", "rb");
        TestNode second = new TestNode("union", "u");
        a.samples(200, random);
        fleet.receive(a, SessionState.LIVE);
        fleet.receive(b, SessionState.LIVE);
        fleet.next();
        fleet.pass(1);
        a.samples(300, random, second);
        b.samples(100, random, second);
        b.inFlight = 4;
        fleet.receive(a, SessionState.LIVE);
        fleet.receive(b, SessionState.LIVE);
        Slices slices = fleet.next().extensions().slices();
        SeriesMetric union = second.snapshot(SessionState.LIVE, 1, 1).series(SeriesName.SAMPLE_LATENCY_NS);
        assertThat(slices.column("records")).containsExactly(400, 800);
        assertThat(slices.column("in_flight")).containsExactly(0, 4);
        assertThat(slices.column("latency_p99_ns")[1]).isEqualTo(Math.round(union.percentile("99.0")));
        assertThat(slices.column("latency_p50_ns")[1]).isEqualTo(Math.round(union.percentile("50.0")));
    }

    @Test
    void what_a_node_measured_before_it_was_seen_is_in_no_slice() {
        Random random = random();
        TestFleet fleet = new TestFleet();
        TestNode old = new TestNode("old", "r");
        old.samples(200, random);
        old.lasted(60 * TestFleet.SECOND);
        fleet.receive(old, SessionState.LIVE);
        Slices before = fleet.next().extensions().slices();
        assertThat(before.column("records")).containsExactly(0);
        assertThat(before.column("latency_p99_ns")).containsExactly(Slices.NOT_MEASURED);
        assertThat(before.outside()).isEqualTo(400);
        old.sample(1000);
        fleet.pass(0.25);
        fleet.receive(old, SessionState.LIVE);
        Slices after = fleet.next().extensions().slices();
        assertThat(after.column("records")).containsExactly(2);
        assertThat(after.column("latency_max_ns")).containsExactly(1000);
    }

    @Test
    void slices_double_their_width_and_keep_their_sums() {
        Random random = random();
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("a", "r");
        long records = 0;
        for (int i = 0; i < 600; i++) {
            node.samples(1 + i % 3, random);
            node.inFlight = i == 5 ? 77 : 1;
            records += 2 * (1 + i % 3);
            fleet.receive(node, SessionState.LIVE);
            fleet.next();
            fleet.pass(1);
        }
        Slices slices = fleet.next().extensions().slices();
        assertThat(slices.widthNanos()).isEqualTo(2 * TestFleet.SECOND);
        assertThat(slices.length()).isLessThanOrEqualTo(FleetSlices.SLICES_MAX);
        assertThat(Arrays.stream(slices.column("records")).sum()).isEqualTo(records);
        assertThat(slices.column("in_flight_max")[2]).isEqualTo(77);
        assertThat(slices.column("in_flight")[2]).isEqualTo(77);
    }

    @Test
    void a_thousand_nodes_stay_within_the_bounds_of_a_snapshot() {
        Random random = random();
        TestFleet fleet = new TestFleet("fleet", new Expectation(0, List.of()), 2000);
        for (int i = 0; i < 1100; i++) {
            TestNode node = new TestNode("n" + i, "r" + i);
            node.workers = 64;
            node.samples(20, random);
            fleet.receive(node, SessionState.LIVE);
        }
        MetricsSnapshot sum = fleet.next();
        SnapshotExtensions extensions = sum.extensions();
        assertThat(sum.counter(CounterName.TRACKED_SAMPLES_COMPLETED)).isEqualTo(22_000);
        assertThat(extensions.workers()).hasSize(1025);
        assertThat(extensions.optional().nodes().rows()).hasSize(1025);
        assertThat(extensions.optional().nodes().rows().get(1024).node()).isEqualTo("other");
        assertThat(extensions.optional().nodes().rows().stream()
                        .mapToLong(row -> row.completed())
                        .sum())
                .isEqualTo(22_000);
        assertThat(extensions.slowest()).hasSize(10);
        assertThat(new MsgpackSnapshotCodec().encode(sum).length).isLessThan(1 << 20);
    }
}
