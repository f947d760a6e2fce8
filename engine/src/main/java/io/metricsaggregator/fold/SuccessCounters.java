package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;

/**
 * Which tracked samples succeeded, and what keeps a figure of all samples from being one of the successes alone. Load generators such
 * as vLLM's benchmark and AIPerf report successes only; MLCommons endpoints does not tell them apart. A sample succeeded if it
 * completed and had no error before that.
 */
final class SuccessCounters {
    /** Tracked samples that succeeded. */
    final LongCounter succeeded;
    /** Those of them that had a first chunk. */
    final LongCounter succeededWithFirst;
    /** Tracked samples that had an error, however many; one that was issued again has had none yet. */
    final LongCounter errored;
    /** Tracked samples that completed after an error, and had several chunks. */
    final LongCounter erroredWithGaps;
    /** Tracked samples that completed after an error, with a text. */
    final LongCounter erroredWithText;

    private final LongCounter span;
    private boolean firstsUnsettled;
    private long firstIssuedNanos;
    private long lastCompletedNanos;

    SuccessCounters(Registry registry) {
        succeeded = registry.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED);
        succeededWithFirst = registry.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED_WITH_FIRST_CHUNK);
        errored = registry.counter(CounterName.TRACKED_SAMPLES_ERRORED);
        erroredWithGaps = registry.counter(CounterName.TRACKED_SAMPLES_ERRORED_WITH_CHUNKS);
        erroredWithText = registry.counter(CounterName.TRACKED_SAMPLES_ERRORED_WITH_TEXT);
        span = registry.counter(CounterName.SUCCEEDED_DURATION_NS);
    }

    /** A sample succeeded. */
    void succeeded(long issuedNanos, long completedNanos) {
        boolean first = succeeded.value() == 0;
        firstIssuedNanos = first ? issuedNanos : Math.min(firstIssuedNanos, issuedNanos);
        lastCompletedNanos = first ? completedNanos : Math.max(lastCompletedNanos, completedNanos);
        succeeded.increment();
    }

    /**
     * A tracked sample is issued again, and its times begin anew.
     *
     * @param hadError whether it had an error
     * @param hadFirst whether it had a first chunk, whose time since the earlier issue has been recorded
     */
    void retried(boolean hadError, boolean hadFirst) {
        if (hadError) {
            errored.set(errored.value() - 1);
        }
        firstsUnsettled |= hadFirst;
    }

    /** How many first chunks of successes there are; negative if they cannot be told from those of earlier attempts. */
    long firstChunks() {
        return firstsUnsettled ? -1 : succeededWithFirst.value();
    }

    /** Brings the duration up to date: from the first issue of a sample that succeeded to the last completion of one. */
    void refresh() {
        span.set(
                succeeded.value() == 0
                        ? 0
                        : Math.max(0, TimestampMath.saturatedBetween(firstIssuedNanos, lastCompletedNanos)));
    }
}
