package io.metricsaggregator.export;

import java.util.Map;

/** A metric on its way out: names without a suffix for its kind, values in base units (seconds, bytes, tokens). */
sealed interface Exported {
    /** What it is called, in snake case, with its unit at the end. */
    String name();

    /** What it is, in a sentence. */
    String help();

    /**
     * Something that only grows.
     *
     * @param labels from a closed or bounded set
     */
    record Counter(String name, String help, Map<String, String> labels, double value) implements Exported {}

    /** Something that goes up and down. */
    record Gauge(String name, String help, Map<String, String> labels, double value) implements Exported {}

    /**
     * How often values were how large.
     *
     * @param unit {@code s} or {@code {token}}
     */
    record Distribution(String name, String help, String unit, double sum, double min, double max, ValueCounts counts)
            implements Exported {}
}
