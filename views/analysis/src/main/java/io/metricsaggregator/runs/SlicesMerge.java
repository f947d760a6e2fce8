package io.metricsaggregator.runs;

import io.metricsaggregator.catalogue.Unit;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Merges the time slices of runs that started together, aligned at the start of each session because clocks of hosts are not comparable.
 * Counts add up, maxima stay, and percentiles, which do not add up, are omitted.
 */
final class SlicesMerge {
    private SlicesMerge() {}

    static Slices merge(List<Slices> parts, SaturatingSums sums) {
        long width = parts.stream().mapToLong(Slices::widthNanos).max().orElse(1);
        int length = 0;
        Set<String> names = new LinkedHashSet<>();
        long outside = 0;
        for (Slices each : parts) {
            int factor = (int) (width / each.widthNanos());
            length = Math.max(length, (each.length() + factor - 1) / factor);
            each.columns().forEach(column -> names.add(column.name()));
            outside = sums.add("records outside the time slices", outside, each.outside());
        }
        List<Slices.Column> columns = new ArrayList<>();
        for (String name : names) {
            columns.add(new Slices.Column(name, column(parts, name, width, length, sums)));
        }
        return new Slices(0, width, outside, columns);
    }

    private static long[] column(List<Slices> parts, String name, long width, int length, SaturatingSums sums) {
        String what = "time slices of " + name;
        long[] merged = new long[length];
        boolean isMax = name.contains("_max");
        boolean isPercentile = name.matches(".*_p[\\d_]+_ns");
        for (int i = 0; i < length; i++) {
            merged[i] = isPercentile || Unit.isNanoseconds(name) ? Slices.NOT_MEASURED : 0;
        }
        for (Slices each : parts) {
            long[] values = each.column(name);
            if (values == null || isPercentile) {
                continue;
            }
            int factor = (int) (width / each.widthNanos());
            long[] wide = new long[length];
            for (int i = 0; i < length; i++) {
                wide[i] = Slices.NOT_MEASURED;
            }
            for (int i = 0; i < values.length; i++) {
                int at = i / factor;
                long value = values[i];
                if (value == Slices.NOT_MEASURED) {
                    continue;
                }
                boolean first = wide[at] == Slices.NOT_MEASURED;
                wide[at] = first
                        ? value
                        : isMax
                                ? Math.max(wide[at], value)
                                : name.equals("in_flight") ? value : sums.add(what, wide[at], value);
            }
            for (int i = 0; i < length; i++) {
                if (wide[i] != Slices.NOT_MEASURED) {
                    boolean first = merged[i] == Slices.NOT_MEASURED;
                    // The sum of the peaks in flight is an upper bound of the common peak.
                    boolean largest = isMax && !name.startsWith("in_flight");
                    merged[i] = first
                            ? wide[i]
                            : largest ? Math.max(merged[i], wide[i]) : sums.add(what, merged[i], wide[i]);
                }
            }
        }
        return merged;
    }
}
