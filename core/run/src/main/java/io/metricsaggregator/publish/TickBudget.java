package io.metricsaggregator.publish;

/**
 * Sets the interval between snapshots: the configured one, unless snapshots cost too much. Belongs to the thread that ticks. The limits
 * are shares of the interval: 5 % of the thread that receives, 50 % of the thread that renders. Three snapshots in a row beyond
 * them double the interval; twenty in a row far below them halve it again. The first {@value #COLD} snapshots run before the JVM has compiled the code:
 * they count only if they cost {@value #COLD_FACTOR} times as much.
 */
public final class TickBudget {
    private static final double RECEIVING_SHARE = 0.05;
    private static final double RENDERING_SHARE = 0.5;
    private static final int OVER_IN_A_ROW = 3;
    private static final int UNDER_IN_A_ROW = 20;
    static final int COLD = 40;
    static final int COLD_FACTOR = 4;
    /** Longest interval, unless a longer one is configured. */
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final long wantedNanos;
    private final long longestNanos;
    private long intervalNanos;
    private int over;
    private int under;
    private int cold;
    private long lengthened;

    /** A budget that starts with the configured interval, in nanoseconds. */
    public TickBudget(long wantedNanos) {
        this(wantedNanos, COLD);
    }

    /** A budget whose first {@code cold} snapshots may cost more. */
    TickBudget(long wantedNanos, int cold) {
        this.cold = cold;
        this.wantedNanos = wantedNanos;
        this.longestNanos = Math.max(wantedNanos, LONGEST_NANOS);
        this.intervalNanos = wantedNanos;
    }

    /**
     * Records the cost of a snapshot; returns whether the interval has changed.
     *
     * @param freezeNanos time that the thread that receives spent on copies
     * @param renderNanos time that the thread that renders spent
     */
    public boolean spent(long freezeNanos, long renderNanos) {
        double share = Math.max(freezeNanos / RECEIVING_SHARE, renderNanos / RENDERING_SHARE) / intervalNanos;
        over = share > (cold > 0 ? COLD_FACTOR : 1) ? over + 1 : 0;
        cold = Math.max(0, cold - 1);
        // A quarter, so that the halved interval is still well within the budget.
        under = share < 0.25 ? under + 1 : 0;
        if (over >= OVER_IN_A_ROW && intervalNanos < longestNanos) {
            intervalNanos = Math.min(2 * intervalNanos, longestNanos);
            lengthened++;
            over = 0;
            return true;
        }
        if (under >= UNDER_IN_A_ROW && intervalNanos > wantedNanos) {
            intervalNanos = Math.max(intervalNanos / 2, wantedNanos);
            under = 0;
            return true;
        }
        return false;
    }

    /** Current interval between snapshots, in nanoseconds. */
    public long intervalNanos() {
        return intervalNanos;
    }

    /** Number of times the interval was doubled. */
    public long lengthened() {
        return lengthened;
    }
}
