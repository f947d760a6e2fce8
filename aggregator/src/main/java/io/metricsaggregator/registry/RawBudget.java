package io.metricsaggregator.registry;

/** Memory for raw values, shared by all series of a registry. */
public final class RawBudget {
    private final long maxBytes;
    private long usedBytes;

    /** At most {@code maxBytes} for all series together. */
    public RawBudget(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Takes {@code bytes}, if they are there. */
    boolean take(long bytes) {
        if (usedBytes + bytes > maxBytes) {
            return false;
        }
        usedBytes += bytes;
        return true;
    }

    void giveBack(long bytes) {
        usedBytes -= bytes;
    }

    /** Bytes in use. */
    public long usedBytes() {
        return usedBytes;
    }
}
