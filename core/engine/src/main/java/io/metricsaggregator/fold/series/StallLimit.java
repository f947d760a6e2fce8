package io.metricsaggregator.fold.series;

import io.metricsaggregator.registry.LongSeries;
import org.jspecify.annotations.Nullable;

/**
 * The time without an answer from which an endpoint counts as stalled. Unless it is configured, it follows from the run: a long prefill alone
 * in flight is not a stall. Belongs to the thread of the fold; computing it allocates nothing.
 */
public final class StallLimit {
    /** Follows from the run. */
    static final long AUTO = -1;
    /** Stalls are not looked for. */
    static final long OFF = 0;
    /** No time is as long. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final long SECOND = 1_000_000_000L;
    private static final long UNKNOWN = 300 * SECOND;
    private static final long STREAMED_MIN = 30 * SECOND;
    private static final long WHOLE_MIN = 300 * SECOND;
    private static final long SAMPLES_MIN = 100;
    private static final int TIMES = 3;
    private static final double P99 = 99;

    private final long configured;
    private final LoadgenSeries series;
    /** The percentile that the last limit was computed from, and the series and its count then: finding one scans a histogram. */
    private @Nullable LongSeries knownOf;

    private long knownCount;
    private long knownP99;

    /**
     * A limit.
     *
     * @param configuredNanos {@link #AUTO}, {@link #OFF} or a time above 0
     */
    public StallLimit(long configuredNanos, LoadgenSeries series) {
        this.configured = configuredNanos;
        this.series = series;
    }

    /** The limit in nanoseconds now; {@link #NEVER} if there is none. */
    public long nanos() {
        if (configured != AUTO) {
            return configured == OFF ? NEVER : configured;
        }
        if (series.sampleLatency.count() < SAMPLES_MIN) {
            return UNKNOWN;
        }
        StreamingSeries streaming = series.knownStreaming();
        return streaming != null && streaming.timeToFirstToken.count() >= SAMPLES_MIN
                ? Math.max(STREAMED_MIN, times(p99(streaming.timeToFirstToken)))
                : Math.max(WHOLE_MIN, times(p99(series.sampleLatency)));
    }

    @SuppressWarnings("ReferenceEquality") // the same series, not one like it
    private long p99(LongSeries of) {
        if (of != knownOf || of.count() != knownCount) {
            knownP99 = of.histogramPercentile(P99);
            knownOf = of;
            knownCount = of.count();
        }
        return knownP99;
    }

    private static long times(long nanos) {
        return nanos > NEVER / TIMES ? NEVER : nanos * TIMES;
    }

    /** A lower bound of {@link #nanos} that costs nothing. */
    public long leastNanos() {
        return configured == AUTO ? STREAMED_MIN : configured == OFF ? NEVER : configured;
    }
}
