package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a quantity went over the slices.
 *
 * @param first its median in the first half
 * @param second its median in the second half
 * @param z Mann and Kendall's statistic; beyond ±2.58 it is no chance (p = 0.01) if slices are independent
 */
record Trend(double first, double second, double z) {
    /** Slices that are needed to speak of a trend. */
    static final int SLICES_MIN = 12;

    /** Where half of a run differs by more than this share from the other, and a trend is significant, it has changed. */
    private static final double CHANGE = 0.1;
    /** Two-sided 1 % of the normal distribution. */
    private static final double SIGNIFICANT = 2.58;

    double change() {
        return first == 0 ? 0 : (second - first) / first;
    }

    boolean changed() {
        return Math.abs(change()) > CHANGE && Math.abs(z) > SIGNIFICANT;
    }

    String text() {
        return String.format(
                Locale.ROOT, "%+.1f%% from the first half to the second (Mann-Kendall z %.1f)", 100 * change(), z);
    }

    /** The trend of a column, without the slices at both ends, which are seldom whole; null if there are too few. */
    static @Nullable Trend of(MetricsSnapshot snapshot, String column) {
        Slices slices =
                snapshot.extensions() == null ? null : snapshot.extensions().slices();
        long[] all = slices == null ? null : slices.column(column);
        if (slices == null || all == null) {
            return null;
        }
        int last = lastIssue(slices);
        List<Double> values = new ArrayList<>();
        for (int i = 1; i < Math.min(all.length - 1, last); i++) {
            if (all[i] != Slices.NOT_MEASURED) {
                values.add((double) all[i]);
            }
        }
        int n = values.size();
        if (n < SLICES_MIN) {
            return null;
        }
        double s = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i + 1; j < n; j++) {
                s += Math.signum(values.get(j) - values.get(i));
            }
        }
        double variance = n * (n - 1.0) * (2.0 * n + 5) / 18;
        double z = s == 0 ? 0 : (s - Math.signum(s)) / Math.sqrt(variance);
        return new Trend(median(values.subList(0, n / 2)), median(values.subList(n - n / 2, n)), z);
    }

    /** The last slice in which a sample was issued: what comes after it is the run's fading out. */
    private static int lastIssue(Slices slices) {
        long[] issued = slices.column("issued");
        if (issued == null) {
            return Integer.MAX_VALUE;
        }
        int last = issued.length - 1;
        while (last > 0 && issued[last] == 0) {
            last--;
        }
        return last;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int n = sorted.size();
        return n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
    }
}
