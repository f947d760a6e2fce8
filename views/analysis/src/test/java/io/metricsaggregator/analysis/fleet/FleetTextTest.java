package io.metricsaggregator.analysis.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleFleet;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetTextTest {
    private static final NodeRow LIVE = ExampleFleet.node("live", NodeState.LIVE, 0.1);
    private static final NodeRow ENDED = ExampleFleet.node("ended", NodeState.ENDED, 50);

    @Test
    void the_worst_nodes_come_first_and_equals_keep_their_order() {
        NodeRow other =
                new NodeRow(NodeRow.OTHER, "", NodeState.LOST, null, 90.0, 0, 0, 0, 0, 0, 0, null, "", null, null);
        NodeRow stale = ExampleFleet.node("stale", NodeState.STALE, 4);
        NodeRow staler = ExampleFleet.node("staler", NodeState.STALE, 9);
        NodeRow second = ExampleFleet.node("a", NodeState.LIVE, 3);
        NodeRow lost = ExampleFleet.node("lost", NodeState.LOST, 31);
        NodeRow refused = ExampleFleet.refused("refused", "why");
        Nodes nodes = new Nodes(
                List.of(other, ENDED, LIVE, second, stale, staler, NodeRow.waiting("w"), refused, lost), null, 0, 0);
        assertThat(FleetText.worstFirst(nodes))
                .extracting(NodeRow::node)
                .containsExactly("lost", "refused", "staler", "stale", "w", "live", "a", "ended", "other");
        assertThat(FleetText.counts(nodes))
                .isEqualTo("9 nodes: 2 lost, 1 refused, 2 stale, 1 waiting, 2 live, 1 ended");
    }

    @Test
    void two_runs_of_one_node_are_told_apart_and_remarks_name_what_is_odd() {
        NodeRow restarted =
                new NodeRow("live", "second", NodeState.LIVE, null, 0.1, 1, 0, 0, 0, 0, 0, null, "1.1", null, null);
        Nodes nodes = new Nodes(List.of(LIVE, restarted, ExampleFleet.refused("r", "no histograms")), 5L, 3, 1000);
        assertThat(FleetText.name(LIVE, nodes)).isEqualTo("live (run run-of-live)");
        assertThat(FleetText.name(nodes.rows().get(2), nodes)).isEqualTo("r");
        assertThat(FleetText.counts(nodes)).isEqualTo("3 nodes (5 expected): 1 refused, 2 live");
        assertThat(FleetText.remarks(nodes))
                .containsExactly(
                        "r is not in the sums: no histograms",
                        "the daemons are of different versions: 1.0 (2), 1.1 (1)",
                        "3 snapshots arrived through a second endpoint and counted once",
                        "1,000 frames were discarded: no snapshots, or from nodes beyond --max-nodes");
    }

    @Test
    void every_condition_has_its_own_sign_in_ascii() {
        for (NodeCondition each : NodeCondition.values()) {
            assertThat(NodeCondition.ascii("a " + each.marked() + " b"))
                    .isEqualTo("a " + NodeCondition.ascii(each.marked()) + " b")
                    .matches("a [-+!x#=] " + each.word() + " b");
        }
    }
}
