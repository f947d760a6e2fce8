package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots received: all of the last minute, and one every two seconds before that, within a bound. The change between two of them
 * is the difference of their counters and histograms. Times are on the clock of the loop. Not thread-safe.
 */
public final class History {
    private static final long SECOND = 1_000_000_000L;
    private static final long DENSE_NANOS = 60 * SECOND;
    private static final long SPARSE_NANOS = 2 * SECOND;
    private static final int ENTRIES_MAX = 600;

    private final List<Entry> entries = new ArrayList<>();
    private long dropped;

    /** A snapshot, the time of its receipt, and its histograms, decoded on demand. */
    static final class Entry {
        final long nanos;
        final MetricsSnapshot snapshot;
        private final Map<SeriesName, Histogram> histograms = new EnumMap<>(SeriesName.class);
        private final Map<SeriesName, long[]> coarse = new EnumMap<>(SeriesName.class);

        Entry(long nanos, MetricsSnapshot snapshot) {
            this.nanos = nanos;
            this.snapshot = snapshot;
        }

        @Nullable
        @SuppressWarnings("NullAway") // computeIfAbsent takes null for an answer
        Histogram histogram(SeriesName name) {
            return histograms.computeIfAbsent(name, each -> SeriesHistogram.of(RenderContext.series(each, snapshot)));
        }

        /** The counts of a series on the scale of {@link HeatMap}; null without a histogram. */
        long @Nullable [] coarse(SeriesName name) {
            long[] known = coarse.get(name);
            if (known == null) {
                boolean kept = histograms.containsKey(name);
                Histogram histogram = histogram(name);
                if (histogram == null) {
                    return null;
                }
                known = HeatMap.coarse(histogram);
                coarse.put(name, known);
                if (!kept) {
                    histograms.remove(name);
                }
            }
            return known;
        }

        void forgetHistograms() {
            histograms.clear();
        }
    }

    /** Adds a snapshot received now. The first one of another run clears the history. */
    public void add(long nowNanos, MetricsSnapshot snapshot) {
        Entry newest = newest();
        if (newest != null) {
            if (snapshot.counter() <= newest.snapshot.counter()
                    || !runId(snapshot).equals(runId(newest.snapshot))) {
                entries.clear();
                dropped = 0;
            } else {
                dropped += snapshot.counter() - newest.snapshot.counter() - 1;
            }
        }
        entries.add(new Entry(nowNanos, snapshot));
        thin(nowNanos);
    }

    private static String runId(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        return extensions.run().runId();
    }

    private void thin(long nowNanos) {
        for (int i = 1; i < entries.size() - 1; i++) {
            Entry entry = entries.get(i);
            if (nowNanos - entry.nanos <= DENSE_NANOS) {
                break;
            }
            if (entries.get(i + 1).nanos - entries.get(i - 1).nanos <= SPARSE_NANOS) {
                entries.remove(i--);
            }
        }
        if (entries.size() > ENTRIES_MAX) {
            entries.remove(0);
        }
        // Decoded histograms are large: only those of recent entries are kept.
        if (entries.size() > 2) {
            entries.get(entries.size() - 3).forgetHistograms();
        }
    }

    /** The newest entry; null if there is none. */
    @Nullable
    Entry newest() {
        return entries.isEmpty() ? null : entries.get(entries.size() - 1);
    }

    /** The newest entry not younger than a time; the oldest if all are younger; null if there is none. */
    @Nullable
    Entry at(long nanos) {
        for (int i = entries.size() - 1; i > 0; i--) {
            if (entries.get(i).nanos - nanos <= 0) {
                return entries.get(i);
            }
        }
        return entries.isEmpty() ? null : entries.get(0);
    }

    /** The entry after or before another; the same entry at either end. */
    Entry neighbour(Entry entry, int steps) {
        int index = entries.indexOf(entry) + steps;
        return entries.get(Math.max(0, Math.min(entries.size() - 1, index)));
    }

    /** The entries up to and including one, oldest first. */
    List<Entry> upTo(Entry last) {
        return List.copyOf(entries.subList(0, entries.indexOf(last) + 1));
    }

    /** Number of snapshots missed, from the gaps in their numbers. */
    long dropped() {
        return dropped;
    }

    /**
     * The change in the time before an entry.
     *
     * @return null if there is no earlier entry
     */
    @Nullable
    Span span(Entry to, int seconds) {
        Entry from = at(to.nanos - seconds * SECOND);
        return from == null || from.nanos >= to.nanos ? null : new Span(from, to);
    }

    /** The change between two snapshots of a run. */
    static final class Span {
        private final Entry from;
        private final Entry to;

        Span(Entry from, Entry to) {
            this.from = from;
            this.to = to;
        }

        double seconds() {
            return (to.snapshot.timestampNanos() - from.snapshot.timestampNanos()) / 1e9;
        }

        /** The increase of a counter per second; null if no time passed. */
        @Nullable
        Double perSecond(CounterName counter) {
            return rate((double) (to.snapshot.counter(counter) - from.snapshot.counter(counter)));
        }

        /** The increase of a series' sum per second; null if no time passed or the series is missing. */
        @Nullable
        Double totalPerSecond(SeriesName series) {
            SeriesMetric before = from.snapshot.series(series);
            SeriesMetric after = to.snapshot.series(series);
            return before == null || after == null || after.count() == 0
                    ? null
                    : rate(after.total().doubleValue() - before.total().doubleValue());
        }

        @Nullable
        Double rate(double difference) {
            double seconds = seconds();
            return seconds <= 0 ? null : (Double) (difference / seconds);
        }

        /** The histogram of a series' new values; null if there are none or a histogram is missing. */
        @Nullable
        Histogram values(SeriesName series) {
            Histogram after = to.histogram(series);
            Histogram before = from.histogram(series);
            if (after == null) {
                return null;
            }
            Histogram values = after.copy();
            if (before != null && before.getTotalCount() > 0) {
                try {
                    values.subtract(before);
                } catch (IllegalArgumentException e) {
                    // The two histograms belong to different runs.
                    return null;
                }
            }
            return values.getTotalCount() == 0 ? null : values;
        }

        Entry to() {
            return to;
        }

        Entry from() {
            return from;
        }
    }
}
