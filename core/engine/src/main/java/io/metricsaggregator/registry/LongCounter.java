package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.CounterName;

/** A counter of a run, named as in snapshots. Only the thread that owns the registry writes and reads it. */
public final class LongCounter {
    private final String name;
    private long value;

    /** A counter at 0; in snapshots once it is registered by {@link Registry#register}. */
    public LongCounter(CounterName name) {
        this(name.wire());
    }

    LongCounter(String name) {
        this.name = name;
    }

    /** Returns its name in snapshots. */
    public String name() {
        return name;
    }

    /** Returns the count so far. */
    public long value() {
        return value;
    }

    /** Adds one. */
    public void increment() {
        value++;
    }

    /** Adds {@code amount}, which must not be negative. */
    public void add(long amount) {
        value += amount;
    }

    /** Sets the value: for a counter that mirrors a duration or a count kept elsewhere. */
    public void set(long newValue) {
        value = newValue;
    }
}
