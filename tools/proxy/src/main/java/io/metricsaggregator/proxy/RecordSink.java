package io.metricsaggregator.proxy;

import io.metricsaggregator.event.EventRecord;
import java.io.IOException;
import java.util.Map;

/** Takes the records of a proxy. Called by one thread at a time; a call may block, the proxy goes on relaying meanwhile. */
public interface RecordSink {
    /**
     * Publishes a record of a session or a sample.
     *
     * @throws IOException if it cannot be published; the proxy counts it as dropped
     */
    void publish(EventRecord event) throws IOException;

    /**
     * Publishes a telemetry record, with its {@code event_type}.
     *
     * @throws IOException if it cannot be published
     */
    void telemetry(Map<String, ?> telemetry) throws IOException;
}
