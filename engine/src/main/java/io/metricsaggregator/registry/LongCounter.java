package io.metricsaggregator.registry;

/** One counter. Written by the thread that owns the registry. */
public final class LongCounter {
    private final String name;
    private long value;

    LongCounter(String name) {
        this.name = name;
    }

    /** Its name in snapshots. */
    public String name() {
        return name;
    }

    /** Its value. */
    public long value() {
        return value;
    }

    /** One more. */
    public void increment() {
        value++;
    }

    /** Adds {@code amount}, which is not negative. */
    public void add(long amount) {
        value += amount;
    }

    /** Sets the value, for a counter that follows something else: a duration, or a count kept elsewhere. */
    public void set(long newValue) {
        value = newValue;
    }
}
