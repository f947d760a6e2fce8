package io.metricsaggregator.telemetry.server;

import io.metricsaggregator.snapshot.telemetry.server.ServerFigure;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import org.jspecify.annotations.Nullable;

/** A gauge of one server over the run, time-weighted, on the grid of all series. Belongs to the thread that applies events. */
final class LevelHistory {
    /** Estimated bytes of heap, with all buckets of the grid. */
    static final int BYTES = 17_000;

    private static final long MILLI = 1_000_000L;

    private final TimeGrid.Column levels;
    private final TimeGrid.Column positive;
    private double sum;
    private double seconds;
    private double highest = Double.NaN;
    private double last = Double.NaN;
    private long scrapes;
    private long scrapesAboveZero;

    LevelHistory(TimeGrid grid) {
        levels = grid.columnWithExtremes();
        positive = grid.column();
    }

    /**
     * Adds a scraped value.
     *
     * @param span seconds since the previous scrape, for which the value stands; 0 if unknown
     */
    void add(long atMillis, double value, double span) {
        levels.record(atMillis * MILLI, value, span);
        positive.record(atMillis * MILLI, value > 0 ? 1 : 0, 1);
        sum += value * span;
        seconds += span;
        highest = Double.isNaN(highest) ? value : Math.max(highest, value);
        last = value;
        scrapes++;
        scrapesAboveZero += value > 0 ? 1 : 0;
    }

    /**
     * The figures of a span.
     *
     * @param span null for the run
     * @return null without a value
     */
    ServerFigure.@Nullable Level figure(TimeGrid.@Nullable Span span) {
        if (span == null) {
            return scrapes == 0 ? null : new ServerFigure.Level(seconds == 0 ? last : sum / seconds, highest, last);
        }
        double max = levels.highest(span);
        double newest = levels.newest(span);
        double weight = levels.weight(span);
        return Double.isNaN(max)
                ? null
                : new ServerFigure.Level(weight == 0 ? newest : levels.sum(span) / weight, max, newest);
    }

    /** The share of scrapes with a value above 0; null without scrapes. */
    @Nullable
    Double shareAboveZero(TimeGrid.@Nullable Span span) {
        if (span == null) {
            return scrapes == 0 ? null : (Double) ((double) scrapesAboveZero / scrapes);
        }
        double weight = positive.weight(span);
        return weight == 0 ? null : (Double) (positive.sum(span) / weight);
    }
}
