package io.metricsaggregator.web.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of a series over the run: time in columns of equal width, values in rows on a logarithmic scale. It has {@value #COLUMNS_MAX}
 * columns at most: when they run out, neighbours are joined and the width doubles. Belongs to the thread of the page.
 */
final class HeatMap {
    static final int COLUMNS_MAX = 240;
    static final int ROWS_MAX = 24;
    /** Upper ends of the shares of a column that the shades 1, 2, … stand for; the last shade is above all. */
    static final List<Double> SHADES = List.of(0.01, 0.03, 0.1, 0.25, 0.5);

    private static final int STEPS_AN_OCTAVE = 4;
    private static final int STEPS = 43 * STEPS_AN_OCTAVE;

    private final List<long @Nullable []> columns = new ArrayList<>();
    private long first;
    private long widthSeconds = 1;

    /**
     * Adds values of a span of time to each of its columns: the shades are shares of a column, so that a long span looks like many short
     * ones.
     *
     * @param from seconds since the start of the session, exclusive; a time before the first column counts there
     * @param to the end of the span, inclusive; not below {@code from}
     */
    void add(long from, long to, ValueCounts added) {
        long last = Math.floorDiv(to, widthSeconds);
        if (columns.isEmpty()) {
            first = last;
        }
        while (last - first >= COLUMNS_MAX) {
            joinNeighbours();
            last = Math.floorDiv(to, widthSeconds);
        }
        int end = (int) Math.max(0, last - first);
        while (columns.size() <= end) {
            columns.add(null);
        }
        int start = (int) Math.max(0, Math.min(end, Math.floorDiv(from, widthSeconds) + 1 - first));
        for (int place = start; place <= end; place++) {
            add(place, added);
        }
    }

    private void add(int place, ValueCounts added) {
        if (added.total() > 0) {
            long[] old = columns.get(place);
            long[] counts = old == null ? new long[STEPS] : old;
            for (int i = 0; i < added.values().length; i++) {
                counts[step(added.values()[i])] += added.counts()[i];
            }
            columns.set(place, counts);
        }
    }

    private static int step(long value) {
        return Math.min(STEPS - 1, (int) (Math.log((double) Math.max(1, value)) / Math.log(2) * STEPS_AN_OCTAVE));
    }

    private void joinNeighbours() {
        List<long @Nullable []> joined = new ArrayList<>();
        long start = Math.floorDiv(first, 2);
        for (int i = 0; i < columns.size(); i++) {
            int place = (int) (Math.floorDiv(first + i, 2) - start);
            if (joined.size() <= place) {
                joined.add(null);
            }
            long[] from = columns.get(i);
            long[] to = joined.get(place);
            if (to == null) {
                joined.set(place, from);
            } else if (from != null) {
                for (int step = 0; step < STEPS; step++) {
                    to[step] += from[step];
                }
            }
        }
        columns.clear();
        columns.addAll(joined);
        first = start;
        widthSeconds *= 2;
    }

    /**
     * The map for the page: {@code start_s}, {@code width_s}, {@code edges_ns} (one more than rows, from the bottom) and {@code columns}: a
     * text for each, with the shade of each row from the bottom as a digit, or null without values. Null without any value.
     */
    @Nullable
    Map<String, Object> tree() {
        int low = STEPS;
        int high = 0;
        for (long[] column : columns) {
            for (int step = 0; column != null && step < STEPS; step++) {
                if (column[step] > 0) {
                    low = Math.min(low, step);
                    high = Math.max(high, step + 1);
                }
            }
        }
        if (high == 0) {
            return null;
        }
        int stepsARow = (high - low + ROWS_MAX - 1) / ROWS_MAX;
        int rows = (high - low + stepsARow - 1) / stepsARow;
        List<Long> edges = new ArrayList<>();
        for (int row = 0; row <= rows; row++) {
            edges.add(Math.round(Math.pow(2, (low + (double) row * stepsARow) / STEPS_AN_OCTAVE)));
        }
        List<@Nullable String> shades = new ArrayList<>();
        for (long[] column : columns) {
            shades.add(column == null ? null : shades(column, low, stepsARow, rows));
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("start_s", first * widthSeconds);
        tree.put("width_s", widthSeconds);
        tree.put("edges_ns", edges);
        tree.put("columns", shades);
        return tree;
    }

    private static String shades(long[] column, int low, int stepsARow, int rows) {
        long all = Arrays.stream(column).sum();
        StringBuilder text = new StringBuilder(rows);
        for (int row = 0; row < rows; row++) {
            long count = 0;
            for (int step = low + row * stepsARow; step < Math.min(STEPS, low + (row + 1) * stepsARow); step++) {
                count += column[step];
            }
            text.append((char) ('0' + shade(count, all)));
        }
        return text.toString();
    }

    /** The shade of a cell: 0 without values, 1 for the smallest share of its column. */
    private static int shade(long count, long all) {
        if (count == 0) {
            return 0;
        }
        double share = (double) count / (double) all;
        int shade = 1;
        while (shade <= SHADES.size() && share > SHADES.get(shade - 1)) {
            shade++;
        }
        return shade;
    }
}
