package io.metricsaggregator.telemetry.fold;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshot;
import java.util.List;

/**
 * Aggregates the records of one telemetry kind. {@code TelemetryFolds} constructs one of each kind and routes records to it. Belongs to the
 * thread that applies events.
 */
public interface TelemetryFold {
    /** The first part of the topics it takes, such as {@code transfer}. */
    List<String> categories();

    /**
     * Applies a record whose category is one of {@link #categories()}.
     *
     * @throws TelemetryRecord.Rejected if a field is missing, of another type or out of range; nothing is applied then
     */
    void apply(TelemetryRecord observation) throws TelemetryRecord.Rejected;

    /** Whether no record has been applied, so that the snapshot leaves the kind out. */
    boolean isEmpty();

    /**
     * The state of the kind. A live snapshot is a copy, because the fold applies further records while it is read.
     *
     * @param terminal whether this is the run's last snapshot: then large parts may be views of the fold, and nothing is applied any more
     */
    TelemetrySnapshot snapshot(boolean terminal);

    /**
     * Lets the fold act on the receiver's clock, such as closing a window. Called about once a second.
     *
     * @param nowNanos the receiver's monotonic clock
     */
    default void tick(long nowNanos) {}
}
