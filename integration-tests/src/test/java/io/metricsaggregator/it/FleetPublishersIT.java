package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fleets over the snapshots of simulated nodes, each with a socket of its own: what goes wrong with nodes, trees of fleets, and golden streams. */
class FleetPublishersIT {
    @TempDir
    Path directory;

    private static long completed(MetricsSnapshot snapshot) {
        return snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
    }

    private static boolean has(MetricsSnapshot snapshot, String node, NodeState state) {
        return FleetRun.rows(snapshot, node).stream().anyMatch(each -> each.state() == state);
    }

    @Test
    void of_twenty_publishers_each_is_what_it_does_and_only_those_that_fit_are_in_the_sums()
            throws IOException, DataFormatException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<SimulatedNode> nodes = new ArrayList<>();
        try (FleetRun fleet = FleetRun.impatient(directory, "fleet", "never-seen")) {
            for (int i = 0; i < 20; i++) {
                nodes.add(
                        new SimulatedNode("node-" + i, i == 16 ? 2 : 3).start().connect(fleet.input()));
            }
            for (SimulatedNode each : nodes) {
                each.complete(10 + random.nextInt(40), random);
            }
            nodes.get(0).publish(SessionState.LIVE);
            // The first node decides the precision.
            fleet.await(each -> completed(each) > 0);
            long counted = 0;
            for (int i = 1; i < 20; i++) {
                SimulatedNode node = nodes.get(i);
                if (i == 17) {
                    node.publish(withoutHistograms(node.snapshot(SessionState.LIVE)));
                } else if (i == 18) {
                    node.publish(Topic.frame(Topic.METRICS, "no snapshot".getBytes(StandardCharsets.US_ASCII)));
                } else {
                    node.publish(SessionState.LIVE);
                }
            }
            for (int i = 0; i < 20; i++) {
                counted += i == 16 || i == 17 || i == 18
                        ? 0
                        : completed(nodes.get(i).snapshot(SessionState.LIVE));
            }
            long all = counted;
            MetricsSnapshot first = fleet.await(each -> completed(each) == all
                    && FleetRun.nodes(each).discarded() > 0
                    && FleetRun.rows(each, "node-17").size() == 1
                    && FleetRun.rows(each, "node-16").size() == 1);
            assertThat(FleetRun.row(first, "node-16").refused()).contains("2 significant figures");
            assertThat(FleetRun.row(first, "node-17").refused()).contains("no histogram");
            assertThat(FleetRun.rows(first, "node-18")).isEmpty();
            assertThat(FleetRun.row(first, "never-seen").state()).isEqualTo(NodeState.WAITING);

            stopsAndStarts(fleet, nodes, random, all);
            assertThat(fleet.watch().falls()).isEmpty();
        } finally {
            SimulatedNode.close(nodes);
        }
    }

    /** Node 13 comes back with its run, node 14 with another one; node 15 is heard twice; node 12 is never heard again. */
    private void stopsAndStarts(FleetRun fleet, List<SimulatedNode> nodes, Random random, long before)
            throws IOException {
        for (int i : new int[] {12, 13, 14}) {
            nodes.get(i).disconnect();
        }
        MetricsSnapshot lost = fleet.await(each -> {
            publishAll(nodes);
            return has(each, "node-12", NodeState.LOST)
                    && has(each, "node-13", NodeState.LOST)
                    && has(each, "node-14", NodeState.LOST);
        });
        assertThat(completed(lost)).isEqualTo(before);
        assertThat(FleetRun.row(lost, "node-0").state()).isEqualTo(NodeState.LIVE);

        nodes.get(13).connect(fleet.input());
        nodes.get(13).complete(7, random).publish(SessionState.LIVE);
        SimulatedNode again = new SimulatedNode("node-14").start().connect(fleet.input());
        nodes.add(again);
        again.complete(5, random).publish(SessionState.LIVE);
        SimulatedNode second = new SimulatedNode("relay").connect(fleet.input());
        nodes.add(second);
        MetricsSnapshot heardTwice = nodes.get(15).publish(SessionState.LIVE);
        second.publish(heardTwice);
        MetricsSnapshot back = fleet.await(
                each -> completed(each) == before + 12 && FleetRun.nodes(each).repeated() > 0);
        assertThat(FleetRun.row(back, "node-13").state()).isEqualTo(NodeState.LIVE);
        assertThat(FleetRun.rows(back, "node-14"))
                .extracting(each -> each.state() + " " + each.completed())
                .containsExactlyInAnyOrder("LOST " + completed(nodes.get(14).snapshot(SessionState.LIVE)), "LIVE 5");
        assertThat(FleetRun.rows(back, "node-15")).hasSize(1);
        assertThat(FleetRun.rows(back, "relay")).isEmpty();
    }

    /** Publishes a snapshot of each node that is heard and fits. */
    private static void publishAll(List<SimulatedNode> nodes) {
        try {
            for (int i = 0; i < 20; i++) {
                if (i < 12 || i == 15 || i == 16 || i == 19) {
                    nodes.get(i).publish(SessionState.LIVE);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The same snapshot as an aggregator without histograms sends it. */
    private static MetricsSnapshot withoutHistograms(MetricsSnapshot snapshot) {
        return new MetricsSnapshot(
                snapshot.counter(),
                snapshot.timestampNanos(),
                snapshot.state(),
                snapshot.pendingTasks(),
                snapshot.metrics().stream()
                        .map(each -> each instanceof SeriesMetric series
                                ? new SeriesMetric(
                                        series.name(),
                                        series.count(),
                                        series.total(),
                                        series.min(),
                                        series.max(),
                                        series.sumSq(),
                                        series.percentiles(),
                                        series.histogram(),
                                        null,
                                        null)
                                : each)
                        .toList(),
                snapshot.extensions());
    }

    @Test
    void a_fleet_of_two_fleets_has_the_figures_of_one_fleet_over_all_nodes() throws IOException, DataFormatException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<SimulatedNode> nodes = new ArrayList<>();
        try (FleetRun top = FleetRun.expecting(directory, "top", 10);
                FleetRun left = FleetRun.expecting(directory, "left", 5, top.input());
                FleetRun right = FleetRun.expecting(directory, "right", 5, top.input());
                FleetRun flat = FleetRun.expecting(directory, "flat", 10)) {
            for (int i = 0; i < 10; i++) {
                SimulatedNode node = new SimulatedNode("node-" + i).start();
                nodes.add(node.connect((i < 5 ? left : right).input(), flat.input()));
                node.complete(20 + random.nextInt(200), random).publish(SessionState.LIVE);
            }
            long all = nodes.stream()
                    .mapToLong(each -> completed(each.snapshot(SessionState.LIVE)))
                    .sum();
            MetricsSnapshot one = flat.await(each -> completed(each) == all);
            MetricsSnapshot two = top.await(each -> completed(each) == all);
            SameFigures.assertSame(two, one);
            assertThat(two.extensions().inFlight()).isEqualTo(one.extensions().inFlight());
            assertThat(FleetRun.nodes(two).rows())
                    .extracting(each -> each.node() + " " + each.runId() + " " + each.completed())
                    .containsExactlyInAnyOrderElementsOf(FleetRun.nodes(one).rows().stream()
                            .map(each -> each.node() + " " + each.runId() + " " + each.completed())
                            .toList());
            for (SimulatedNode each : nodes) {
                each.publish(SessionState.COMPLETE);
            }
            MetricsSnapshot flatEnd = flat.awaitEnd();
            left.awaitEnd();
            right.awaitEnd();
            MetricsSnapshot topEnd = top.awaitEnd();
            assertThat(topEnd.state()).isEqualTo(SessionState.COMPLETE);
            assertThat(FleetRun.nodes(topEnd).count(NodeState.ENDED)).isEqualTo(10);
            SameFigures.assertSame(topEnd, flatEnd);
        } finally {
            SimulatedNode.close(nodes);
        }
    }

    @ParameterizedTest(name = "{0} over {1} nodes")
    @CsvSource({
        "02_streaming_chunks, 3",
        "02_streaming_chunks, 10",
        "03_windows_in_flight, 3",
        "04_duplicates_out_of_order, 10",
        "06b_early_stopping_7000, 3",
        "06b_early_stopping_7000, 10",
        "10a_hdr_bounds, 10"
    })
    void a_golden_stream_over_several_nodes_has_the_figures_of_one(String name, int count)
            throws IOException, DataFormatException {
        GoldenCase golden = new GoldenCase(name);
        SimulatedNode whole = new SimulatedNode("whole");
        GoldenSplit.deal(golden, List.of(whole));
        List<SimulatedNode> nodes = new ArrayList<>();
        try (FleetRun fleet = FleetRun.expecting(directory, "fleet", count)) {
            for (int i = 0; i < count; i++) {
                nodes.add(new SimulatedNode("node-" + i).connect(fleet.input()));
            }
            GoldenSplit.deal(golden, nodes);
            for (SimulatedNode each : nodes) {
                each.publish(SessionState.COMPLETE);
            }
            MetricsSnapshot expected = whole.snapshot(SessionState.COMPLETE);
            assertThat(expected.counter(CounterName.TOTAL_SAMPLES_ISSUED)).isPositive();
            SameFigures.assertSame(fleet.awaitEnd(), expected);
        } finally {
            SimulatedNode.close(nodes);
        }
    }
}
