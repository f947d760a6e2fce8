package io.metricsaggregator.fold.series;

import io.metricsaggregator.snapshot.figures.Rate;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes rates over the last 1, 10 and 60 seconds from totals that are sampled on every tick. Times are of the daemon's monotonic
 * clock, in nanoseconds. Belongs to the thread of the main flow; sampling allocates nothing.
 */
public final class RateMeter {
    private static final int[] WINDOWS_SECONDS = {1, 10, 60};
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** A sample closer than this to the one before the last replaces the last, so that 60 s fit at any tick interval. */
    private static final long SPACING_NANOS = NANOS_PER_SECOND / 20;

    /** Samples kept; a fifth more than 60 s of them, because two may be a tick closer together. */
    private static final int SAMPLES = 60 * 25;

    private static final int TOTALS = 6;

    private final long[] times = new long[SAMPLES];
    private final long[][] totals = new long[SAMPLES][TOTALS];
    private int newest = -1;
    private int size;

    /**
     * Takes the totals as of {@code nowNanos}.
     *
     * @param failed errors, as counted by the reference
     * @param bytes of frames received
     * @param good samples that met every objective; 0 without objectives
     */
    public void sample(long nowNanos, long records, long issued, long completed, long failed, long bytes, long good) {
        boolean crowded = size >= 2 && nowNanos - times[before(newest)] < SPACING_NANOS;
        if (!crowded) {
            newest = (newest + 1) % SAMPLES;
            size = Math.min(size + 1, SAMPLES);
        }
        times[newest] = nowNanos;
        long[] at = totals[newest];
        at[0] = records;
        at[1] = issued;
        at[2] = completed;
        at[3] = failed;
        at[4] = bytes;
        at[5] = good;
    }

    private static int before(int sample) {
        return sample == 0 ? SAMPLES - 1 : sample - 1;
    }

    /** Returns the rates as of the last sample, per second; all 0 before the second one. */
    public List<Rate> rates() {
        List<Rate> rates = new ArrayList<>(WINDOWS_SECONDS.length);
        for (int window : WINDOWS_SECONDS) {
            rates.add(rate(window));
        }
        return rates;
    }

    private Rate rate(int windowSeconds) {
        if (size < 2) {
            return new Rate(windowSeconds, 0, 0, 0, 0, 0, 0, 0);
        }
        int from = newest;
        long wanted = times[newest] - windowSeconds * NANOS_PER_SECOND;
        for (int i = 1; i < size; i++) {
            from = before(from);
            if (times[from] <= wanted) {
                break;
            }
        }
        double seconds = (times[newest] - times[from]) / (double) NANOS_PER_SECOND;
        if (seconds <= 0) {
            return new Rate(windowSeconds, 0, 0, 0, 0, 0, 0, 0);
        }
        double[] perSecond = new double[TOTALS];
        for (int i = 0; i < TOTALS; i++) {
            perSecond[i] = (totals[newest][i] - totals[from][i]) / seconds;
        }
        return new Rate(
                windowSeconds,
                seconds,
                perSecond[0],
                perSecond[1],
                perSecond[2],
                perSecond[3],
                perSecond[4],
                perSecond[5]);
    }
}
