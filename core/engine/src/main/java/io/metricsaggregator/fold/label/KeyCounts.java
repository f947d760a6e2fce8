package io.metricsaggregator.fold.label;

import io.metricsaggregator.parts.LabelSums;
import io.metricsaggregator.parts.LabelsPart;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is counted by each value of one label key. Belongs to the thread of the fold; allocates for the first sample with a value. */
final class KeyCounts {
    private final @Nullable LabelCounts[] counts = new @Nullable LabelCounts[LabelKey.CODES];

    /** The counts of a code; a sample issued before the key was known does not have it. */
    LabelCounts of(int code) {
        int row = code == LabelKey.UNKNOWN ? LabelKey.NONE : code;
        LabelCounts known = counts[row];
        if (known == null) {
            known = new LabelCounts();
            counts[row] = known;
        }
        return known;
    }

    /** Counts all samples of another key as samples that do not have this one, instead of those counted so before. */
    void none(KeyCounts all, ProgressFold progress) {
        LabelCounts sum = null;
        for (LabelCounts each : all.counts) {
            if (each != null) {
                sum = sum == null ? new LabelCounts() : sum;
                sum.add(each);
            }
        }
        if (sum != null) {
            sum.restart(progress);
        }
        counts[LabelKey.NONE] = sum;
    }

    /** Begins the wait of every value that has samples in flight with the present time: the answers before were not noted. */
    void restart(ProgressFold progress) {
        for (LabelCounts each : counts) {
            if (each != null) {
                each.restart(progress);
            }
        }
    }

    /** Whether any sample does not have the key, in a run that has it. */
    boolean hasNone() {
        return counts[LabelKey.NONE] != null;
    }

    /** Ends and begins the wait of every value; see {@link LabelCounts#rebase}. */
    void rebase(long fromNanos, long toNanos, ProgressFold progress) {
        for (LabelCounts each : counts) {
            if (each != null) {
                each.rebase(fromNanos, toNanos, progress);
            }
        }
    }

    /** Interrupts the wait of every value; see {@link LabelCounts#outage}. */
    void outage(@Nullable Long receivedNanos, long readyNanos, ProgressFold progress) {
        for (LabelCounts each : counts) {
            if (each != null) {
                each.outage(receivedNanos, readyNanos, progress);
            }
        }
    }

    /** Copies the counts: values in the order of their codes, then samples without the key, then all others. */
    LabelBreakdown.Key summary(LabelKey key, ProgressFold progress, boolean judged) {
        List<LabelBreakdown.Value> rows = new ArrayList<>(key.values().size() + 2);
        int code = LabelKey.FIRST;
        for (String value : key.values()) {
            LabelCounts each = counts[code++];
            rows.add((each == null ? new LabelCounts() : each).summary(value, progress, judged));
        }
        addShared(LabelKey.NONE, LabelBreakdown.NONE, rows, progress, judged);
        addShared(LabelKey.OTHER, LabelBreakdown.OTHER, rows, progress, judged);
        return new LabelBreakdown.Key(key.name(), rows);
    }

    private void addShared(
            int code, String value, List<LabelBreakdown.Value> rows, ProgressFold progress, boolean judged) {
        LabelCounts each = counts[code];
        if (each != null) {
            rows.add(each.summary(value, progress, judged));
        }
    }

    /** Adds copies of the counts to the sums of a part. */
    void addTo(int k, Map<Integer, LabelSums> sums) {
        for (int code = 0; code < counts.length; code++) {
            LabelCounts each = counts[code];
            if (each != null) {
                sums.put(LabelsPart.place(k, code), each.part());
            }
        }
    }
}
