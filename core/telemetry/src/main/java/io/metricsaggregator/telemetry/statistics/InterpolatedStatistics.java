package io.metricsaggregator.telemetry.statistics;

import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import io.metricsaggregator.snapshot.percentile.Linear;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import io.metricsaggregator.telemetry.fold.Allowance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of telemetry values as in numpy: percentiles by linear interpolation between neighbours, means by pairwise sums.
 * After {@link #KEPT_MAX} values a histogram counts them: percentiles are then estimated by the same rule, to three digits; count, sum, mean and extremes stay exact. If the {@link Allowance} has no memory for more values or for a
 * histogram, percentiles are those of a uniform sample. Belongs to the thread that applies events.
 */
public final class InterpolatedStatistics {
    /** Most values kept one by one. */
    public static final int KEPT_MAX = 65_536;

    private static final int PAIRWISE_BLOCK = 128;
    static final double[] PERCENTILES = {50, 90, 95, 99, 99.9};

    /** Values for which there is room from the start; the owner accounts for their memory. */
    private static final int FIRST = 16;
    /** Estimated bytes of a histogram for values of one sign. */
    private static final long HISTOGRAM_BYTES = 540_000;

    private final double divisor;
    private final int keptMax;
    private final Allowance allowance;
    private double[] values = new double[FIRST];
    private int size;
    private long taken;
    private @Nullable OverflowHistogram beyond;
    private @Nullable Reservoir reservoir;

    public InterpolatedStatistics() {
        this(KEPT_MAX);
    }

    /** Empty statistics that keep fewer values than {@link #KEPT_MAX}. */
    public InterpolatedStatistics(int keptMax) {
        this(keptMax, Allowance.unlimited());
    }

    /** Empty statistics that keep values while the allowance has memory. */
    public InterpolatedStatistics(int keptMax, Allowance allowance) {
        this(keptMax, allowance, 1);
    }

    private InterpolatedStatistics(int keptMax, Allowance allowance, double divisor) {
        this.keptMax = keptMax;
        this.allowance = allowance;
        this.divisor = divisor;
    }

    private interface ValueCount {
        void take(double value, long times);
    }

    /** Histograms of all values by magnitude, one per sign, once there are too many to keep. */
    private static final class OverflowHistogram {
        /** The unit is this share of the largest value; the range ends at four million times that value. */
        private static final double RANGE = 0x1p-40;

        private final double unit;
        private final Histogram positive = new Histogram(3);
        private final Histogram negative = new Histogram(3);
        private final Moments all = new Moments();

        OverflowHistogram(double[] values, int size) {
            double largest = 0;
            for (int i = 0; i < size; i++) {
                largest = Math.max(largest, Math.abs(values[i]));
            }
            // Without values the unit is 1, because nanoseconds are whole.
            unit = largest == 0 || largest * RANGE == 0 ? 1 : largest * RANGE;
            for (int i = 0; i < size; i++) {
                add(values[i]);
            }
        }

        void add(double value) {
            long units = (long) Math.min((double) (Long.MAX_VALUE >> 1), Math.rint(Math.abs(value) / unit));
            (value < 0 ? negative : positive).recordValue(units);
            all.add(value);
        }

        /** Adds all values of another histogram: percentiles to three digits, the rest exact. */
        void addAll(OverflowHistogram other) {
            other.forEach(this::count);
            all.addAll(other.all);
        }

        private void addAll(Reservoir other) {
            double[] sample = other.sample();
            for (int i = 0; i < sample.length; i++) {
                count(sample[i], other.all.count() * (i + 1) / sample.length - other.all.count() * i / sample.length);
            }
            all.addAll(other.all);
        }

        private void count(double value, long times) {
            long units = (long) Math.min((double) (Long.MAX_VALUE >> 1), Math.rint(Math.abs(value) / unit));
            (value < 0 ? negative : positive).recordValueWithCount(units, times);
        }

        private void forEach(ValueCount each) {
            for (var step : negative.recordedValues()) {
                each.take(
                        -unit * (double) negative.medianEquivalentValue(step.getValueIteratedTo()),
                        step.getCountAddedInThisIterationStep());
            }
            for (var step : positive.recordedValues()) {
                each.take(
                        unit * (double) positive.medianEquivalentValue(step.getValueIteratedTo()),
                        step.getCountAddedInThisIterationStep());
            }
        }

        /** Percentiles between 0 and 100, in their order. */
        double[] percentiles(double... percentiles) {
            HistogramPercentiles estimate = new HistogramPercentiles(percentiles, all.count());
            List<double[]> ascending = new ArrayList<>();
            long[] below = {negative.getTotalCount()};
            forEach((value, times) -> {
                // The negative ones come first, from 0 down.
                ascending.add(below[0] > 0 ? 0 : ascending.size(), new double[] {value, (double) times});
                below[0] -= times;
            });
            ascending.forEach(each -> estimate.add(each[0], (long) each[1]));
            return estimate.of(all.min(), all.max());
        }
    }

    /** Adds a value, which must be finite. Takes memory from the {@link Allowance} as the values grow. */
    public void add(double value) {
        OverflowHistogram histogram = beyond;
        Reservoir sample = reservoir;
        if (histogram != null) {
            histogram.add(value);
        } else if (sample != null) {
            sample.add(value);
        } else if (size < values.length || grow()) {
            values[size++] = value;
        } else {
            summarize();
            add(value);
        }
    }

    private boolean grow() {
        int longer = Math.min(keptMax, 2 * size);
        if (longer <= size || !take(8L * (longer - size))) {
            return false;
        }
        values = Arrays.copyOf(values, longer);
        return true;
    }

    private boolean take(long bytes) {
        boolean given = allowance.take(bytes);
        taken += given ? bytes : 0;
        return given;
    }

    /** Stops keeping values one by one: moves them to a histogram, or to a sample without memory for one. */
    private void summarize() {
        if (values.length >= keptMax && take(HISTOGRAM_BYTES)) {
            beyond = new OverflowHistogram(values, size);
            long kept = Math.max(0, 8L * (values.length - FIRST));
            allowance.giveBack(Math.min(kept, taken - HISTOGRAM_BYTES));
            taken -= Math.min(kept, taken - HISTOGRAM_BYTES);
        } else {
            reservoir = new Reservoir(values, size);
        }
        values = new double[0];
        size = 0;
    }

    /** Returns the memory to the allowance. The statistics must not be used afterwards. */
    public void release() {
        allowance.giveBack(taken);
        taken = 0;
    }

    /** Adds all values of other statistics, which stay unchanged. */
    public void addAll(InterpolatedStatistics other) {
        for (int i = 0; i < other.size; i++) {
            add(other.values[i]);
        }
        OverflowHistogram counted = other.beyond;
        Reservoir sampled = other.reservoir;
        if (counted == null && sampled == null) {
            return;
        }
        if (beyond == null && reservoir == null) {
            if (take(HISTOGRAM_BYTES)) {
                beyond = new OverflowHistogram(values, size);
            } else {
                reservoir = new Reservoir(values, size);
            }
            values = new double[0];
            size = 0;
        }
        OverflowHistogram histogram = beyond;
        Reservoir sample = reservoir;
        if (histogram != null && counted != null) {
            histogram.addAll(counted);
        } else if (histogram != null && sampled != null) {
            histogram.addAll(sampled);
        } else if (sample != null) {
            merge(sample, counted, sampled);
        }
    }

    private static void merge(Reservoir to, @Nullable OverflowHistogram counted, @Nullable Reservoir sampled) {
        if (counted != null) {
            to.all.addAll(counted.all);
            counted.forEach(to::resemble);
        } else if (sampled != null) {
            to.all.addAll(sampled.all);
            for (double each : sampled.sample()) {
                to.resemble(each, sampled.all.count() / sampled.size());
            }
        }
    }

    private @Nullable Moments moments() {
        return beyond != null ? beyond.all : reservoir != null ? reservoir.all : null;
    }

    public long count() {
        Moments all = moments();
        return all == null ? size : all.count();
    }

    /** How percentiles are computed: {@code linear} while all values are kept, {@code hdr} or {@code sampled} beyond. */
    public String method() {
        return beyond != null ? "hdr" : reservoir != null ? "sampled" : "linear";
    }

    /** The statistics with each value divided by a constant; while all values are kept, before anything is computed from them. */
    public InterpolatedStatistics over(double by) {
        InterpolatedStatistics quotients = new InterpolatedStatistics(keptMax, Allowance.unlimited(), divisor * by);
        quotients.beyond = beyond;
        quotients.reservoir = reservoir;
        quotients.size = size;
        quotients.values = new double[size];
        for (int i = 0; i < size; i++) {
            quotients.values[i] = values[i] / by;
        }
        return quotients;
    }

    public double sum() {
        Moments all = moments();
        return all == null ? pairwise(0, size) : all.sum() / divisor;
    }

    /** numpy's {@code add.reduce}: eight running sums up to 128 values, halves beyond. */
    private double pairwise(int from, int count) {
        if (count < 8) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += values[from + i];
            }
            return sum;
        }
        if (count <= PAIRWISE_BLOCK) {
            double[] r = new double[8];
            System.arraycopy(values, from, r, 0, 8);
            int i = 8;
            for (; i < count - count % 8; i += 8) {
                for (int j = 0; j < 8; j++) {
                    r[j] += values[from + i + j];
                }
            }
            double sum = r[0] + r[1] + (r[2] + r[3]) + (r[4] + r[5] + (r[6] + r[7]));
            for (; i < count; i++) {
                sum += values[from + i];
            }
            return sum;
        }
        int half = count / 2;
        half -= half % 8;
        return pairwise(from, half) + pairwise(from + half, count - half);
    }

    /** The mean; NaN without values. */
    public double mean() {
        return sum() / count();
    }

    private double[] sorted() {
        Reservoir sample = reservoir;
        double[] sorted = sample == null ? Arrays.copyOf(values, size) : sample.sample();
        Arrays.sort(sorted);
        if (sample != null) {
            for (int i = 0; i < sorted.length; i++) {
                sorted[i] /= divisor;
            }
        }
        return sorted;
    }

    /** A percentile from 0 to 100; NaN without values. */
    public double percentile(double p) {
        if (beyond != null) {
            return beyond.percentiles(p)[0] / divisor;
        }
        return count() == 0 ? Double.NaN : Linear.of(sorted(), p);
    }

    /** Count, sum, mean, min, max, standard deviation (n − 1) and the percentiles 50, 90, 95, 99 and 99.9; null without a value. */
    public ValueStatistics summary() {
        return values(PERCENTILES);
    }

    /** The same statistics as a record, with other percentiles. */
    public ValueStatistics values(double... percentiles) {
        OverflowHistogram histogram = beyond;
        Moments all = moments();
        Map<String, @Nullable Double> named = new LinkedHashMap<>();
        double[] sorted = sorted();
        double[] estimates = histogram == null ? new double[0] : histogram.percentiles(percentiles);
        for (int i = 0; i < percentiles.length; i++) {
            named.put(
                    name(percentiles[i]),
                    count() == 0
                            ? null
                            : histogram == null
                                    ? (Double) Linear.of(sorted, percentiles[i])
                                    : (Double) (estimates[i] / divisor));
        }
        if (count() == 0) {
            return new ValueStatistics(0, null, null, null, null, null, named);
        }
        return new ValueStatistics(
                count(),
                sum(),
                mean(),
                all == null ? sorted[0] : all.min() / divisor,
                all == null ? sorted[size - 1] : all.max() / divisor,
                count() == 1 ? 0.0 : deviation(),
                named);
    }

    private static String name(double percentile) {
        return percentile == Math.rint(percentile)
                ? "p" + (int) percentile
                : "p" + Double.toString(percentile).replace('.', '_');
    }

    private double deviation() {
        Moments all = moments();
        if (all != null) {
            return all.deviation() / divisor;
        }
        double mean = mean();
        double spread = 0;
        for (int i = 0; i < size; i++) {
            spread += (values[i] - mean) * (values[i] - mean);
        }
        return Math.sqrt(spread / (size - 1));
    }
}
