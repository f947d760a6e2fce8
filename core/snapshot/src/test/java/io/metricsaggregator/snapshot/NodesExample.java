package io.metricsaggregator.snapshot;

import java.util.List;

/** Nodes of a fleet in three states, one of them refused. */
final class NodesExample {
    private NodesExample() {}

    static Nodes nodes() {
        return new Nodes(
                List.of(
                        new NodeRow(
                                "gpu-1",
                                "run-1",
                                NodeState.LIVE,
                                SessionState.LIVE,
                                0.25,
                                9,
                                1,
                                100,
                                90,
                                2,
                                10,
                                7_000_000L,
                                "0.1",
                                -0.002,
                                null),
                        new NodeRow(
                                "gpu-2",
                                "run-2",
                                NodeState.LOST,
                                SessionState.DRAINING,
                                42.0,
                                3,
                                0,
                                0,
                                0,
                                0,
                                0,
                                null,
                                "",
                                null,
                                "its histograms have 2 significant figures, not 3"),
                        NodeRow.waiting("gpu-3")),
                4L,
                5,
                6);
    }
}
