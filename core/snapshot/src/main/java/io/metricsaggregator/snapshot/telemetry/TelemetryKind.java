package io.metricsaggregator.snapshot.telemetry;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeReader;

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
            case TRANSFER -> TreeReader.read(path, tree, TransferSnapshot::pass, TransferSnapshot.BLANK);
            case RESOURCE -> TreeReader.read(path, tree, ResourceSnapshot::pass, ResourceSnapshot.BLANK);
            case OPERATION -> TreeReader.read(path, tree, OperationSnapshot::pass, OperationSnapshot.BLANK);
            case SCRAPE -> TreeReader.read(path, tree, ScrapeSnapshot::pass, ScrapeSnapshot.BLANK);
            case METRIC -> TreeReader.read(path, tree, MetricSnapshot::pass, MetricSnapshot.BLANK);
        };
    }
}
