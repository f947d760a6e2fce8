package io.metricsaggregator.web.model;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the last seconds of a run: what the page calls now. Immutable.
 *
 * @param seconds the length of the window; a younger run, or longer steps, may cover less or more
 * @param steps the steps that begin within it, and the one before, from whose end the changes count
 */
record RecentWindow(int seconds, List<Step> steps) {
    private static final double SECOND = 1e9;

    RecentWindow {
        steps = List.copyOf(steps);
    }

    /**
     * The state at the end of a step, and the values that the step added.
     *
     * @param timestampNanos the daemon's monotonic clock
     * @param completed samples completed so far
     * @param outputTokens output tokens so far; null if none was counted
     * @param workers records by worker
     * @param errors rows by kind of error
     * @param added new values by series
     */
    record Step(
            long timestampNanos,
            long completed,
            @Nullable Double outputTokens,
            Map<String, Long> workers,
            List<SnapshotExtensions.ErrorRow> errors,
            Map<SeriesName, ValueCounts> added) {}

    private @Nullable Step first() {
        return steps.isEmpty() ? null : steps.get(0);
    }

    private @Nullable Step last() {
        return steps.isEmpty() ? null : steps.get(steps.size() - 1);
    }

    /** The values of a series within the window; {@link ValueCounts#NONE} without any. */
    ValueCounts values(SeriesName name) {
        return ValueCounts.sum(steps.stream()
                .skip(steps.size() > 1 ? 1 : 0)
                .map(step -> step.added.get(name))
                .filter(Objects::nonNull)
                .toList());
    }

    /** The change of a figure in the window per second; null with fewer than two steps, or where the figure is unknown. */
    private @Nullable Double perSecond(@Nullable Double before, @Nullable Double after) {
        Step from = first();
        Step to = last();
        if (from == null || to == null || before == null || after == null) {
            return null;
        }
        double seconds = (to.timestampNanos - from.timestampNanos) / SECOND;
        return seconds <= 0 ? null : (Double) ((after - before) / seconds);
    }

    /** Samples completed a second in the window; null with fewer than two steps. */
    @Nullable
    Double completedPerSecond() {
        Step from = first();
        Step to = last();
        return from == null || to == null ? null : perSecond((double) from.completed, (double) to.completed);
    }

    /** Output tokens a second in the window; null with fewer than two steps, or without counted outputs. */
    @Nullable
    Double tokensPerSecond() {
        Step from = first();
        Step to = last();
        return from == null || to == null ? null : perSecond(from.outputTokens, to.outputTokens);
    }

    /** Records of a worker a second in the window; null with fewer than two steps. */
    @Nullable
    Double recordsPerSecond(SnapshotExtensions.WorkerRow row) {
        Step from = first();
        Step to = last();
        return from == null || to == null ? null : perSecond(records(from, row.worker()), records(to, row.worker()));
    }

    private static double records(Step step, String worker) {
        return step.workers.getOrDefault(worker, 0L);
    }

    /** Errors of a kind in the window; 0 with fewer than two steps. */
    long errors(SnapshotExtensions.ErrorRow row) {
        Step from = first();
        Step to = last();
        return from == null || to == null || from.equals(to) ? 0 : errors(to, row) - errors(from, row);
    }

    private static long errors(Step step, SnapshotExtensions.ErrorRow row) {
        return step.errors.stream()
                .filter(each -> each.event().equals(row.event()) && each.type().equals(row.type()))
                .mapToLong(SnapshotExtensions.ErrorRow::count)
                .sum();
    }
}
