package io.metricsaggregator.fold;

import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.HdrRange;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * The series of the load-generator events, by the names and in the order of MLCommons endpoints, and behind them the same
 * durations of failed samples alone: what failed fast must not make the whole look fast.
 */
final class LoadgenSeries {
    final LongSeries sampleLatency;
    final LongSeries inputLength;
    final LongSeries outputLength;
    final @Nullable LongSeries timeToFirstToken;
    final @Nullable LongSeries chunkDelta;
    final @Nullable DoubleSeries timePerToken;
    final LongSeries failedLatency;
    final @Nullable LongSeries failedTimeToFirstToken;

    private final Registry registry;
    private final boolean streaming;
    private final LongCounter overflowed;
    private @Nullable ScheduleSeries schedule;

    LoadgenSeries(Registry registry, boolean streaming, LongCounter overflowed) {
        this.registry = registry;
        this.streaming = streaming;
        this.overflowed = overflowed;
        sampleLatency = registry.longSeries("sample_latency_ns", HdrRange.DURATION_NANOS);
        inputLength = registry.longSeries("isl", HdrRange.TOKENS);
        // Token counts come from a tokenizer; without one osl and tpot_ns are there and stay empty.
        outputLength = registry.longSeries("osl", HdrRange.TOKENS);
        timeToFirstToken = streaming ? registry.longSeries("ttft_ns", HdrRange.DURATION_NANOS) : null;
        chunkDelta = streaming ? registry.longSeries("chunk_delta_ns", HdrRange.DURATION_NANOS) : null;
        timePerToken = streaming ? registry.doubleSeries("tpot_ns", HdrRange.DURATION_NANOS) : null;
        sampleLatency.certify();
        if (timePerToken != null) {
            timePerToken.certify();
        }
        if (timeToFirstToken != null) {
            timeToFirstToken.certify();
        }
        failedLatency = registry.longSeries("failed_sample_latency_ns", HdrRange.DURATION_NANOS);
        failedTimeToFirstToken = streaming ? registry.longSeries("failed_ttft_ns", HdrRange.DURATION_NANOS) : null;
    }

    /** The series of samples with a schedule, made when they are first asked for. */
    ScheduleSeries schedule() {
        ScheduleSeries known = schedule;
        if (known == null) {
            known = new ScheduleSeries(registry, streaming);
            schedule = known;
        }
        return known;
    }

    /** Records a duration, if the series exists in this run; one beyond 64 bits is counted instead. */
    void record(@Nullable LongSeries series, long startNanos, long endNanos) {
        if (series == null) {
            return;
        }
        if (Durations.fits(startNanos, endNanos)) {
            series.record(endNanos - startNanos);
        } else {
            overflowed.increment();
        }
    }
}
