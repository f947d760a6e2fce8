package io.metricsaggregator.snapshot;

import org.jspecify.annotations.Nullable;

/** Whether a node of a fleet still sends snapshots. */
public enum NodeState {
    /** The node is expected and has sent nothing yet. */
    WAITING("waiting"),
    /** Its snapshots arrive. */
    LIVE("live"),
    /** No snapshot arrived for longer than the staleness limit; its last figures stay in the sums. */
    STALE("stale"),
    /** No snapshot arrived for longer than the loss limit; its last counts stay in the sums, its rates and samples in flight do not. */
    LOST("lost"),
    /** Its terminal snapshot arrived. */
    ENDED("ended");

    private final String wire;

    NodeState(String wire) {
        this.wire = wire;
    }

    /** Its name in snapshots and reports. */
    public String wire() {
        return wire;
    }

    /** The state of a name; null for a name of a later version. */
    public static @Nullable NodeState ofWire(String name) {
        for (NodeState each : values()) {
            if (each.wire.equals(name)) {
                return each;
            }
        }
        return null;
    }
}
