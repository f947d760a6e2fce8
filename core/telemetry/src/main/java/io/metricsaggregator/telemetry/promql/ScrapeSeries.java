package io.metricsaggregator.telemetry.promql;

import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A scraped series with the samples that open windows need, and the one before them. Belongs to the thread that applies events. */
public final class ScrapeSeries {
    private static final int FIRST = 8;
    /** Samples kept of a series that no window reads, for samples that arrive out of order. */
    private static final int TAIL_MAX = 64;

    public final String name;
    public final Map<String, String> labels;
    public final String type;
    /** Time in ms of the target's last scrape before the series appeared; null if there was none. */
    final @Nullable Long bornAfterMillis;
    /** The series over time, on the grid that all series share. */
    public final TimeGrid.Column column;

    private final boolean inWindows;
    private final RowBudget openSamples;
    private long[] millis = new long[FIRST];
    private double[] values = new double[FIRST];
    private int size;
    private long samples;
    private double last = Double.NaN;
    private double total;

    public ScrapeSeries(
            String name,
            Map<String, String> labels,
            String type,
            @Nullable Long bornAfterMillis,
            TimeGrid.Column column,
            boolean inWindows,
            RowBudget openSamples) {
        this.inWindows = inWindows;
        this.openSamples = openSamples;
        this.name = name;
        this.labels = labels;
        this.type = type;
        this.bornAfterMillis = bornAfterMillis;
        this.column = column;
    }

    public boolean isCounter() {
        return isCounter(type, labels);
    }

    /** Whether samples of that type, with these labels, only grow between resets. */
    public static boolean isCounter(String type, Map<String, String> labels) {
        return type.equals("counter")
                || type.equals("histogram")
                || (type.equals("summary") && !labels.containsKey("quantile"));
    }

    /** Whether that time is before the oldest kept sample and earlier samples were forgotten, so that their growth is already counted. */
    public boolean hasForgotten(long at) {
        return size > 0 && samples > size && at < millis[0];
    }

    /** The value of a label; empty for a missing one, as in Prometheus. */
    public String label(String key) {
        return labels.getOrDefault(key, "");
    }

    /** Whether another sample takes a place from the budget of all series. */
    public boolean needsPlace() {
        return size >= FIRST && inWindows;
    }

    /** Adds a sample; false if the series has one of that time, in which case the new one takes no place. */
    public boolean add(long at, double value) {
        int i = size;
        while (i > 0 && millis[i - 1] > at) {
            i--;
        }
        if (i > 0 && millis[i - 1] == at) {
            if (needsPlace()) {
                openSamples.giveBack(1);
            }
            return false;
        }
        if (size == millis.length) {
            int longer = size + Math.max(FIRST, size / 2);
            millis = Arrays.copyOf(millis, longer);
            values = Arrays.copyOf(values, longer);
        }
        System.arraycopy(millis, i, millis, i + 1, size - i);
        System.arraycopy(values, i, values, i + 1, size - i);
        millis[i] = at;
        values[i] = value;
        size++;
        samples++;
        if (i == size - 1) {
            last = value;
        }
        return true;
    }

    /** Forgets the older half of the samples if no window reads the series and it has many. Called after each sample. */
    public void shorten() {
        if (!inWindows && size >= TAIL_MAX) {
            drop(TAIL_MAX / 2);
        }
    }

    private void drop(int count) {
        if (inWindows) {
            openSamples.giveBack(Math.max(0, size - FIRST) - Math.max(0, size - count - FIRST));
        }
        System.arraycopy(millis, count, millis, 0, size - count);
        System.arraycopy(values, count, values, 0, size - count);
        size -= count;
        if (size < millis.length / 4 && millis.length > 4 * FIRST) {
            millis = Arrays.copyOf(millis, Math.max(FIRST, size));
            values = Arrays.copyOf(values, Math.max(FIRST, size));
        }
    }

    /** Forgets the samples before that time, except the last of them. */
    public void forget(long before) {
        int i = 0;
        while (i + 1 < size && millis[i + 1] < before) {
            i++;
        }
        if (i > 0) {
            drop(i);
        }
    }

    public int size() {
        return size;
    }

    public long millis(int i) {
        return millis[i];
    }

    public double value(int i) {
        return values[i];
    }

    /** Index of the first sample at or after that time; {@link #size()} if there is none. */
    public int from(long at) {
        int i = size;
        while (i > 0 && millis[i - 1] >= at) {
            i--;
        }
        return i;
    }

    public long samples() {
        return samples;
    }

    public double last() {
        return last;
    }

    /** Adds to the total growth of a counter. */
    public void grew(double by) {
        total += by;
    }

    /** Growth of a counter since it was first seen. */
    public double total() {
        return total;
    }

    /**
     * The increment of a sample over its predecessor. After a reset it is the sample's value, and likewise for the first sample if the
     * target had been scraped without the series. Null without a predecessor, or if it is more than {@code stalenessMillis} older.
     *
     * @param i index of the sample
     */
    @Nullable
    public Increment increment(int i, long stalenessMillis) {
        if (!Double.isFinite(values[i])) {
            return null;
        }
        if (i > 0) {
            if (millis[i] - millis[i - 1] > stalenessMillis || !Double.isFinite(values[i - 1])) {
                return null;
            }
            boolean reset = values[i] < values[i - 1];
            return new Increment(
                    reset ? values[i] : values[i] - values[i - 1], (millis[i] - millis[i - 1]) / 1e3, reset);
        }
        Long before = bornAfterMillis;
        if (before == null || samples > size || millis[i] <= before || millis[i] - before > stalenessMillis) {
            return null;
        }
        return new Increment(values[i], (millis[i] - before) / 1e3, false);
    }

    /** Growth of a counter, and the seconds in which it grew. */
    public record Increment(double value, double seconds, boolean reset) {}
}
