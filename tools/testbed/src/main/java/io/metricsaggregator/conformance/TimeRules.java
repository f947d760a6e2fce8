package io.metricsaggregator.conformance;

import java.util.Locale;

/** Judges the clock of the timestamps ({@link Level#TIME}). One owner at a time. */
final class TimeRules {
    private static final long MILLI = 1_000_000L;
    /** The smallest delay between an event and its receipt where the script gives the producer time. */
    private static final long DELAY_MAX = 10 * MILLI;
    /** The same in other cases, where a cold or busy producer may send all of its few records late. */
    private static final long LONG_DELAY_MAX = 1000 * MILLI;
    /** Two clocks of one host are the same, so a record cannot come from the future. */
    private static final long FUTURE_MAX = MILLI;
    /** 2001 as nanoseconds since 1970; as uptime, 31 years. */
    private static final long EPOCH_MIN = 1_000_000_000L * 1_000_000_000L;

    private final Tally tally;
    private long least = Long.MAX_VALUE;
    private long leastTime;
    private boolean any;
    private boolean epoch;

    TimeRules(Tally tally) {
        this.tally = tally;
    }

    void record(SeenRecord record) {
        Long time = record.integer("timestamp_ns");
        boolean present = time != null && time != 0;
        tally.judge(Rule.TIME_PRESENT, present, () -> record.where() + " has no timestamp_ns");
        if (time == null || !present) {
            return;
        }
        any = true;
        boolean wall = time >= EPOCH_MIN;
        tally.judge(
                Rule.NOT_EPOCH,
                !wall,
                () -> record.where() + " has timestamp_ns " + time + ", a time since 1970 on the wall clock");
        epoch |= wall;
        long delay = record.receivedNanos() - time;
        if (!wall && delay < -FUTURE_MAX) {
            tally.breach(
                    Rule.MONOTONIC_CLOCK,
                    record.where() + " has a timestamp_ns " + seconds(-delay)
                            + " s after its receipt on this host's CLOCK_MONOTONIC");
        }
        if (delay < least) {
            least = delay;
            leastTime = time;
        }
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e9);
    }

    /**
     * Judges the offset between the producer's clock and this host's.
     *
     * @param sameHost whether the producer runs on this host; otherwise clocks cannot be compared
     * @param precise whether one record at least must have arrived within 10 ms
     */
    void finish(boolean sameHost, boolean precise) {
        if (any && !epoch && sameHost) {
            tally.judge(
                    Rule.MONOTONIC_CLOCK,
                    least <= (precise ? DELAY_MAX : LONG_DELAY_MAX),
                    () -> "every record is at least " + seconds(least)
                            + " s older at its receipt than its timestamp_ns (" + leastTime
                            + ") says: another clock, unit or start time");
        }
    }
}
