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
 * Snapshots that have been seen: all of the last minute, and one every two seconds of what was before, as far as there is room. What
 * happened in between follows from two of them: counters are subtracted, and so are histograms, value by value. Times are of
 * the clock of the loop. One owner.
 */
public final class History {
    private static final long SECOND = 1_000_000_000L;
    private static final long DENSE_NANOS = 60 * SECOND;
    private static final long SPARSE_NANOS = 2 * SECOND;
    private static final int ENTRIES_MAX = 600;

    private final List<Entry> entries = new ArrayList<>();
    private long dropped;

    /** A snapshot, when it came, and its histograms as far as somebody has asked for them. */
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
            return histograms.computeIfAbsent(name, each -> SeriesHistogram.of(snapshot.series(each)));
        }

        /** Counts on the scale of {@link HeatMap}; null if there is no histogram. */
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

    /** Takes a snapshot that came now. One of another run starts from nothing. */
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
        return extensions == null ? "" : extensions.run().runId();
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
        // Histograms are large: only what is near is kept decoded.
        if (entries.size() > 2) {
            entries.get(entries.size() - 3).forgetHistograms();
        }
    }

    /** The newest; null if there is none. */
    @Nullable
    Entry newest() {
        return entries.isEmpty() ? null : entries.get(entries.size() - 1);
    }

    /** The newest that is not younger than that; the oldest if all are; null if there is none. */
    @Nullable
    Entry at(long nanos) {
        for (int i = entries.size() - 1; i > 0; i--) {
            if (entries.get(i).nanos - nanos <= 0) {
                return entries.get(i);
            }
        }
        return entries.isEmpty() ? null : entries.get(0);
    }

    /** The one after or before an entry; itself if there is none. */
    Entry neighbour(Entry entry, int steps) {
        int index = entries.indexOf(entry) + steps;
        return entries.get(Math.max(0, Math.min(entries.size() - 1, index)));
    }

    /** Entries up to one, oldest first. */
    List<Entry> upTo(Entry last) {
        return List.copyOf(entries.subList(0, entries.indexOf(last) + 1));
    }

    /** Snapshots that were taken and never came, by the gaps in their numbers. */
    long dropped() {
        return dropped;
    }

    /**
     * What happened in the time before an entry.
     *
     * @return null if there is nothing to compare with
     */
    @Nullable
    Span span(Entry to, int seconds) {
        Entry from = at(to.nanos - seconds * SECOND);
        return from == null || from.nanos >= to.nanos ? null : new Span(from, to);
    }

    /** What happened between two snapshots. */
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

        /** How often a second a counter went up; null if no time passed. */
        @Nullable
        Double perSecond(CounterName counter) {
            return rate((double) (to.snapshot.counter(counter) - from.snapshot.counter(counter)));
        }

        /** How much a second the sum of a series grew; null if no time passed or there is no such series. */
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

        /** The values that a series got; null if there were none, or nobody knows. */
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
                    // They are not of one run.
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
