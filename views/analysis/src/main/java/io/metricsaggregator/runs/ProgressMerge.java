package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.Stall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waits for answers of several runs as one: stalls and their lengths add up, the state is the worst, the longest wait is that of any run. The
 * limits are left out, because each run has its own.
 */
final class ProgressMerge {
    private static final String WHAT = "stalls";
    private static final List<ProgressState> FROM_BEST = List.of(
            ProgressState.IDLE,
            ProgressState.OK,
            ProgressState.SLOW,
            ProgressState.BLIND,
            ProgressState.CLIENT_GONE,
            ProgressState.STALLED);

    private final SaturatingSums sums;

    ProgressMerge(SaturatingSums sums) {
        this.sums = sums;
    }

    /** The waits of all runs; null unless every run has them. */
    @Nullable
    Progress merge(List<SnapshotExtensions> all) {
        Progress merged = null;
        for (SnapshotExtensions each : all) {
            Progress next = each.optional().progress();
            if (next == null) {
                return null;
            }
            merged = merged == null ? withoutLimits(next) : add(merged, next);
        }
        return merged;
    }

    private static Progress withoutLimits(Progress one) {
        return new Progress(
                one.state(),
                one.idleNanos(),
                null,
                null,
                one.longestIdleNanos(),
                one.endpointStalls(),
                one.stalledNanos(),
                one.stalls(),
                one.interruptedBy());
    }

    private Progress add(Progress a, Progress b) {
        List<Stall> stalls = new ArrayList<>(a.stalls());
        stalls.addAll(b.stalls());
        return new Progress(
                FROM_BEST.indexOf(a.state()) >= FROM_BEST.indexOf(b.state()) ? a.state() : b.state(),
                longest(a.idleNanos(), b.idleNanos()),
                null,
                null,
                Math.max(a.longestIdleNanos(), b.longestIdleNanos()),
                sums.add(WHAT, a.endpointStalls(), b.endpointStalls()),
                sums.add(WHAT, a.stalledNanos(), b.stalledNanos()),
                stalls.subList(0, Math.min(Progress.STALLS_MAX, stalls.size())),
                a.interruptedBy() == null ? b.interruptedBy() : a.interruptedBy());
    }

    private static @Nullable Long longest(@Nullable Long a, @Nullable Long b) {
        return a == null ? b : b == null ? a : (Long) Math.max(a, b);
    }
}
