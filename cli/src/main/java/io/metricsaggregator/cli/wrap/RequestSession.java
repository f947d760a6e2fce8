package io.metricsaggregator.cli.wrap;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.proxy.RecordSink;
import java.io.IOException;
import java.util.Map;

/**
 * Passes the records of a proxy on, with the session ending at the last event of a request: what a tool does after its load, such as writing its
 * files, is no part of the run. Called by one thread at a time.
 */
final class RequestSession implements RecordSink {
    private final RecordSink sink;
    private long lastNanos;
    private long requests;

    RequestSession(RecordSink sink) {
        this.sink = sink;
    }

    @Override
    public void publish(EventRecord event) throws IOException {
        if (!event.type().isSession()) {
            lastNanos = lastNanos == 0 ? event.timestampNanos() : Math.max(lastNanos, event.timestampNanos());
            requests++;
            sink.publish(event);
        } else if (requests == 0) {
            sink.publish(event);
        } else {
            sink.publish(EventRecord.session(event.type(), lastNanos));
        }
    }

    @Override
    public void telemetry(Map<String, ?> telemetry) throws IOException {
        sink.telemetry(telemetry);
    }
}
