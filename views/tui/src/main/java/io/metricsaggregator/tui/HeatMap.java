package io.metricsaggregator.tui;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A heat map: time from left to right, a logarithmic scale from bottom to top, the share of values as shade. */
final class HeatMap {
    private static final String UNICODE = " ░▒▓█";
    private static final String ASCII = " .:*#";

    private static final int STEPS_AN_OCTAVE = 8;
    private static final int STEPS = 43 * STEPS_AN_OCTAVE;

    private final List<long @Nullable []> columns;
    private final int low;
    private final int high;

    /**
     * Creates a map from columns, oldest first.
     *
     * @param columns counts on the scale of {@link #coarse}; null for a column without values
     */
    HeatMap(List<long @Nullable []> columns) {
        this.columns = columns;
        int least = STEPS;
        int most = 0;
        for (long[] column : columns) {
            for (int step = 0; column != null && step < STEPS; step++) {
                if (column[step] > 0) {
                    least = Math.min(least, step);
                    most = Math.max(most, step);
                }
            }
        }
        this.low = least == STEPS ? 0 : least;
        this.high = Math.max(most + 1, low + STEPS_AN_OCTAVE);
    }

    /** What the shades mean. */
    static String legend(boolean unicode) {
        String shades = unicode ? UNICODE : ASCII;
        return "share of the second: " + shades.charAt(1) + " to 3 %  " + shades.charAt(2) + " to 15 %  "
                + shades.charAt(3) + " to 40 %  " + shades.charAt(4) + " more";
    }

    /** The counts of a histogram in buckets of an eighth of an octave. */
    static long[] coarse(Histogram histogram) {
        long[] counts = new long[STEPS];
        for (var each : histogram.recordedValues()) {
            double value = Math.max(1, (double) each.getValueIteratedTo());
            int step = (int) (Math.log(value) / Math.log(2) * STEPS_AN_OCTAVE);
            counts[Math.min(STEPS - 1, step)] += each.getCountAddedInThisIterationStep();
        }
        return counts;
    }

    /** The counts added between two histograms; null if none were. */
    static long @Nullable [] difference(long @Nullable [] after, long @Nullable [] before) {
        if (after == null) {
            return null;
        }
        long[] difference = after.clone();
        long sum = 0;
        for (int i = 0; i < difference.length; i++) {
            difference[i] = Math.max(0, difference[i] - (before == null ? 0 : before[i]));
            sum += difference[i];
        }
        return sum == 0 ? null : difference;
    }

    /** The value at the lower edge of a row; row 0 is at the bottom. */
    double edge(int row, int rows) {
        return Math.pow(2, (low + (double) (high - low) * row / rows) / STEPS_AN_OCTAVE);
    }

    /** Renders the rows, top first. */
    List<String> rows(int rows, boolean unicode) {
        long[][] counts = new long[rows][columns.size()];
        for (int x = 0; x < columns.size(); x++) {
            long[] column = columns.get(x);
            for (int step = low; column != null && step < high && step < STEPS; step++) {
                counts[(step - low) * rows / (high - low)][x] += column[step];
            }
        }
        String shades = unicode ? UNICODE : ASCII;
        List<String> lines = new ArrayList<>();
        for (int row = rows - 1; row >= 0; row--) {
            StringBuilder line = new StringBuilder();
            for (int x = 0; x < columns.size(); x++) {
                line.append(shades.charAt(shade(counts, row, x, shades.length() - 1)));
            }
            lines.add(line.toString());
        }
        return lines;
    }

    /** The shade of a cell by its share of the column; a rare value still gets the lightest one. */
    private static int shade(long[][] counts, int row, int x, int darkest) {
        long all = 0;
        for (long[] each : counts) {
            all += each[x];
        }
        if (counts[row][x] == 0) {
            return 0;
        }
        double share = (double) counts[row][x] / (double) all;
        return share > 0.4 ? darkest : share > 0.15 ? 3 : share > 0.03 ? 2 : 1;
    }
}
