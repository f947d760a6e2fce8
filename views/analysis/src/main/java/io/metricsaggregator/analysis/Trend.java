package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The change of a slice column between the halves of a run, with the Mann-Kendall test.
 *
 * @param first median of the first half
 * @param second median of the second half
 * @param z the Mann-Kendall statistic; significant at p = 0.01 beyond ±2.58 if slices are independent
 */
public record Trend(double first, double second, double z) {
    /** Fewest slices for which a trend is computed. */
    public static final int SLICES_MIN = 12;

    /** A significant trend is a change if the medians of the halves differ by more than this share. */
    public static final double CHANGE = 0.1;
    /** Two-sided 1 % quantile of the standard normal distribution. */
    private static final double SIGNIFICANT = 2.58;

    /** The relative difference of the halves; 0 if the first is 0. */
    public double change() {
        return first == 0 ? 0 : (second - first) / first;
    }

    /** Whether the halves differ significantly and by enough to matter. */
    public boolean changed() {
        return Math.abs(change()) > CHANGE && Math.abs(z) > SIGNIFICANT;
    }

    /** The change as a clause for people. */
    public String text() {
        return String.format(
                Locale.ROOT, "%+.1f%% from the first half to the second (Mann-Kendall z %.1f)", 100 * change(), z);
    }

    /** The trend of a slice column. Skips the slices at both ends, which are seldom complete; null with fewer than {@value #SLICES_MIN} left. */
    public static @Nullable Trend of(MetricsSnapshot snapshot, String column) {
        Slices slices =
                snapshot.extensions().isNone() ? null : snapshot.extensions().slices();
        long[] all = slices == null ? null : slices.column(column);
        if (slices == null || all == null) {
            return null;
        }
        List<Double> values = new ArrayList<>();
        for (int i = 1; i < end(slices); i++) {
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

    /** Why a run has no trend of completions: how many of its slices count, and how many are needed. */
    public static String tooShort(MetricsSnapshot snapshot) {
        Slices slices =
                snapshot.extensions().isNone() ? null : snapshot.extensions().slices();
        if (slices == null || slices.length() == 0) {
            return "the run has no time slices";
        }
        return String.format(
                Locale.ROOT,
                "%,d of %,d time slices count and a trend needs %d: the first, the last and those after the last issue are"
                        + " left out",
                Math.max(0, end(slices) - 1),
                slices.length(),
                SLICES_MIN);
    }

    /** The slice after the last that counts. The first one and the last are seldom complete, and those after the last issue only drain the run. */
    private static int end(Slices slices) {
        return Math.min(slices.length() - 1, lastIssue(slices));
    }

    /** The last slice in which a sample was issued; the largest integer where that is unknown. */
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
