package io.metricsaggregator.cli.live;

import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.producer.Worker;
import io.metricsaggregator.proxy.RecordSink;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Publishes the records of a proxy, which numbers them as those of one worker, over ZeroMQ. Does not close the publisher. */
public final class PublishedRecords implements RecordSink {
    private final EventPublisher publisher;
    private @Nullable Worker numbering;
    private long next;
    private final AtomicLong records = new AtomicLong();

    /** Creates a sink. */
    public PublishedRecords(EventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void publish(EventRecord event) throws IOException {
        if (event.workerId() == null || event.life() == null || event.sequence() == null) {
            publisher.publish(event);
        } else {
            number(event.workerId(), event.life(), event.sequence()).publish(event);
        }
        records.incrementAndGet();
    }

    /** The worker of a record, at its number: those missing before are of records that the proxy dropped. */
    private Worker number(long worker, long life, long sequence) {
        if (numbering == null) {
            numbering = publisher.worker(worker, life);
        }
        numbering.skip(Math.max(0, sequence - next));
        next = Math.max(next, sequence + 1);
        return numbering;
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
