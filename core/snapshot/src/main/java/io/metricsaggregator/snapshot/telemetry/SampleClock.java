package io.metricsaggregator.snapshot.telemetry;

/** The clock that orders telemetry samples. */
public enum SampleClock {
    /** Nanoseconds since 1970 UTC, comparable between hosts. */
    WALL("wall"),
    /** The monotonic clock of the producer's host. */
    MONOTONIC("monotonic");

    private final String wireName;

    SampleClock(String wireName) {
        this.wireName = wireName;
    }

    /** The name in a snapshot. */
    public String wireName() {
        return wireName;
    }

    /** The clock of that name; any other name is the monotonic clock, which is compared with nothing. */
    static SampleClock of(String wireName) {
        return wireName.equals(WALL.wireName) ? WALL : MONOTONIC;
    }
}
