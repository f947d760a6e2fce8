package io.metricsaggregator.telemetry.fold;

/**
 * Limits the rows of all tables that share the budget. It bounds a product, such as names × keys, whose factors have limits of their own. Each row also
 * takes its estimated bytes from the {@link Allowance} of all telemetry. Belongs to the thread that applies events.
 */
public final class RowBudget {
    private final int max;
    private final int bytesEach;
    private final Allowance allowance;
    private int rows;
    private long refused;

    /**
     * A budget without rows.
     *
     * @param max maximum number of rows
     * @param bytesEach estimated bytes of heap per row
     */
    public RowBudget(int max, int bytesEach, Allowance allowance) {
        this.max = max;
        this.bytesEach = bytesEach;
        this.allowance = allowance;
    }

    /** Takes a row; returns false and counts a refusal if none is left. */
    public boolean take() {
        if (rows < max && allowance.take(bytesEach)) {
            rows++;
            return true;
        }
        refused++;
        return false;
    }

    /** Returns rows that were taken. */
    public void giveBack(int count) {
        rows -= count;
        allowance.giveBack((long) count * bytesEach);
    }

    /** Number of refused rows. */
    public long refused() {
        return refused;
    }
}
