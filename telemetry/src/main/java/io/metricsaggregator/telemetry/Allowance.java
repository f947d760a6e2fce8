package io.metricsaggregator.telemetry;

/** Bytes of heap that all telemetry shares. What takes bytes asks first, and does with less if it gets none. One thread. */
final class Allowance {
    private final long max;
    private long used;

    /**
     * An allowance, unused.
     *
     * @param max bytes
     */
    Allowance(long max) {
        this.max = max;
    }

    /** One that never ends. */
    static Allowance unlimited() {
        return new Allowance(Long.MAX_VALUE);
    }

    /** Takes bytes; false, and nothing taken, if fewer are left. */
    boolean take(long bytes) {
        if (bytes > max - used) {
            return false;
        }
        used += bytes;
        return true;
    }

    /** Gives bytes back that had been taken. */
    void giveBack(long bytes) {
        used -= bytes;
    }

    long used() {
        return used;
    }
}
