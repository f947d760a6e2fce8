package io.metricsaggregator.telemetry.fold;

/** Bytes of heap that all telemetry shares. An owner takes bytes before it grows, and keeps fewer values if none are left. Belongs to the thread that applies events. */
public final class Allowance {
    private final long max;
    private long used;

    /**
     * An allowance of which nothing is taken.
     *
     * @param max maximum number of bytes
     */
    public Allowance(long max) {
        this.max = max;
    }

    /** An allowance without a limit. */
    public static Allowance unlimited() {
        return new Allowance(Long.MAX_VALUE);
    }

    /** Takes bytes; returns false and takes none if fewer are left. */
    public boolean take(long bytes) {
        if (bytes > max - used) {
            return false;
        }
        used += bytes;
        return true;
    }

    /** Returns bytes that were taken. */
    public void giveBack(long bytes) {
        used -= bytes;
    }

    /** Bytes that are taken. */
    public long used() {
        return used;
    }
}
