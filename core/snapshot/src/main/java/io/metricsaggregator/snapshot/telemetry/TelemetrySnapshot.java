package io.metricsaggregator.snapshot.telemetry;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The state of one telemetry kind. Rows may be computed each time they are read, so that a million of them take no memory. */
public sealed interface TelemetrySnapshot
        permits TransferSnapshot, ResourceSnapshot, OperationSnapshot, ScrapeSnapshot, MetricSnapshot {
    /** The kind it is the state of. */
    TelemetryKind kind();

    /** The state as MessagePack-compatible maps, lists, strings and numbers. Unmeasured values are {@code null}. */
    Map<String, @Nullable Object> tree();
}
