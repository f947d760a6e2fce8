package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Final snapshots of fleets, merged. */
class NodesMergeTest {
    private static NodeRow row(String node, String runId, NodeState state) {
        return new NodeRow(node, runId, state, SessionState.COMPLETE, 1.0, 3, 1, 10, 9, 2, 1, 5L, "1.0", 0.1, null);
    }

    private static MetricsSnapshot run(String id, @Nullable Nodes nodes) {
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                2, id, "1.0", 1, 2, List.of(), List.of(), Map.of(), Map.of(), null, Map.of(), null,
                                null),
                        new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                        new Slices(0, 1, 0, List.of()))
                .build();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                List.of(),
                extensions.withOptional(OptionalFigures.NONE.withNodes(nodes)));
    }

    @Test
    void rows_of_two_fleets_stand_in_one_list() {
        MetricsSnapshot merged = SnapshotMerge.merge(List.of(
                run("f1", new Nodes(List.of(row("a", "r1", NodeState.ENDED)), 1L, 2, 3)),
                run("f2", new Nodes(List.of(row("b", "r2", NodeState.LOST)), 1L, 4, 5))));
        Nodes nodes = merged.extensions().optional().nodes();
        assertThat(nodes)
                .isEqualTo(new Nodes(
                        List.of(row("a", "r1", NodeState.ENDED), row("b", "r2", NodeState.LOST)), null, 6, 8));
        assertThat(SnapshotMerge.merge(List.of(run("r1", null), run("r2", null)))
                        .extensions()
                        .optional()
                        .nodes())
                .isNull();
    }

    @Test
    void a_run_that_a_fleet_added_up_is_refused_beside_it() {
        MetricsSnapshot fleet = run("f", new Nodes(List.of(row("a", "r1", NodeState.ENDED)), null, 0, 0));
        assertThatThrownBy(() -> SnapshotMerge.merge(List.of(fleet, run("r1", null))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("run r1 is given twice");
    }

    @Test
    void rows_beyond_the_bound_are_summed_in_the_row_other_with_the_worst_state() {
        List<NodeRow> rows = new ArrayList<>();
        for (int i = 0; i < Nodes.ROWS_MAX + 3; i++) {
            rows.add(row("n" + i, "r" + i, i == Nodes.ROWS_MAX + 1 ? NodeState.LOST : NodeState.ENDED));
        }
        List<NodeRow> bounded = Nodes.bounded(rows);
        assertThat(bounded).hasSize(Nodes.ROWS_MAX + 1).startsWith(rows.get(0));
        NodeRow other = bounded.get(Nodes.ROWS_MAX);
        assertThat(other.node()).isEqualTo("other");
        assertThat(other.state()).isEqualTo(NodeState.LOST);
        assertThat(List.of(other.issued(), other.completed(), other.failed(), other.inFlight(), other.missed()))
                .containsExactly(30L, 27L, 6L, 3L, 3L);
        assertThat(Nodes.bounded(bounded)).isEqualTo(bounded);
    }
}
