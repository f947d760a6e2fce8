package io.metricsaggregator.export;

import java.util.Map;

/** A metric to export. Names lack the suffix of their kind; values are in base units (seconds, bytes, tokens). */
sealed interface Exported {
    /** The name in snake case, with the unit at the end. */
    String name();

    /** The meaning in a phrase. */
    String help();

    /** Calls the method of {@code visitor} for this kind. */
    void accept(Visitor visitor);

    /** One method for each kind of metric. */
    interface Visitor {
        void counter(Counter counter);

        void gauge(Gauge gauge);

        void distribution(Distribution distribution);
    }

    /**
     * A sum that only grows.
     *
     * @param labels from a closed or bounded set
     */
    record Counter(String name, String help, Map<String, String> labels, double value) implements Exported {
        @Override
        public void accept(Visitor visitor) {
            visitor.counter(this);
        }
    }

    /**
     * A value that goes up and down.
     *
     * @param labels from a closed or bounded set
     */
    record Gauge(String name, String help, Map<String, String> labels, double value) implements Exported {
        @Override
        public void accept(Visitor visitor) {
            visitor.gauge(this);
        }
    }

    /**
     * A histogram without labels.
     *
     * @param unit {@code s}, or in braces what is counted; {@code sum}, {@code min} and {@code max} are in it
     */
    record Distribution(String name, String help, String unit, double sum, double min, double max, ValueCounts counts)
            implements Exported {
        @Override
        public void accept(Visitor visitor) {
            visitor.distribution(this);
        }
    }
}
