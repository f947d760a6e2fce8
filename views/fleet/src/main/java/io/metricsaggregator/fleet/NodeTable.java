package io.metricsaggregator.fleet;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotReader;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs whose snapshots a fleet adds up, by run id: a run counts once, however many connections carry it, and a node that starts a new run has a
 * second row. A run that another fleet below already counts is left out. Belongs to the main loop.
 */
final class NodeTable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeTable.class);
    /** Key and name of all publishers without a run id, such as the aggregator of MLCommons endpoints. */
    static final String UNIDENTIFIED = "unidentified";

    private final String ownRunId;
    private final FleetLimits limits;
    private final Expectation expected;
    private final Map<String, FleetNode> nodes = new LinkedHashMap<>();
    /** The node of this table that counts a run: itself, or the fleet that adds it up. */
    private final Map<String, FleetNode> owners = new HashMap<>();

    private final Inflater inflater = new Inflater();
    private @Nullable FleetNode unidentified;
    private long repeated;
    private long discarded;
    private boolean fullLogged;

    /** A table without nodes. */
    NodeTable(String ownRunId, FleetLimits limits, Expectation expected) {
        this.ownRunId = ownRunId;
        this.limits = limits;
        this.expected = expected;
    }

    /** What became of a snapshot. */
    enum Outcome {
        /** It is the first one of its run that counts. */
        FIRST,
        /** It replaces the one before. */
        NEXT,
        /** It is not counted. */
        IGNORED
    }

    /** Counts a frame that is no snapshot. */
    void discard() {
        discarded++;
    }

    /**
     * Takes a snapshot.
     *
     * @param reader read the snapshot, and reads those of its run from then on if the run is new
     * @param objection why its series cannot be added to those of the others, in words; null if they can
     * @return the outcome
     */
    Outcome accept(
            MetricsSnapshot snapshot,
            MsgpackSnapshotReader reader,
            long nowNanos,
            long wallNanos,
            Function<NodeFrame, @Nullable String> objection) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.run().runId().isEmpty()) {
            return unidentified();
        }
        String runId = extensions.run().runId();
        if (runId.equals(ownRunId)) {
            discarded++;
            return Outcome.IGNORED;
        }
        FleetNode known = nodes.get(runId);
        FleetNode owner = owners.get(runId);
        if (owner != null && owner != known) {
            repeated++;
            return Outcome.IGNORED;
        }
        if (known == null && nodes.size() >= limits.nodesMax()) {
            return full();
        }
        FleetNode node = known == null ? new FleetNode(runId, name(extensions), limits, reader) : known;
        if (!node.isNews(snapshot, extensions)) {
            // The last frame of an ended run is repeated for late subscribers.
            repeated += node.isEnded() ? 0 : 1;
            return Outcome.IGNORED;
        }
        if (known == null) {
            nodes.put(runId, node);
            LOG.info("node seen node={} run={}", node.name(), runId);
        }
        return take(node, snapshot, extensions, nowNanos, wallNanos, objection);
    }

    private Outcome take(
            FleetNode node,
            MetricsSnapshot snapshot,
            SnapshotExtensions extensions,
            long nowNanos,
            long wallNanos,
            Function<NodeFrame, @Nullable String> objection) {
        boolean first = node.frame() == null;
        String before = node.refused();
        node.arrived(snapshot, extensions, nowNanos, wallNanos);
        try {
            NodeFrame frame = node.read(snapshot, extensions, nowNanos, wallNanos, inflater);
            String reason = objection.apply(frame);
            reason = reason == null ? claim(node, frame, nowNanos) : reason;
            if (reason != null) {
                throw new RefusedNodeException(reason);
            }
            node.take(frame);
        } catch (RefusedNodeException e) {
            String reason = String.valueOf(e.getMessage());
            node.refuse(reason);
            if (!reason.equals(before)) {
                LOG.warn("node left out node={} run={} reason={}", node.name(), node.runId(), reason);
            }
            return Outcome.IGNORED;
        }
        if (node.isEnded()) {
            LOG.info(
                    "node ended node={} run={} state={}",
                    node.name(),
                    node.runId(),
                    snapshot.state().wireName());
        }
        return first ? Outcome.FIRST : Outcome.NEXT;
    }

    private Outcome unidentified() {
        if (unidentified == null) {
            unidentified = new FleetNode("", UNIDENTIFIED, limits, new MsgpackSnapshotReader());
            unidentified.refuse("its snapshots have no run id and no histograms, so they cannot be added");
            LOG.warn("node left out: its snapshots have no run id and no histograms, so they cannot be added");
        }
        discarded++;
        return Outcome.IGNORED;
    }

    private Outcome full() {
        discarded++;
        if (!fullLogged) {
            fullLogged = true;
            LOG.warn("nodes discarded max_nodes={}. Raise --max-nodes to add more", limits.nodesMax());
        }
        return Outcome.IGNORED;
    }

    /** The name of the node; the host of a daemon that does not name it. */
    private static String name(SnapshotExtensions extensions) {
        String node = extensions.run().node();
        if (node != null && !node.isEmpty()) {
            return node;
        }
        String host = extensions.run().environment().get("host");
        return host == null || host.isEmpty() ? extensions.run().runId() : host;
    }

    /** Makes the node the one that counts its runs; returns why it cannot be, null if it is. */
    private @Nullable String claim(FleetNode node, NodeFrame frame, long nowNanos) {
        Set<String> runs = new HashSet<>(Set.of(node.runId()));
        for (NodeRow row : frame.below()) {
            if (!row.runId().isEmpty() && row.refused() == null) {
                runs.add(row.runId());
            }
        }
        for (String run : runs) {
            FleetNode owner = owners.get(run);
            if (owner != null
                    && owner != node
                    && !(owner.runId().equals(run) && frame.isFleet())
                    && owner.state(nowNanos) == NodeState.LIVE) {
                return "its run " + run + " is counted already with " + owner.name() + " (run " + owner.runId() + ")";
            }
        }
        for (String run : runs) {
            FleetNode owner = owners.put(run, node);
            if (owner != null && owner != node) {
                remove(owner, node);
            }
        }
        return null;
    }

    /** Takes a node out of the sums because another one counts its runs. */
    private void remove(FleetNode old, FleetNode by) {
        if (nodes.remove(old.runId()) != null) {
            LOG.info("node replaced run={} by_node={} by_run={}", old.runId(), by.name(), by.runId());
        }
    }

    /** The nodes in the order in which they were first seen. */
    List<FleetNode> nodes() {
        return List.copyOf(nodes.values());
    }

    /** The nodes with a usable snapshot, in the order in which they were first seen. */
    List<FleetNode> counted() {
        return nodes.values().stream().filter(node -> node.frame() != null).toList();
    }

    /** The node of that run; null if there is none. */
    @Nullable
    FleetNode node(String runId) {
        return nodes.get(runId);
    }

    /** The rows of a snapshot. */
    Nodes rows(long nowNanos) {
        List<NodeRow> rows = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (FleetNode node : nodes.values()) {
            for (NodeRow row : node.rows(nowNanos)) {
                rows.add(row);
                seen.add(row.node());
            }
        }
        if (unidentified != null) {
            rows.addAll(unidentified.rows(nowNanos));
        }
        for (String name : expected.names()) {
            if (!seen.contains(name)) {
                rows.add(NodeRow.waiting(name));
            }
        }
        return new Nodes(
                Nodes.bounded(rows),
                expected.size() == 0 ? null : (Long) (long) expected.size(),
                limits.lingerNanos() == 0 ? null : (Double) (limits.lingerNanos() / 1e9),
                repeated,
                discarded);
    }

    /** Whether all nodes that are waited for have been seen. */
    private boolean allSeen(long nowNanos) {
        List<NodeRow> rows = new ArrayList<>();
        nodes.values().forEach(node -> rows.addAll(node.rows(nowNanos)));
        return expected.isMet(rows);
    }

    /** Whether every node that is waited for was seen, at least one ended, and no other is alive; nodes of fleets below count one by one. */
    boolean isOver(long nowNanos) {
        return anyEnded(nowNanos)
                && nodes.values().stream().noneMatch(node -> node.isAwaited(nowNanos))
                && allSeen(nowNanos);
    }

    /** Whether any node ended, here or in a fleet below. */
    boolean anyEnded(long nowNanos) {
        return nodes.values().stream()
                .anyMatch(node ->
                        node.isEnded() || node.rows(nowNanos).stream().anyMatch(row -> row.state() == NodeState.ENDED));
    }

    /** The state of the whole while it is not over. */
    SessionState state(long nowNanos) {
        boolean started = false;
        boolean live = false;
        boolean initializing = false;
        boolean draining = false;
        for (FleetNode node : nodes.values()) {
            SessionState session = node.session();
            NodeState state = node.state(nowNanos);
            started |= session != null && session != SessionState.INITIALIZE;
            if (state == NodeState.LIVE || state == NodeState.STALE) {
                live |= session == SessionState.LIVE;
                initializing |= session == SessionState.INITIALIZE;
                draining |= session == SessionState.DRAINING;
            }
        }
        if (live || (started && (initializing || !draining))) {
            return SessionState.LIVE;
        }
        return draining ? SessionState.DRAINING : SessionState.INITIALIZE;
    }

    /** The state of the whole at its end: complete if every node that was waited for has ended as complete and counts. */
    SessionState finalState(long nowNanos) {
        return !nodes.isEmpty()
                        && unidentified == null
                        && allSeen(nowNanos)
                        && nodes.values().stream().allMatch(node -> node.isComplete(nowNanos))
                ? SessionState.COMPLETE
                : SessionState.INTERRUPTED;
    }
}
