package io.metricsaggregator.snapshot.telemetry.server;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A figure of a scraped server over a span of time. Its shape follows the type that the server exposes: gauge, counter or histogram. */
public sealed interface ServerFigure {
    /**
     * A gauge over time.
     *
     * @param mean time-weighted mean; a value stands for the time since the previous scrape
     * @param max the highest scraped value
     * @param last the newest value
     */
    record Level(double mean, double max, double last) implements ServerFigure {}

    /**
     * A counter.
     *
     * @param total growth over the span, at least 0
     */
    record Growth(double total) implements ServerFigure {}

    /**
     * A histogram.
     *
     * @param count number of values that came in over the span
     * @param mean mean of these values; null without values
     * @param p50 median, interpolated linearly within its bucket; null without values or where servers have different buckets
     * @param p90 90th percentile, in the same way
     * @param p99 99th percentile, in the same way
     * @param over percentiles that lie above the last finite edge, which stands in their place, by name such as {@code p99}
     */
    record Distribution(
            double count,
            @Nullable Double mean,
            @Nullable Double p50,
            @Nullable Double p90,
            @Nullable Double p99,
            List<String> over)
            implements ServerFigure {
        public Distribution {
            over = List.copyOf(over);
        }
    }
}
