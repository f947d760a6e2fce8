package io.metricsaggregator.simulation.life;

import io.metricsaggregator.event.EventType;
import java.util.List;

/**
 * A frame on its way to the daemon.
 *
 * @param atNanos virtual time from which the daemon can read it
 * @param frame its bytes, with the topic
 * @param records its records
 */
@SuppressWarnings("ArrayRecordComponent") // frames are compared by their content where it matters
record Arrival(long atNanos, byte[] frame, List<Sent> records) {

    /**
     * A record as the producer meant it.
     *
     * @param timestampNanos the producer's time
     * @param sample number of the sample, -1 for a record of the session
     */
    record Sent(EventType type, long timestampNanos, int sample) {}
}
