package io.metricsaggregator.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.analysis.ExampleFleet;
import io.metricsaggregator.analysis.ExampleRuns;
import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SessionState;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetNodesTest {
    private static final NodeRow LIVE = ExampleFleet.node("live", NodeState.LIVE, 0.1);
    private static final NodeRow ENDED = ExampleFleet.node("ended", NodeState.ENDED, 50);

    private static List<Finding> findings(SessionState state, NodeRow... rows) {
        return new FleetNodes().judge(ExampleFleet.with(ExampleRuns.hostile(1, state), rows));
    }

    @Test
    void a_single_daemon_has_no_finding_on_nodes() {
        assertThat(new FleetNodes().judge(ExampleRuns.hostile(1, SessionState.COMPLETE)))
                .isEmpty();
        assertThat(FleetText.of(ExampleRuns.hostile(1, SessionState.COMPLETE))).isNull();
    }

    @Test
    void a_fleet_of_live_and_ended_nodes_is_good() {
        assertThat(findings(SessionState.LIVE, LIVE, ENDED))
                .containsExactly(new Finding(Finding.Weight.GOOD, "nodes", "2 nodes: 1 live, 1 ended"));
    }

    @Test
    void a_lost_node_makes_the_run_invalid_and_a_stale_one_questionable() {
        NodeRow stale = ExampleFleet.node("gpu-2", NodeState.STALE, 4.5);
        MetricsSnapshot plain = ExampleRuns.hostile(1, SessionState.COMPLETE);
        assertThat(findings(SessionState.COMPLETE, LIVE, stale))
                .containsExactly(new Finding(
                        Finding.Weight.REMARK,
                        "stale nodes",
                        "gpu-2 (4.500 s ago) sends no snapshots; the last counts are in the sums"));
        Verdict lost =
                Verdict.of(ExampleFleet.with(plain, LIVE, stale, ExampleFleet.node("gpu-7", NodeState.LOST, 75)));
        assertThat(lost.validity()).isEqualTo(Verdict.Validity.INVALID);
        assertThat(lost.findings())
                .contains(new Finding(
                        Finding.Weight.BAD,
                        "lost nodes",
                        "gpu-7 (0:01:15 ago) stopped sending before its run ended; the last counts are in the sums, later"
                                + " samples are not"));
    }

    @Test
    void refused_interrupted_and_missing_nodes_are_named() {
        assertThat(findings(
                        SessionState.INTERRUPTED,
                        ExampleFleet.refused("gpu-1\u001b", "2 significant figures"),
                        ExampleFleet.interrupted("gpu-2"),
                        NodeRow.waiting("gpu-3"),
                        LIVE))
                .extracting(each -> each.weight() + " " + each.what() + ": " + each.evidence())
                .containsExactly(
                        "BAD refused nodes: gpu-1\\u001b (2 significant figures) is not in the sums",
                        "REMARK interrupted nodes: gpu-2 ended before the session did",
                        "BAD waiting nodes: gpu-3 was expected and never sent a snapshot");
    }

    @Test
    void a_node_that_is_still_waited_for_does_not_weigh_while_the_fleet_is_live() {
        assertThat(findings(SessionState.LIVE, NodeRow.waiting("gpu-3")))
                .extracting(Finding::weight)
                .containsExactly(Finding.Weight.UNKNOWN);
    }

    @Test
    void many_troubled_nodes_are_counted_beyond_the_first_eight() {
        NodeRow[] rows = new NodeRow[20];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = ExampleFleet.node("n" + i, NodeState.LOST, 60 + i);
        }
        assertThat(findings(SessionState.LIVE, rows).get(0).evidence())
                .startsWith("n19 (0:01:19 ago), n18 ")
                .contains("n12 (0:01:12 ago) and 12 more stopped sending before their runs ended");
    }
}
