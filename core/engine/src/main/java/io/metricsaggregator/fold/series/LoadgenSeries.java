package io.metricsaggregator.fold.series;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import org.jspecify.annotations.Nullable;

/**
 * The series of the load generator's events, with the names and in the order of MLCommons endpoints, followed by the latency of failed
 * samples alone, so that fast failures cannot pass for fast samples. Belongs to the thread of the fold.
 */
public final class LoadgenSeries {
    public final LongSeries sampleLatency;
    public final LongSeries inputLength;
    public final LongSeries outputLength;
    public final LongSeries failedLatency;

    private final Registry registry;
    private final Streaming mode;
    private final LongCounter overflowed;
    private @Nullable StreamingSeries streaming;
    private boolean leftOut;
    private @Nullable ScheduleSeries schedule;

    public LoadgenSeries(Registry registry, Streaming mode, LongCounter overflowed, SuccessCounters successes) {
        this.registry = registry;
        this.mode = mode;
        this.overflowed = overflowed;
        sampleLatency = registry.longSeries(SeriesName.SAMPLE_LATENCY_NS);
        inputLength = registry.longSeries(SeriesName.ISL);
        // Token counts come from a tokenizer; without one this series exists and stays empty.
        outputLength = registry.longSeries(SeriesName.OSL);
        streaming = mode == Streaming.ON ? new StreamingSeries(registry) : null;
        sampleLatency.certify();
        failedLatency = registry.longSeries(SeriesName.FAILED_SAMPLE_LATENCY_NS);
        registry.remainder(
                SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS, sampleLatency, failedLatency, successes.succeeded::value);
    }

    /**
     * Returns the series of streamed answers in order to record a value; registers them for the first value if streaming is detected.
     *
     * @return null in a run without them; the value is noted as left out
     */
    @Nullable
    public StreamingSeries streaming() {
        StreamingSeries known = streaming;
        if (known != null) {
            return known;
        }
        if (mode == Streaming.AUTO) {
            return detected();
        }
        leftOut = true;
        return null;
    }

    /** The series of streamed answers; null if there are none so far. */
    @Nullable
    StreamingSeries knownStreaming() {
        return streaming;
    }

    /** Whether a value of a streamed answer could not be recorded because the run has no such series. */
    public boolean leftOut() {
        return leftOut;
    }

    private StreamingSeries detected() {
        StreamingSeries made = new StreamingSeries(registry);
        streaming = made;
        return made;
    }

    /** Returns the series of samples with a schedule; registers them on first use. */
    public ScheduleSeries schedule() {
        ScheduleSeries known = schedule;
        if (known == null) {
            known = new ScheduleSeries(registry, mode == Streaming.ON);
            schedule = known;
        }
        return known;
    }

    /** Records the duration between two timestamps; one beyond 64 bits is counted as overflowed instead. */
    public void record(LongSeries series, long startNanos, long endNanos) {
        if (TimestampMath.fits(startNanos, endNanos)) {
            series.record(endNanos - startNanos);
        } else {
            overflowed.increment();
        }
    }
}
