package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Snapshots of synthetic fleets that the tests of several modules share. */
public final class ExampleFleet {
    private static final long MILLI = 1_000_000L;

    private ExampleFleet() {}

    /** The same snapshot with nodes. */
    public static MetricsSnapshot with(MetricsSnapshot of, NodeRow... rows) {
        return with(of, new Nodes(List.of(rows), null, 0, 0));
    }

    /** The same snapshot with nodes. */
    public static MetricsSnapshot with(MetricsSnapshot of, Nodes nodes) {
        SnapshotExtensions extensions = of.extensions();
        return new MetricsSnapshot(
                of.counter(),
                of.timestampNanos(),
                of.state(),
                of.pendingTasks(),
                of.metrics(),
                extensions.withOptional(extensions.optional().withNodes(nodes)));
    }

    /** A node with 1,234 samples issued and 7 in flight. */
    public static NodeRow node(String name, NodeState state, double ageSeconds) {
        return node(
                name, state, ageSeconds, state == NodeState.ENDED ? SessionState.COMPLETE : SessionState.LIVE, null);
    }

    /** A node that the fleet refused. */
    public static NodeRow refused(String name, String reason) {
        return node(name, NodeState.LIVE, 0.1, SessionState.LIVE, reason);
    }

    /** A node whose run was interrupted. */
    public static NodeRow interrupted(String name) {
        return node(name, NodeState.ENDED, 5, SessionState.INTERRUPTED, null);
    }

    private static NodeRow node(
            String name, NodeState state, double ageSeconds, SessionState session, @Nullable String refused) {
        return new NodeRow(
                name,
                "run-of-" + name,
                state,
                session,
                ageSeconds,
                99,
                3,
                1234,
                1227,
                2,
                7,
                250 * MILLI,
                "1.0",
                -0.0125,
                refused);
    }

    /** A fleet of many nodes: number 3 is lost, number 5 is stale, number 7 is refused, the others are live. */
    public static Nodes large(int size) {
        List<NodeRow> rows = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            String name = String.format(java.util.Locale.ROOT, "gpu-%04d", i);
            rows.add(
                    switch (i) {
                        case 3 -> node(name, NodeState.LOST, 75);
                        case 5 -> node(name, NodeState.STALE, 4.25);
                        case 7 -> refused(name, "its histograms have 2 significant figures, not 3");
                        default -> node(name, NodeState.LIVE, 0.1);
                    });
        }
        return new Nodes(rows, (long) size, 0, 0);
    }
}
