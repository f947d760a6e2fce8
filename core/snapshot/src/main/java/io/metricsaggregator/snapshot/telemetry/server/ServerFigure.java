package io.metricsaggregator.snapshot.telemetry.server;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A figure of a scraped server over a span of time. Its shape follows the type that the server exposes: gauge, counter or histogram. */
public sealed interface ServerFigure {
    /** The figure; null if a newer daemon gives it a shape that is not known here. */
    static @Nullable ServerFigure pass(Fields f, @Nullable ServerFigure v) throws MalformedMessageException {
        if (f.group(v instanceof Growth, "total")) {
            return new Growth(f.laterReal("total", v instanceof Growth growth ? growth.total : 0));
        }
        if (f.group(v instanceof Distribution, "count")) {
            return Distribution.pass(f, v instanceof Distribution values ? values : Distribution.BLANK);
        }
        return f.group(v instanceof Level, "last")
                ? Level.pass(f, v instanceof Level level ? level : Level.BLANK)
                : null;
    }

    /**
     * A gauge over time.
     *
     * @param mean time-weighted mean; a value stands for the time since the previous scrape
     * @param max the highest scraped value
     * @param last the newest value
     */
    record Level(double mean, double max, double last) implements ServerFigure {
        private static final Level BLANK = new Level(0, 0, 0);

        private static @Nullable Level pass(Fields f, Level v) throws MalformedMessageException {
            Double mean = f.maybeReal("mean", v.mean);
            Double max = f.maybeReal("max", v.max);
            Double last = f.maybeReal("last", v.last);
            return mean == null || max == null || last == null ? null : new Level(mean, max, last);
        }
    }

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
        private static final Distribution BLANK = new Distribution(0, null, null, null, null, List.of());

        private static Distribution pass(Fields f, Distribution v) throws MalformedMessageException {
            return new Distribution(
                    f.laterReal("count", v.count),
                    f.maybeReal("mean", v.mean),
                    f.maybeReal("p50", v.p50),
                    f.maybeReal("p90", v.p90),
                    f.maybeReal("p99", v.p99),
                    f.absentTexts("over", v.over));
        }

        public Distribution {
            over = List.copyOf(over);
        }
    }
}
