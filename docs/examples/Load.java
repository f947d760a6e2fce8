import io.metricsaggregator.event.*;
import io.metricsaggregator.producer.EventPublisher;
import io.metricsaggregator.transport.*;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

class Load {
    public static void main(String[] arguments) throws Exception {
        Endpoint events = Endpoint.parse("bind:ipc:///tmp/bench/events", true);
        try (EventPublisher publisher = new EventPublisher(List.of(events), TransportOptions.defaults())) {
            publisher.awaitSubscribers(1, Duration.ofSeconds(30));
            publisher.publish(EventRecord.session(EventType.SESSION_STARTED, System.nanoTime()));
            publisher.publish(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, System.nanoTime()));
            for (int i = 0; i < 100; i++) {
                String sample = UUID.randomUUID().toString().replace("-", "");
                publisher.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, System.nanoTime(), sample));
                publisher.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, System.nanoTime(), sample));
            }
            publisher.publish(EventRecord.session(EventType.SESSION_ENDED, System.nanoTime()));
        }
    }
}
