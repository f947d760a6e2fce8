package io.metricsaggregator.simulation.life.plan;

import io.metricsaggregator.event.EventType;
import java.util.List;

/**
 * A frame on its way to the daemon.
 *
 * @param atNanos virtual time from which the daemon can read it
 * @param frame its bytes, with the topic
 * @param kind what holds the records
 * @param records its records
 */
@SuppressWarnings("ArrayRecordComponent") // frames are compared by their content where it matters
public record Arrival(long atNanos, byte[] frame, Kind kind, List<Sent> records) {

    /** What a frame holds. */
    public enum Kind {
        RECORD,
        BATCH,
        /** A batch that cannot be read, whose records are lost. */
        MALFORMED_BATCH,
        EMPTY
    }

    /** What is wrong with a record. */
    public enum Oddity {
        NONE,
        /** Its bytes end too early, or are not those of a record. */
        MALFORMED,
        /** It is of a type that no version knows. */
        UNKNOWN,
        /** It is of a sample, and names none. */
        ANONYMOUS
    }

    /**
     * A record as the producer meant it.
     *
     * @param timestampNanos the producer's time
     * @param sample number of the sample, -1 for a record of the session
     * @param worker who sends it
     * @param number its number among those of the worker, from 0
     */
    public record Sent(EventType type, long timestampNanos, int sample, Oddity oddity, int worker, long number) {
        Sent(EventType type, long timestampNanos, int sample, Oddity oddity) {
            this(type, timestampNanos, sample, oddity, 0, 0);
        }

        /** A record without an oddity. */
        public Sent(EventType type, long timestampNanos, int sample) {
            this(type, timestampNanos, sample, Oddity.NONE);
        }

        Sent from(int by, long as) {
            return new Sent(type, timestampNanos, sample, oddity, by, as);
        }
    }
}
