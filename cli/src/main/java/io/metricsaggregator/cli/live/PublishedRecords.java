package io.metricsaggregator.cli.live;

import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.proxy.RecordSink;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Publishes the records of a proxy over ZeroMQ. Does not close the publisher. */
public final class PublishedRecords implements RecordSink {
    private final EventPublisher publisher;
    private final AtomicLong records = new AtomicLong();

    /** Creates a sink. */
    public PublishedRecords(EventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void publish(EventRecord event) throws IOException {
        publisher.publish(event);
        records.incrementAndGet();
    }

    @Override
    public void telemetry(Map<String, ?> telemetry) throws IOException {
        publisher.publishFrame(CollectedFrames.frame(telemetry));
        records.incrementAndGet();
    }

    /** Number of records published, those of telemetry included. */
    public long records() {
        return records.get();
    }
}
