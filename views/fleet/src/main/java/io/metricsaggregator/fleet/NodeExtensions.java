package io.metricsaggregator.fleet;

import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.List;

/**
 * Rewrites the extensions of one node: the node's name stands in front of its workers and error messages, and times of samples and errors are on the
 * fleet's monotonic clock. A fleet's extensions keep their names, which have the names of its nodes already. Immutable.
 */
final class NodeExtensions {
    private static final String OTHER = "other";
    private static final String UNNAMED = "unnamed";

    private final String name;
    private final boolean fleet;
    private final long shiftNanos;

    /**
     * Rewrites the extensions of one node.
     *
     * @param name name of the node
     * @param fleet whether the node is a fleet
     * @param shiftNanos the fleet's monotonic clock minus the node's
     */
    NodeExtensions(String name, boolean fleet, long shiftNanos) {
        this.name = name;
        this.fleet = fleet;
        this.shiftNanos = shiftNanos;
    }

    /** The rewritten extensions, without slices and cost of the node's daemon. */
    SnapshotExtensions of(SnapshotExtensions from) {
        return from.toBuilder()
                .workers(fleet ? from.workers() : workers(from.workers()))
                .errors(errors(from.errors()))
                .slices(new Slices(0, 1, from.slices().outside(), List.of()))
                .slowest(from.slowest().stream().map(this::sample).toList())
                .self(null)
                .build();
    }

    private List<SnapshotExtensions.WorkerRow> workers(List<SnapshotExtensions.WorkerRow> rows) {
        return rows.stream()
                .map(row -> row.worker().equals(OTHER)
                        ? row
                        : new SnapshotExtensions.WorkerRow(
                                named(row.worker()),
                                row.records(),
                                row.issued(),
                                row.completed(),
                                row.failed(),
                                row.sequenceGaps(),
                                row.sequenceLost(),
                                row.sequenceRepeated(),
                                row.sequenceUnknownStart(),
                                row.sequenceRestarts()))
                .toList();
    }

    private String named(String worker) {
        return name + "/" + (worker.isEmpty() ? UNNAMED : worker);
    }

    private List<SnapshotExtensions.ErrorRow> errors(List<SnapshotExtensions.ErrorRow> rows) {
        return rows.stream()
                .map(row -> new SnapshotExtensions.ErrorRow(
                        row.event(),
                        row.type(),
                        row.count(),
                        fleet || row.message().isEmpty() ? row.message() : name + ": " + row.message(),
                        row.firstNanos() + shiftNanos,
                        row.lastNanos() + shiftNanos))
                .toList();
    }

    private SlowSample sample(SlowSample from) {
        return from.shifted(shiftNanos, fleet ? from.worker() : named(from.worker()));
    }
}
