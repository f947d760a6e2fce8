package io.metricsaggregator.proxy;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the records of a proxy. */
final class TestSink implements RecordSink {
    final List<EventRecord> records = new CopyOnWriteArrayList<>();
    final List<Map<String, ?>> telemetry = new CopyOnWriteArrayList<>();

    @Override
    public void publish(EventRecord event) {
        records.add(event);
    }

    @Override
    public void telemetry(Map<String, ?> fields) {
        telemetry.add(fields);
    }

    List<EventRecord> of(EventType type) {
        return records.stream().filter(each -> each.type() == type).toList();
    }

    /** The records of samples in order: types of records, and of errors. */
    List<String> story() {
        return records.stream()
                .filter(each -> !each.sampleUuid().isEmpty())
                .map(each -> each.data() instanceof ErrorData error
                        ? each.type().wireName() + " " + error.errorType()
                        : each.type().wireName())
                .toList();
    }

    /** Waits for a number of completions. */
    void awaitCompletions(int count) {
        Await.until(() -> of(EventType.SAMPLE_COMPLETE).size() >= count, () -> count + " completions in " + story());
    }
}
