import io.metricsaggregator.event.*;
import io.metricsaggregator.producer.*;
import io.metricsaggregator.transport.*;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

class Load {
    public static void main(String[] arguments) throws Exception {
        Endpoint events = Endpoint.parse("bind:ipc:///tmp/bench/events", true);
        try (EventPublisher publisher = new EventPublisher(List.of(events), TransportOptions.defaults())) {
            publisher.awaitSubscribers(1, Duration.ofSeconds(30));
            Worker worker = publisher.worker(0, System.currentTimeMillis());
            worker.publish(EventRecord.session(EventType.SESSION_STARTED, System.nanoTime()));
            worker.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, System.nanoTime()));
            for (int i = 0; i < 100; i++) {
                String id = UUID.randomUUID().toString().replace("-", "");
                worker.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, System.nanoTime(), id));
                Sample sample = worker.sample(id);
                for (int token = 0; token < 10; token++) {
                    sample.token(System.nanoTime());
                }
                worker.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, System.nanoTime(), id));
            }
            worker.publish(EventRecord.session(EventType.SESSION_ENDED, System.nanoTime()));
        }
    }
}
