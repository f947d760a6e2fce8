package io.metricsaggregator.publish;

/**
 * How often snapshots may be taken: as often as asked for, unless they cost too much. Belongs to the thread that ticks. The limits
 * are a share of the interval: 5 % of the thread that receives, half of the one that renders. Three snapshots in a row beyond
 * them double the interval; twenty in a row far below them halve it again.
 */
public final class TickBudget {
    private static final double RECEIVING_SHARE = 0.05;
    private static final double RENDERING_SHARE = 0.5;
    private static final int OVER_IN_A_ROW = 3;
    private static final int UNDER_IN_A_ROW = 20;
    /** Longer than this nobody would call it live. */
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final long wantedNanos;
    private final long longestNanos;
    private long intervalNanos;
    private int over;
    private int under;
    private long lengthened;

    /** A budget that starts with the interval asked for. */
    public TickBudget(long wantedNanos) {
        this.wantedNanos = wantedNanos;
        this.longestNanos = Math.max(wantedNanos, LONGEST_NANOS);
        this.intervalNanos = wantedNanos;
    }

    /**
     * Tells what a snapshot cost; answers whether the interval is another now.
     *
     * @param freezeNanos of the thread that receives
     * @param renderNanos of the thread that renders
     */
    public boolean spent(long freezeNanos, long renderNanos) {
        double share = Math.max(freezeNanos / RECEIVING_SHARE, renderNanos / RENDERING_SHARE) / intervalNanos;
        over = share > 1 ? over + 1 : 0;
        // After halving, it must still be well within.
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

    /** Time between snapshots now. */
    public long intervalNanos() {
        return intervalNanos;
    }

    /** How often it was made longer. */
    public long lengthened() {
        return lengthened;
    }
}
