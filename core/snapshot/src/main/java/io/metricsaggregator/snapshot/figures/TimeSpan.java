package io.metricsaggregator.snapshot.figures;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A span of time on one clock, in ns.
 *
 * @param fromNanos start
 * @param toNanos end, not before the start
 */
public record TimeSpan(long fromNanos, long toNanos) {
    public TimeSpan {
        if (toNanos < fromNanos) {
            throw new IllegalArgumentException("the span " + fromNanos + " to " + toNanos + " ends before it starts");
        }
    }

    /** Length in seconds. */
    public double seconds() {
        return ((double) toNanos - fromNanos) / 1e9;
    }

    /** The union of spans that may overlap, as disjoint spans in order of time. */
    public static List<TimeSpan> union(List<TimeSpan> spans) {
        List<TimeSpan> union = new ArrayList<>();
        for (TimeSpan each : spans.stream()
                .sorted(Comparator.comparingLong(TimeSpan::fromNanos))
                .toList()) {
            TimeSpan last = union.isEmpty() ? null : union.get(union.size() - 1);
            if (last != null && each.fromNanos <= last.toNanos) {
                union.set(union.size() - 1, new TimeSpan(last.fromNanos, Math.max(last.toNanos, each.toNanos)));
            } else {
                union.add(each);
            }
        }
        return union;
    }
}
