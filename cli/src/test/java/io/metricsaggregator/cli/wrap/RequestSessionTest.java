package io.metricsaggregator.cli.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.proxy.RecordSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestSessionTest {
    private final List<String> published = new ArrayList<>();

    private final RequestSession session = new RequestSession(new RecordSink() {
        @Override
        public void publish(EventRecord event) {
            published.add(event.type().wireName() + " " + event.timestampNanos());
        }

        @Override
        public void telemetry(Map<String, ?> telemetry) {
            published.add("telemetry");
        }
    });

    private void session(EventType type, long nanos) throws IOException {
        session.publish(EventRecord.session(type, nanos));
    }

    @Test
    void theSessionEndsWithItsLastRequestAndNotWithTheTool() throws IOException {
        session(EventType.SESSION_STARTED, 100);
        session.publish(EventRecord.sample(EventType.SAMPLE_ISSUED, 100, "a"));
        session.publish(EventRecord.sample(EventType.SAMPLE_COMPLETE, 250, "a"));
        session(EventType.SESSION_STOP_PERFORMANCE_TRACKING, 9_000);
        session(EventType.SESSION_ENDED, 9_001);
        assertThat(published)
                .containsExactly(
                        "session.started 100",
                        "sample.issued 100",
                        "sample.complete 250",
                        "session.stop_performance_tracking 250",
                        "session.ended 250");
    }
}
