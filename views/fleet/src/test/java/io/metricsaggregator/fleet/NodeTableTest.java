package io.metricsaggregator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.fleet.FleetWait;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The states of nodes, and which of their snapshots count. */
class NodeTableTest {
    private final Random random = new Random(7);

    private static long completed(MetricsSnapshot sum) {
        return sum.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
    }

    @Test
    void a_node_is_live_then_stale_then_lost_and_its_counts_stay() {
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("a", "r");
        node.inFlight = 3;
        node.samples(5, random);
        fleet.receive(node, SessionState.LIVE);
        MetricsSnapshot live = fleet.next();
        assertThat(fleet.row("a").state()).isEqualTo(NodeState.LIVE);
        assertThat(live.extensions().rates().get(0).issuedPerSecond()).isEqualTo(10);

        fleet.pass(2.9);
        assertThat(fleet.row("a").state()).isEqualTo(NodeState.LIVE);
        fleet.pass(0.2);
        MetricsSnapshot stale = fleet.next();
        assertThat(fleet.row("a").state()).isEqualTo(NodeState.STALE);
        assertThat(stale.extensions().rates()).isEmpty();
        assertThat(stale.extensions().inFlight().count()).isEqualTo(3);

        fleet.pass(27);
        MetricsSnapshot lost = fleet.next();
        assertThat(fleet.row("a").state()).isEqualTo(NodeState.LOST);
        assertThat(fleet.row("a").ageSeconds()).isGreaterThan(30);
        assertThat(lost.extensions().inFlight().count()).isZero();
        assertThat(completed(lost)).isEqualTo(5);
        assertThat(lost.state()).isEqualTo(SessionState.LIVE);
    }

    @Test
    void a_lost_node_that_comes_back_with_its_run_goes_on_in_its_row() {
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("a", "r");
        node.samples(5, random);
        fleet.receive(node, SessionState.LIVE);
        fleet.pass(60);
        assertThat(fleet.row("a").state()).isEqualTo(NodeState.LOST);
        node.samples(4, random);
        fleet.receive(node, SessionState.LIVE);
        assertThat(fleet.rows()).hasSize(1);
        assertThat(fleet.row("a").state()).isEqualTo(NodeState.LIVE);
        assertThat(completed(fleet.next())).isEqualTo(9);
    }

    @Test
    void a_host_that_was_restarted_has_an_earlier_monotonic_clock_and_goes_on() {
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("a", "r");
        node.samples(5, random);
        fleet.receive(node, SessionState.LIVE);
        fleet.pass(60);
        node.samples(4, random);
        fleet.receive(node.snapshot(SessionState.LIVE, 5, fleet.wall()));
        assertThat(completed(fleet.next())).isEqualTo(9);
        assertThat(fleet.table.rows(fleet.nanos).repeated()).isZero();
    }

    @Test
    void a_node_that_starts_a_new_run_has_a_second_row_and_both_count() {
        TestFleet fleet = new TestFleet();
        TestNode first = new TestNode("a", "r1");
        first.samples(5, random);
        fleet.receive(first, SessionState.LIVE);
        fleet.pass(60);
        TestNode second = new TestNode("a", "r2");
        second.samples(2, random);
        fleet.receive(second, SessionState.LIVE);
        assertThat(fleet.rows().stream().map(NodeRow::state)).containsExactly(NodeState.LOST, NodeState.LIVE);
        assertThat(completed(fleet.next())).isEqualTo(7);
    }

    @Test
    void a_run_that_arrives_on_two_ways_counts_once() {
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("a", "r");
        node.samples(5, random);
        MetricsSnapshot one = fleet.receive(node, SessionState.LIVE);
        fleet.receive(one);
        fleet.pass(0.25);
        node.samples(1, random);
        fleet.receive(node, SessionState.LIVE);
        fleet.receive(one);
        assertThat(completed(fleet.next())).isEqualTo(6);
        assertThat(fleet.table.rows(fleet.nanos).repeated()).isEqualTo(2);
        assertThat(fleet.rows()).hasSize(1);
    }

    @Test
    void gaps_in_the_numbers_of_snapshots_are_counted() {
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("a", "r");
        fleet.receive(node, SessionState.LIVE);
        node.snapshot(SessionState.LIVE, 1, 1);
        node.snapshot(SessionState.LIVE, 2, 2);
        fleet.pass(1);
        fleet.receive(node, SessionState.LIVE);
        assertThat(fleet.row("a").missed()).isEqualTo(2);
        assertThat(fleet.row("a").counter()).isEqualTo(4);
    }

    @Test
    void a_node_of_another_precision_is_left_out_alone_and_its_row_says_why() {
        TestFleet fleet = new TestFleet();
        TestNode good = new TestNode("good", "r1");
        TestNode coarse = new TestNode("coarse", "r2", 2);
        good.samples(5, random);
        coarse.samples(5, random);
        fleet.receive(good, SessionState.LIVE);
        fleet.receive(coarse, SessionState.LIVE);
        assertThat(fleet.row("coarse").refused())
                .isEqualTo("histogram of sample_latency_ns has 2 significant figures, that of the sum 3");
        assertThat(fleet.row("good").refused()).isNull();
        assertThat(completed(fleet.next())).isEqualTo(5);
        assertThat(fleet.table.finalState(fleet.nanos)).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void a_node_whose_histogram_has_other_values_than_its_series_is_left_out() {
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("liar", "r");
        node.samples(5, random);
        MetricsSnapshot told = node.snapshot(SessionState.LIVE, fleet.nanos, fleet.wall());
        List<Metric> before = told.metrics();
        node.samples(1, random);
        List<Metric> mixed = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            mixed.add(
                    before.get(i) instanceof SeriesMetric series
                            ? mixed(series, (SeriesMetric) node.metrics().get(i))
                            : before.get(i));
        }
        fleet.receive(new MetricsSnapshot(1, fleet.nanos, SessionState.LIVE, 0, mixed, told.extensions()));
        assertThat(fleet.row("liar").refused()).matches("series .* has 5 values and its histogram 6");
        assertThat(completed(fleet.next())).isZero();
    }

    private static SeriesMetric mixed(SeriesMetric series, SeriesMetric later) {
        return new SeriesMetric(
                series.name(),
                series.count(),
                series.total(),
                series.min(),
                series.max(),
                series.sumSq(),
                series.percentiles(),
                series.histogram(),
                null,
                later.detail());
    }

    @Test
    void a_publisher_without_run_id_is_left_out_and_said() {
        TestFleet fleet = new TestFleet();
        fleet.receive(new MetricsSnapshot(1, 2, SessionState.LIVE, 0, List.of(), SnapshotExtensions.NONE));
        assertThat(fleet.row("unidentified").refused()).contains("no run id");
        assertThat(fleet.next().metrics()).isEmpty();
    }

    @Test
    void more_nodes_than_allowed_are_discarded_and_counted() {
        TestFleet fleet = new TestFleet("f", new Expectation(0, List.of()), 2);
        for (int i = 0; i < 5; i++) {
            TestNode node = new TestNode("n" + i, "r" + i);
            node.samples(1, random);
            fleet.receive(node, SessionState.LIVE);
        }
        assertThat(completed(fleet.next())).isEqualTo(2);
        assertThat(fleet.table.rows(fleet.nanos).discarded()).isEqualTo(3);
    }

    @Test
    void a_fleet_does_not_add_itself() {
        TestFleet fleet = new TestFleet();
        fleet.receive(fleet.next());
        assertThat(fleet.rows()).isEmpty();
        assertThat(fleet.table.rows(fleet.nanos).discarded()).isEqualTo(1);
    }

    @Test
    void a_run_that_a_fleet_below_counts_is_not_counted_beside_it() {
        TestFleet below = new TestFleet("below", new Expectation(0, List.of()), 10);
        TestFleet top = new TestFleet("top", new Expectation(0, List.of()), 10);
        TestNode node = new TestNode("a", "r");
        node.samples(5, random);
        MetricsSnapshot direct = below.receive(node, SessionState.LIVE);
        top.receive(direct);
        assertThat(completed(top.next())).isEqualTo(5);
        top.receive(below.next());
        assertThat(completed(top.next())).isEqualTo(5);
        top.pass(1);
        top.receive(node, SessionState.LIVE);
        assertThat(completed(top.next())).isEqualTo(5);
        assertThat(top.rows()).hasSize(1);
        assertThat(top.table.rows(top.nanos).repeated()).isEqualTo(1);
    }

    @Test
    void a_second_fleet_that_counts_the_same_run_is_left_out_while_the_first_is_live() {
        TestFleet one = new TestFleet("one", new Expectation(0, List.of()), 10);
        TestFleet two = new TestFleet("two", new Expectation(0, List.of()), 10);
        TestFleet top = new TestFleet("top", new Expectation(0, List.of()), 10);
        TestNode node = new TestNode("a", "r");
        node.samples(5, random);
        two.receive(one.receive(node, SessionState.LIVE));
        top.receive(one.next());
        top.receive(two.next());
        assertThat(completed(top.next())).isEqualTo(5);
        assertThat(top.rows().get(1).refused()).contains("its run r is counted already with");
        top.pass(10);
        two.pass(10);
        top.receive(two.next());
        assertThat(completed(top.next())).isEqualTo(5);
        assertThat(top.rows()).hasSize(1);
    }

    @Test
    void nodes_of_a_fleet_that_stays_silent_are_stale_and_lost_with_it() {
        TestFleet below = new TestFleet("below", new Expectation(0, List.of("late")), 10);
        TestFleet top = new TestFleet("top", new Expectation(0, List.of()), 10);
        below.receive(new TestNode("a", "r1"), SessionState.LIVE);
        below.receive(new TestNode("b", "r2"), SessionState.COMPLETE);
        top.receive(below.next());
        top.pass(5);
        assertThat(top.row("a").state()).isEqualTo(NodeState.STALE);
        top.pass(30);
        assertThat(top.row("a").state()).isEqualTo(NodeState.LOST);
        assertThat(top.row("b").state()).isEqualTo(NodeState.ENDED);
        assertThat(top.row("late").state()).isEqualTo(NodeState.WAITING);
    }

    @Test
    void expected_nodes_are_waited_for_by_name_and_number() {
        TestFleet fleet = new TestFleet("f", new Expectation(2, List.of("b")), 10);
        assertThat(fleet.row("b").state()).isEqualTo(NodeState.WAITING);
        assertThat(fleet.next().state()).isEqualTo(SessionState.INITIALIZE);
        TestNode a = new TestNode("a", "r1");
        fleet.receive(a, SessionState.LIVE);
        assertThat(fleet.next().state()).isEqualTo(SessionState.LIVE);
        fleet.pass(1);
        fleet.receive(a, SessionState.COMPLETE);
        assertThat(fleet.table.isOver(fleet.nanos)).isFalse();
        assertThat(fleet.next().state()).isEqualTo(SessionState.LIVE);
        TestNode b = new TestNode("b", "r2");
        fleet.receive(b, SessionState.DRAINING);
        assertThat(fleet.next().state()).isEqualTo(SessionState.DRAINING);
        fleet.pass(1);
        fleet.receive(b, SessionState.COMPLETE);
        assertThat(fleet.table.isOver(fleet.nanos)).isTrue();
        assertThat(fleet.next().state()).isEqualTo(SessionState.COMPLETE);
        assertThat(fleet.table.rows(fleet.nanos).expected()).isEqualTo(2);
    }

    @Test
    void a_lost_or_interrupted_node_makes_the_whole_interrupted() {
        TestFleet fleet = new TestFleet();
        fleet.receive(new TestNode("a", "r1"), SessionState.COMPLETE);
        TestNode b = new TestNode("b", "r2");
        fleet.receive(b, SessionState.LIVE);
        assertThat(fleet.table.isOver(fleet.nanos)).isFalse();
        fleet.pass(31);
        assertThat(fleet.table.isOver(fleet.nanos)).isTrue();
        assertThat(fleet.next().state()).isEqualTo(SessionState.INTERRUPTED);
        fleet.receive(b, SessionState.INTERRUPTED);
        assertThat(fleet.table.finalState(fleet.nanos)).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void a_fleet_whose_live_nodes_ended_says_for_whom_it_waits_and_since_when() {
        TestFleet fleet = new TestFleet("f", new Expectation(4, List.of("a", "late")), 10);
        fleet.receive(new TestNode("a", "r1"), SessionState.LIVE);
        assertThat(FleetWait.of(fleet.next())).isNull();
        fleet.receive(new TestNode("b", "r2"), SessionState.COMPLETE);
        fleet.pass(1);
        fleet.receive(new TestNode("a", "r1"), SessionState.COMPLETE);
        fleet.pass(3);
        assertThat(FleetWait.of(fleet.next())).isEqualTo(new FleetWait("late and 1 more node", 3, null));
    }

    @Test
    void a_node_that_was_lost_and_started_a_new_run_counts_once_among_those_expected() {
        TestFleet fleet = new TestFleet("f", new Expectation(2, List.of()), 10);
        fleet.receive(new TestNode("a", "r1"), SessionState.LIVE);
        fleet.pass(40);
        fleet.receive(new TestNode("a", "r2"), SessionState.COMPLETE);
        assertThat(fleet.table.isOver(fleet.nanos)).isFalse();
        fleet.receive(new TestNode("b", "r3"), SessionState.COMPLETE);
        assertThat(fleet.table.isOver(fleet.nanos)).isTrue();
        assertThat(fleet.table.finalState(fleet.nanos)).isEqualTo(SessionState.INTERRUPTED);
    }

    @Test
    void sums_never_go_down_whatever_the_nodes_do() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("NodeTableTest seed: -Dtest.seed=" + seed);
        Random soup = new Random(seed);
        TestFleet fleet = new TestFleet();
        TestNode[] nodes = new TestNode[8];
        int runs = 0;
        long before = 0;
        for (int round = 0; round < 500; round++) {
            int i = soup.nextInt(nodes.length);
            if (nodes[i] == null || soup.nextInt(40) == 0) {
                nodes[i] = new TestNode("n" + i, "r" + runs++, soup.nextInt(9) == 0 ? 2 : 3);
            }
            nodes[i].samples(soup.nextInt(5), soup);
            MetricsSnapshot sent = fleet.receive(nodes[i], SessionState.LIVE);
            if (soup.nextInt(4) == 0) {
                fleet.receive(sent);
            }
            fleet.pass(soup.nextInt(20) == 0 ? 40 : soup.nextDouble());
            MetricsSnapshot sum = fleet.next();
            assertThat(completed(sum)).isGreaterThanOrEqualTo(before);
            assertThat(
                            sum.series("sample_latency_ns") == null
                                    ? 0
                                    : sum.series("sample_latency_ns").count())
                    .isEqualTo(completed(sum));
            before = completed(sum);
        }
    }
}
