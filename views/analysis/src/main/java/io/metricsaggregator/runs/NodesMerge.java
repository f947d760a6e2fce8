package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts the rows of several fleets' nodes into one list. */
final class NodesMerge {
    private NodesMerge() {}

    /** The rows of all fleets among the runs, at most {@link Nodes#ROWS_MAX}; null if no run is that of a fleet. */
    static @Nullable Nodes of(List<SnapshotExtensions> all) {
        List<NodeRow> rows = new ArrayList<>();
        long repeated = 0;
        long discarded = 0;
        boolean any = false;
        for (SnapshotExtensions each : all) {
            Nodes nodes = each.optional().nodes();
            if (nodes != null) {
                any = true;
                rows.addAll(nodes.rows());
                repeated += nodes.repeated();
                discarded += nodes.discarded();
            }
        }
        return any ? new Nodes(Nodes.bounded(rows), null, repeated, discarded) : null;
    }
}
