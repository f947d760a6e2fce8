package io.metricsaggregator.fleet;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a fleet needs.
 *
 * @param version version of this program
 * @param inputs endpoints that snapshots come from, at least one
 * @param outputs endpoints that the sum is published on; may be empty
 * @param transport limits and security of all sockets
 * @param output where the final snapshot is written; null for nowhere
 * @param exports monitoring systems and browsers that receive the sum
 * @param nodes which nodes are waited for, and when one is stale or lost
 * @param intervalNanos time between snapshots, at least 1 ms
 * @param foreground whether a single SIGINT ends the fleet
 * @param stateDirectory where the last snapshots of ended and lost nodes are kept; null for nowhere
 */
public record FleetConfig(
        String version,
        List<Endpoint> inputs,
        List<Endpoint> outputs,
        TransportOptions transport,
        DaemonConfig.@Nullable Output output,
        DaemonConfig.Exports exports,
        NodeSettings nodes,
        long intervalNanos,
        boolean foreground,
        @Nullable Path stateDirectory) {
    private static final long MILLI = 1_000_000L;

    /**
     * Which nodes are waited for, and when one is stale or lost.
     *
     * @param expected number of nodes to wait for; 0 for none
     * @param names names of nodes to wait for; empty for none
     * @param staleNanos age of the last snapshot from which a node is stale; 0 for four of its intervals and 2 s
     * @param lostNanos age of the last snapshot from which a node is lost, at least 1
     * @param lingerNanos longest wait for other nodes after the first has ended; 0 for no limit
     * @param nodesMax most runs that are added up, at least 1
     */
    public record NodeSettings(
            int expected, List<String> names, long staleNanos, long lostNanos, long lingerNanos, int nodesMax) {
        public NodeSettings {
            names = List.copyOf(names);
            require(expected >= 0, "the number of expected nodes is negative");
            require(staleNanos >= 0, "the time after which a node is stale is negative");
            require(lostNanos > 0, "a node would be lost at once: the time after which it is lost is not above 0");
            require(staleNanos <= lostNanos, "a node would be lost before it is stale");
            require(lingerNanos >= 0, "the time to wait after the first end is negative");
            require(nodesMax >= 1, "a fleet needs at least one node");
            require(Math.max(expected, names.size()) <= nodesMax, "more nodes are expected than the fleet may have");
        }
    }

    public FleetConfig {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        require(!inputs.isEmpty(), "there is no input");
        require(intervalNanos >= MILLI, "the interval of snapshots is below 1 ms");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
