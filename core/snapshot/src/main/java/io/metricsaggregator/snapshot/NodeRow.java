package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import org.jspecify.annotations.Nullable;

/**
 * One node of a fleet: a run of one daemon, as its last snapshot had it.
 *
 * @param node name of the node ({@code run --node}); {@value #OTHER} for the sum of all beyond the bound on rows
 * @param runId id of the run; {@code ""} while the node is waited for, and in the row {@value #OTHER}
 * @param state whether its snapshots arrive
 * @param session state of the session in its last snapshot; null while the node is waited for
 * @param ageSeconds seconds since its last snapshot arrived; null while the node is waited for
 * @param counter number of its last snapshot, from 1; 0 without one
 * @param missed snapshots missed, from the gaps in their numbers
 * @param issued tracked samples issued
 * @param completed tracked samples completed, failures included
 * @param failed tracked samples that failed
 * @param inFlight samples in flight in its last snapshot, also while the node is stale or lost
 * @param latencyP99Nanos 99th percentile of the latency in nanoseconds; null without samples
 * @param version version of its daemon; {@code ""} if it does not report one
 * @param offsetSeconds seconds by which its wall clock is ahead of the fleet's, negative if behind: the estimate of the snapshot that arrived
 *     fastest, so it is low by the shortest delay; null if unknown
 * @param refused why the fleet left the node out of its sums, in words; null for a node that counts
 */
public record NodeRow(
        String node,
        String runId,
        NodeState state,
        @Nullable SessionState session,
        @Nullable Double ageSeconds,
        long counter,
        long missed,
        long issued,
        long completed,
        long failed,
        long inFlight,
        @Nullable Long latencyP99Nanos,
        String version,
        @Nullable Double offsetSeconds,
        @Nullable String refused) {
    static final NodeRow BLANK =
            new NodeRow("", "", NodeState.STALE, null, null, 0, 0, 0, 0, 0, 0, null, "", null, null);

    /** The fields; see {@link Fields.Shape}. Of a state of a later version, the node is known and what it does is not. */
    public static NodeRow pass(Fields f, NodeRow v) throws MalformedMessageException {
        String node = f.text("node", v.node());
        String run = f.text("run_id", v.runId());
        NodeState state = NodeState.ofWire(f.text("state", v.state().wire()));
        return new NodeRow(
                node,
                run,
                state == null ? NodeState.STALE : state,
                f.maybeWord("session", v.session(), SessionState.ALL, SessionState::wireName),
                f.maybeReal("age_s", v.ageSeconds()),
                f.count("counter", v.counter()),
                f.count("missed", v.missed()),
                f.count("issued", v.issued()),
                f.count("completed", v.completed()),
                f.count("failed", v.failed()),
                f.count("in_flight", v.inFlight()),
                f.maybeCount("latency_p99_ns", v.latencyP99Nanos()),
                f.text("version", v.version()),
                f.maybeReal("offset_s", v.offsetSeconds()),
                f.absentText("refused", v.refused()));
    }

    /** Name of the row that sums the nodes beyond the bound. */
    public static final String OTHER = "other";

    /** The row of a node that is expected and has sent nothing yet. */
    public static NodeRow waiting(String node) {
        return new NodeRow(node, "", NodeState.WAITING, null, null, 0, 0, 0, 0, 0, 0, null, "", null, null);
    }

    /** The same row in another state. */
    public NodeRow withState(NodeState other) {
        return new NodeRow(
                node,
                runId,
                other,
                session,
                ageSeconds,
                counter,
                missed,
                issued,
                completed,
                failed,
                inFlight,
                latencyP99Nanos,
                version,
                offsetSeconds,
                refused);
    }

    /** The same row that many seconds later; without a snapshot it has no age. */
    public NodeRow later(double seconds) {
        return new NodeRow(
                node,
                runId,
                state,
                session,
                ageSeconds == null ? null : (Double) (ageSeconds + seconds),
                counter,
                missed,
                issued,
                completed,
                failed,
                inFlight,
                latencyP99Nanos,
                version,
                offsetSeconds,
                refused);
    }

    /** The row {@value #OTHER} with the figures of this one. */
    NodeRow asOther() {
        return new NodeRow(
                OTHER,
                "",
                state,
                session,
                ageSeconds,
                0,
                missed,
                issued,
                completed,
                failed,
                inFlight,
                null,
                version,
                null,
                refused);
    }

    /** The row {@value #OTHER} of this one and another: sums, the larger age, and the state that asks for more attention. */
    NodeRow and(NodeRow other) {
        return new NodeRow(
                OTHER,
                "",
                attention(other.state) > attention(state) ? other.state : state,
                session == other.session ? session : null,
                ageSeconds == null || other.ageSeconds == null ? null : (Double) Math.max(ageSeconds, other.ageSeconds),
                0,
                capped(missed, other.missed),
                capped(issued, other.issued),
                capped(completed, other.completed),
                capped(failed, other.failed),
                capped(inFlight, other.inFlight),
                null,
                version.equals(other.version) ? version : "",
                null,
                refused == null ? other.refused : refused);
    }

    private static int attention(NodeState state) {
        return switch (state) {
            case ENDED -> 0;
            case LIVE -> 1;
            case WAITING -> 2;
            case STALE -> 3;
            case LOST -> 4;
        };
    }

    private static long capped(long a, long b) {
        long sum = a + b;
        return a >= 0 && b >= 0 && sum < 0 ? Long.MAX_VALUE : sum;
    }
}
