package io.metricsaggregator.fleet;

import io.metricsaggregator.runs.LiveMerge;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.SessionState;
import java.util.List;

/** A fleet in memory with a clock of its own. Snapshots reach it as bytes. */
final class TestFleet {
    static final long SECOND = 1_000_000_000L;
    static final long WALL = 1_700_000_000L * SECOND;

    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    final NodeTable table;
    final FleetSum sum;
    final FleetInput input;
    long nanos = 100 * SECOND;

    TestFleet() {
        this("fleet-1", new Expectation(0, List.of()), 1024);
    }

    TestFleet(FleetSum.Merge merge) {
        this("fleet-1", new Expectation(0, List.of()), 1024, merge);
    }

    TestFleet(String runId, Expectation expected, int nodesMax) {
        this(runId, expected, nodesMax, LiveMerge::of);
    }

    private TestFleet(String runId, Expectation expected, int nodesMax, FleetSum.Merge merge) {
        table = new NodeTable(runId, new FleetLimits(SECOND / 4, 0, 30 * SECOND, 0, nodesMax), expected);
        sum = new FleetSum(new FleetIdentity(runId, "1.0", wall()), merge);
        input = new FleetInput(table, sum, null, () -> nanos, this::wall);
    }

    long wall() {
        return WALL + nanos;
    }

    /** Receives the node's next snapshot now, and returns it. */
    MetricsSnapshot receive(TestNode node, SessionState state) {
        MetricsSnapshot snapshot = node.snapshot(state, nanos, wall());
        receive(snapshot);
        return snapshot;
    }

    void receive(MetricsSnapshot snapshot) {
        byte[] payload = codec.encode(snapshot);
        input.accept(payload, payload.length);
    }

    /** Lets time pass. */
    void pass(double seconds) {
        nanos += (long) (seconds * SECOND);
    }

    /** The sum now. */
    MetricsSnapshot next() {
        SessionState state = table.isOver(nanos) ? table.finalState(nanos) : table.state(nanos);
        return sum.next(table, state, nanos, wall(), List.of());
    }

    List<NodeRow> rows() {
        return table.rows(nanos).rows();
    }

    NodeRow row(String node) {
        return rows().stream()
                .filter(row -> row.node().equals(node))
                .findFirst()
                .orElseThrow();
    }
}
