package io.metricsaggregator.snapshot.live;

import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as {@link RunSnapshotReader} reads it, with the figures of its series that add up over runs.
 *
 * @param counter number of the snapshot, from 1
 * @param timestampNanos the daemon's monotonic clock, in nanoseconds
 * @param state the state of the session
 * @param pendingTasks texts that are not counted yet
 * @param counters counters by name, in their order
 * @param series series in their order; they are valid until the reader reads its next snapshot
 * @param extensions the fields that MLCommons endpoints does not have; null in a snapshot of another daemon
 */
public record RunSnapshot(
        long counter,
        long timestampNanos,
        SessionState state,
        long pendingTasks,
        Map<String, Long> counters,
        List<SeriesFigures> series,
        @Nullable SnapshotExtensions extensions) {}
