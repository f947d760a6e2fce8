package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;

/**
 * The kinds of telemetry, in the order of a snapshot. Every module dispatches on it by a switch expression without a default, so that the
 * compiler names each place that a new kind lacks.
 */
public enum TelemetryKind {
    /** KV-cache transfers between engines. */
    TRANSFER("transfer"),
    /** CPU, memory, disk and network of nodes. */
    RESOURCE("resource"),
    /** Operations with names and keys. */
    OPERATION("operation"),
    /** Series scraped from servers and GPUs. */
    SCRAPE("scrape"),
    /** Custom metrics of producers. */
    METRIC("metric");

    private final String key;

    TelemetryKind(String key) {
        this.key = key;
    }

    /** The kind's name on the wire and in files: its key in {@code observations}, and the first part of its topics. */
    public String key() {
        return key;
    }

    /**
     * Reads the record of this kind from a decoded map, of this version or an older one. Unknown keys are skipped.
     *
     * @param path names the map in errors
     * @throws MalformedMessageException if a field has another type than it should; the message names the field
     */
    TelemetrySnapshot read(String path, Object tree) throws MalformedMessageException {
        return switch (this) {
            case TRANSFER -> TransferSnapshotCodec.read(path, tree);
            case RESOURCE -> ResourceSnapshotCodec.read(path, tree);
            case OPERATION -> OperationSnapshotCodec.read(path, tree);
            case SCRAPE -> ScrapeSnapshotCodec.read(path, tree);
            case METRIC -> MetricSnapshotCodec.read(path, tree);
        };
    }
}
