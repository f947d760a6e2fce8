package io.metricsaggregator.event;

/** Moves the times of a decoded event to another clock. Stateless. */
public final class RecordTimes {
    private RecordTimes() {}

    /** Moves the times of an event to a clock that is ahead by {@code nanos}; a time beyond 64 bits becomes the nearest 64-bit number. */
    public static void shift(DecodedEvent event, long nanos) {
        event.timestampNanos = TimestampMath.saturatedSum(event.timestampNanos, nanos);
        if (event.hasScheduled) {
            event.scheduledNanos = TimestampMath.saturatedSum(event.scheduledNanos, nanos);
        }
    }
}
