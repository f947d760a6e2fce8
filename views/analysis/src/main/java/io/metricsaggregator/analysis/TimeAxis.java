package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.SampleClock;
import io.metricsaggregator.snapshot.telemetry.TimeBuckets;

/**
 * The time axis that all plots of a run share: seconds since the start of its session, or since the start of the daemon without a session. Wall-clock
 * times are relative to the wall clock of the daemon. A monotonic clock of a producer is assumed to be that of the daemon, which holds on the same
 * host; if that puts the session outside the run, the first slice starts with the run.
 */
public final class TimeAxis {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long SLACK_NANOS = 60_000_000_000L;

    private final long originMonotonic;
    private final long originWall;

    public TimeAxis(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.isNone()) {
            originMonotonic = 0;
            originWall = 0;
            return;
        }
        RunInfo run = extensions.run();
        long offset = run.wallNanos() - snapshot.timestampNanos();
        Slices slices = extensions.slices();
        if (slices.length() == 0) {
            originWall = run.startedWallNanos();
            originMonotonic = originWall - offset;
            return;
        }
        originMonotonic = slices.startNanos();
        long wall = originMonotonic + offset;
        boolean plausible = wall >= run.startedWallNanos() - SLACK_NANOS && wall <= run.wallNanos() + SLACK_NANOS;
        originWall = plausible ? wall : run.startedWallNanos();
    }

    /** Seconds on the axis of a time on {@code clock}, which is {@code wall} or a monotonic clock. */
    public double seconds(String clock, long nanos) {
        return (nanos - (clock.equals("wall") ? originWall : originMonotonic)) / NANOS_PER_SECOND;
    }

    /** The middles of buckets, in seconds on the axis; of at most 100,000 buckets. */
    public double[] middles(TimeBuckets buckets, SampleClock clock) {
        int count = (int) Math.max(0, Math.min(100_000, buckets.count()));
        double[] seconds = new double[count];
        for (int i = 0; i < count; i++) {
            seconds[i] = seconds(clock.wireName(), buckets.startNanos() + i * buckets.widthNanos())
                    + buckets.widthNanos() / NANOS_PER_SECOND / 2;
        }
        return seconds;
    }
}
