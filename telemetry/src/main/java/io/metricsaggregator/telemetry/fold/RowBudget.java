package io.metricsaggregator.telemetry.fold;

/**
 * How many rows of one kind there may be, over all tables that share the budget: it bounds a product, such as names × keys, where each
 * factor has a bound of its own. Each row also takes its estimated bytes from the {@link Allowance} of all telemetry. One thread.
 */
public final class RowBudget {
    private final int max;
    private final int bytesEach;
    private final Allowance allowance;
    private int rows;
    private long refused;

    public RowBudget(int max, int bytesEach, Allowance allowance) {
        this.max = max;
        this.bytesEach = bytesEach;
        this.allowance = allowance;
    }

    /** Takes a row; false if there is none left, which is counted. */
    public boolean take() {
        if (rows < max && allowance.take(bytesEach)) {
            rows++;
            return true;
        }
        refused++;
        return false;
    }

    /** Gives rows back. */
    public void giveBack(int count) {
        rows -= count;
        allowance.giveBack((long) count * bytesEach);
    }

    /** Records that found no row of their own. */
    public long refused() {
        return refused;
    }
}
