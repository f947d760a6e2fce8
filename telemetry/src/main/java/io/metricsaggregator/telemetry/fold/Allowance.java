package io.metricsaggregator.telemetry.fold;

/** Bytes of heap that all telemetry shares. What takes bytes asks first, and does with less if it gets none. One thread. */
public final class Allowance {
    private final long max;
    private long used;

    /**
     * An allowance, unused.
     *
     * @param max bytes
     */
    public Allowance(long max) {
        this.max = max;
    }

    /** One that never ends. */
    public static Allowance unlimited() {
        return new Allowance(Long.MAX_VALUE);
    }

    /** Takes bytes; false, and nothing taken, if fewer are left. */
    public boolean take(long bytes) {
        if (bytes > max - used) {
            return false;
        }
        used += bytes;
        return true;
    }

    /** Gives bytes back that had been taken. */
    public void giveBack(long bytes) {
        used -= bytes;
    }

    public long used() {
        return used;
    }
}
