package io.metricsaggregator.it;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.RecordedFrames;
import java.io.IOException;
import java.util.Arrays;

/** Writes load-generator events as recorded frames, one record per frame, with times in milliseconds. */
record EventFrames(RecordedFrames.Writer writer) {
    void session(String type, long millis) throws IOException {
        write(EventRecord.session(type(type), millis * 1_000_000), type);
    }

    void sample(String type, long millis, int number) throws IOException {
        write(EventRecord.sample(type(type), millis * 1_000_000, "s" + number), type);
    }

    /** The issue of a sample whose request is of a trace. */
    void traced(long millis, int number, String traceparent) throws IOException {
        EventType issued = EventType.SAMPLE_ISSUED;
        EventRecord record = EventRecord.sample(issued, millis * 1_000_000, "s" + number);
        write(record.withTraceparent(traceparent), issued.wireName());
    }

    private static EventType type(String wireName) {
        return Arrays.stream(EventType.values())
                .filter(each -> each.wireName().equals(wireName))
                .findFirst()
                .orElseThrow();
    }

    private void write(EventRecord event, String topic) throws IOException {
        writer.write(Topic.frame(topic, new EventEncoder().encode(event)));
    }
}
