package io.metricsaggregator.fleet;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotReader;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ClockOffset;
import java.util.List;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * One run that sends snapshots to the fleet: that of a daemon, or of another fleet. Keeps its last usable snapshot. Belongs to the main loop.
 */
final class FleetNode {
    /** Monotonic clocks closer than this are the same clock, read at different times. */
    private static final long SAME_CLOCK_NANOS = 1_000_000_000L;

    private final String runId;
    private final String name;
    private final FleetLimits limits;
    private final MsgpackSnapshotReader reader;
    private @Nullable NodeFrame frame;
    private @Nullable String refused;
    /** Why its rows are left out for good; null if they count. */
    private @Nullable String stripped;

    private String version = "";
    private long lastCounter;
    private long lastTimestampNanos;
    private long lastWallNanos;
    private long arrivedNanos;
    private long missed;
    private long aheadNanos = Long.MIN_VALUE;
    private boolean ended;
    private boolean lost;

    FleetNode(String runId, String name, FleetLimits limits, MsgpackSnapshotReader reader) {
        this.runId = runId;
        this.name = name;
        this.limits = limits;
        this.reader = reader;
    }

    String runId() {
        return runId;
    }

    /** Reads its snapshots. */
    MsgpackSnapshotReader reader() {
        return reader;
    }

    String name() {
        return name;
    }

    /** Its last usable snapshot; null before the first. */
    @Nullable
    NodeFrame frame() {
        return frame;
    }

    /** Why its latest snapshot was left out, in words; null if it counts. */
    @Nullable
    String refused() {
        return refused;
    }

    /** Whether a snapshot is later than all of this run before: one that came on a second way is not. A restarted host has an earlier monotonic clock. */
    boolean isNews(MetricsSnapshot snapshot, SnapshotExtensions extensions) {
        return lastCounter == 0
                || (!ended
                        && (snapshot.timestampNanos() > lastTimestampNanos
                                || extensions.run().wallNanos() > lastWallNanos));
    }

    /** Notes the arrival of a snapshot, usable or not. */
    void arrived(MetricsSnapshot snapshot, SnapshotExtensions extensions, long nowNanos, long wallNanos) {
        if (lastCounter > 0 && snapshot.counter() > lastCounter + 1) {
            missed += snapshot.counter() - lastCounter - 1;
        }
        lastCounter = snapshot.counter();
        lastTimestampNanos = snapshot.timestampNanos();
        lastWallNanos = extensions.run().wallNanos();
        arrivedNanos = nowNanos;
        lost = false;
        version = extensions.run().version();
        aheadNanos = Math.max(aheadNanos, lastWallNanos - wallNanos);
        ended = snapshot.state().isTerminal();
    }

    /**
     * Reads the snapshot that arrived.
     *
     * @throws RefusedNodeException if it cannot be added; the last usable one stays
     */
    NodeFrame read(
            MetricsSnapshot snapshot, SnapshotExtensions extensions, long nowNanos, long wallNanos, Inflater inflater)
            throws RefusedNodeException {
        return NodeFrame.of(
                snapshot,
                extensions,
                name,
                shift(extensions.run().clockOffset(), nowNanos, wallNanos),
                frame,
                inflater);
    }

    /** The fleet's monotonic clock minus the node's; 0 if they are the same. */
    private long shift(@Nullable ClockOffset offset, long nowNanos, long wallNanos) {
        long node = offset == null ? lastWallNanos - lastTimestampNanos : offset.wallMinusMonotonicNanos();
        long own = wallNanos - nowNanos;
        long shift = node - own;
        return Math.abs(shift) < SAME_CLOCK_NANOS ? 0 : shift;
    }

    /** Takes a snapshot that was read and has no objection. */
    void take(NodeFrame next) {
        frame = stripped == null ? next : next.bare();
        refused = stripped;
    }

    /** Leaves rows and optional figures of this snapshot and of all later ones out of the sums: merging them failed. */
    void strip(String reason) {
        stripped = reason;
        NodeFrame last = frame;
        frame = last == null ? null : last.bare();
        refused = reason;
    }

    /** Whether its rows are left out of the sums for good. */
    boolean isStripped() {
        return stripped != null;
    }

    /** Leaves the latest snapshot out of the sums. */
    void refuse(String reason) {
        refused = reason;
    }

    /** The node was lost when the fleet that kept its snapshot ended. */
    void restoreLost() {
        lost = true;
    }

    /** Whether its snapshots arrive; never {@link NodeState#WAITING}. */
    NodeState state(long nowNanos) {
        if (ended) {
            return NodeState.ENDED;
        }
        long age = nowNanos - arrivedNanos;
        if (lost || age >= limits.lostNanos()) {
            return NodeState.LOST;
        }
        long interval = frame == null || frame.intervalNanos() == 0 ? limits.intervalNanos() : frame.intervalNanos();
        return age >= limits.staleAfter(interval) ? NodeState.STALE : NodeState.LIVE;
    }

    /** By how much the wall clock of the node is ahead of the fleet's, in nanoseconds. */
    long aheadNanos() {
        return aheadNanos;
    }

    /** When its last snapshot arrived, on the fleet's wall clock, in nanoseconds since 1970 UTC. */
    double endWallNanos(long wallNanos, long nowNanos) {
        return (double) wallNanos - (nowNanos - arrivedNanos);
    }

    /** Whether its terminal snapshot arrived. */
    boolean isEnded() {
        return ended;
    }

    /**
     * Whether the fleet waits for its end: it is alive, or, if it is a fleet whose snapshots arrive, one of its nodes is, or it waits for one. A
     * fleet below whose nodes all ended or were lost has nothing more to say, though it stays alive when none of them ended.
     */
    boolean isAwaited(long nowNanos) {
        NodeState state = state(nowNanos);
        if (state == NodeState.ENDED || state == NodeState.LOST) {
            return false;
        }
        return !countsByRows() || !rows(nowNanos).stream().allMatch(FleetNode::isGone) || !seesExpected(nowNanos);
    }

    /** Whether its runs all ended as complete and count. */
    boolean isComplete(long nowNanos) {
        if (ended || !countsByRows()) {
            return ended && session() == SessionState.COMPLETE && refused == null;
        }
        return seesExpected(nowNanos)
                && rows(nowNanos).stream()
                        .allMatch(row -> row.state() == NodeState.ENDED
                                && row.session() == SessionState.COMPLETE
                                && row.refused() == null);
    }

    /** Whether it is a fleet whose nodes have the rows. */
    private boolean countsByRows() {
        return frame != null && frame.isFleet() && refused == null;
    }

    /** The row of nodes beyond the bound has the worst of their states, so that a lost one may hide one that is alive. */
    private static boolean isGone(NodeRow row) {
        return row.state() == NodeState.ENDED
                || (row.state() == NodeState.LOST && !row.node().equals(NodeRow.OTHER));
    }

    private boolean seesExpected(long nowNanos) {
        return frame == null || new Expectation(frame.expected(), List.of()).isMet(rows(nowNanos));
    }

    /** The state of its session in its last usable snapshot; null before the first. */
    @Nullable
    SessionState session() {
        return frame == null ? null : frame.state();
    }

    /** Its rows: one for a daemon, one for each of its nodes for a fleet. */
    List<NodeRow> rows(long nowNanos) {
        NodeFrame last = frame;
        NodeState state = state(nowNanos);
        double age = Math.max(0, nowNanos - arrivedNanos) / 1e9;
        if (last != null && countsByRows()) {
            return last.below().stream()
                    .map(row -> below(row, state).later(age))
                    .toList();
        }
        return List.of(new NodeRow(
                name,
                runId,
                state,
                last == null ? null : last.state(),
                age,
                lastCounter,
                missed,
                last == null ? 0 : last.counterValue(CounterName.TRACKED_SAMPLES_ISSUED),
                last == null ? 0 : last.counterValue(CounterName.TRACKED_SAMPLES_COMPLETED),
                last == null ? 0 : last.counterValue(CounterName.TRACKED_SAMPLES_FAILED),
                last == null ? 0 : last.extensions().inFlight().count(),
                last == null ? null : last.latencyP99Nanos(),
                version,
                aheadNanos / 1e9,
                refused));
    }

    /** A row of a fleet below: nothing is known of its nodes once its own snapshots stay away. */
    private static NodeRow below(NodeRow row, NodeState fleet) {
        boolean alive = row.state() == NodeState.LIVE || row.state() == NodeState.STALE;
        boolean worse = fleet == NodeState.LOST || (fleet == NodeState.STALE && row.state() == NodeState.LIVE);
        return alive && worse ? row.withState(fleet) : row;
    }
}
