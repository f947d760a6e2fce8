package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A metric to export. Names lack the suffix of their kind; values are in base units (seconds, bytes, tokens). */
sealed interface Exported {
    /** The name: ours in snake case with the unit at the end, that of a convention with dots and without the unit. */
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
     * A value whose trace can be looked up.
     *
     * @param value in the unit of its histogram
     * @param traceId of W3C Trace Context
     * @param spanId of W3C Trace Context
     * @param wallNanos when it was measured, nanoseconds since 1970
     */
    record Exemplar(double value, String traceId, String spanId, long wallNanos) {}

    /**
     * A histogram.
     *
     * @param labels from a closed or bounded set
     * @param unit {@code s}, or in braces what is counted; {@code sum}, {@code min} and {@code max} are in it
     * @param exemplars some of its values, the largest first
     */
    record Distribution(
            String name,
            String help,
            Map<String, String> labels,
            String unit,
            double sum,
            double min,
            double max,
            ValueCounts counts,
            List<Exemplar> exemplars)
            implements Exported {
        private static final double SECONDS = 1e-9;

        /** The values of a series, which are nanoseconds if {@code unit} is {@code s}; null without a histogram, or if that is damaged. */
        static @Nullable Distribution of(
                SeriesMetric series,
                String name,
                String help,
                Map<String, String> labels,
                String unit,
                List<Exemplar> exemplars) {
            SeriesDetail detail = series.detail();
            double scale = unit.equals("s") ? SECONDS : 1;
            ValueCounts counts = ValueCounts.of(detail == null ? null : detail.hdr(), scale);
            return counts == null
                    ? null
                    : new Distribution(
                            name,
                            help,
                            labels,
                            unit,
                            series.total().doubleValue() * scale,
                            series.min().doubleValue() * scale,
                            series.max().doubleValue() * scale,
                            counts,
                            exemplars);
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.distribution(this);
        }
    }
}
