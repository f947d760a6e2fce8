package io.metricsaggregator.fold.series;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.parts.WindowsPart;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * Counts tracked samples that succeeded, and those whose errors make figures of all samples differ from figures of successes. Load
 * generators such as vLLM's benchmark and AIPerf report successes only, MLCommons endpoints reports all samples. A sample succeeds if it
 * completes without an error before that. Belongs to the thread of the fold.
 */
public final class SuccessCounters {
    /** Tracked samples that succeeded. */
    public final LongCounter succeeded;
    /** Tracked samples that succeeded and had a first chunk. */
    final LongCounter succeededWithFirst;
    /** Tracked samples that had one or more errors since they were last issued. */
    public final LongCounter errored;
    /** Tracked samples that completed after an error and had several chunks. */
    final LongCounter erroredWithGaps;
    /** Tracked samples that completed after an error with a text. */
    final LongCounter erroredWithText;

    private final LongCounter span;
    private long firstIssuedNanos;
    private long lastCompletedNanos;

    public SuccessCounters(Registry registry) {
        succeeded = registry.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED);
        succeededWithFirst = registry.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED_WITH_FIRST_CHUNK);
        errored = registry.counter(CounterName.TRACKED_SAMPLES_ERRORED);
        erroredWithGaps = registry.counter(CounterName.TRACKED_SAMPLES_ERRORED_WITH_CHUNKS);
        erroredWithText = registry.counter(CounterName.TRACKED_SAMPLES_ERRORED_WITH_TEXT);
        span = registry.counter(CounterName.SUCCEEDED_DURATION_NS);
    }

    /** Counts a sample that succeeded; {@code withFirst} if it had a first chunk. */
    public void succeeded(long issuedNanos, long completedNanos, boolean withFirst) {
        boolean first = succeeded.value() == 0;
        firstIssuedNanos = first ? issuedNanos : Math.min(firstIssuedNanos, issuedNanos);
        lastCompletedNanos = first ? completedNanos : Math.max(lastCompletedNanos, completedNanos);
        succeeded.increment();
        if (withFirst) {
            succeededWithFirst.increment();
        }
    }

    /** Takes back the error of the previous attempt of a tracked sample, because the sample is issued again. */
    public void retried(boolean hadError) {
        if (hadError) {
            errored.set(errored.value() - 1);
        }
    }

    /**
     * Counts a sample that completed after an error.
     *
     * @param chunks chunks that it received, a repeated first one counted once
     * @param hasText whether it completed with a text
     */
    public void completedAfterError(int chunks, boolean hasText) {
        if (chunks > 1) {
            erroredWithGaps.increment();
        }
        if (hasText) {
            erroredWithText.increment();
        }
    }

    /** From the first issue to the last completion of samples that succeeded; null before the first. */
    public WindowsPart.@Nullable Span span() {
        return succeeded.value() == 0 ? null : new WindowsPart.Span(firstIssuedNanos, lastCompletedNanos);
    }

    /** Updates the duration from the first issue of a sample that succeeded to the last completion of one. */
    public void refresh() {
        span.set(
                succeeded.value() == 0
                        ? 0
                        : Math.max(0, TimestampMath.saturatedBetween(firstIssuedNanos, lastCompletedNanos)));
    }
}
