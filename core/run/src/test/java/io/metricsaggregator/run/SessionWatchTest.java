package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Warnings about a session whose events are missing. */
class SessionWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold = new LoadgenFold(
            new Registry(3, 30, new RawBudget(1 << 20)), ledger, new FoldOptions(true, 1000, 1 << 20, 1));
    private final Ingest ingest = new Ingest(new FrameApplier(ledger, fold), () -> 1);
    private final List<String> said = new ArrayList<>();
    private final SessionWatch watch = new SessionWatch(fold, said::add);

    private void receive(EventType type, String sample) {
        frame(type.wireName(), new EventEncoder().encode(EventRecord.sample(type, 1, sample)));
    }

    private void frame(String topic, byte[] payload) {
        byte[] frame = Topic.frame(topic, payload);
        ingest.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
        ingest.onBurstEnd();
    }

    private void until(int fromSeconds, int toSeconds) {
        for (long now = fromSeconds * SECOND; now < toSeconds * SECOND; now += SECOND / 10) {
            watch.check(now);
        }
    }

    @Test
    void aMissedStartIsReportedWithARemedyAfterTheFirstRecordsAndAtTheEnd() {
        receive(EventType.SAMPLE_ISSUED, "a");
        until(0, 1);
        assertThat(said).isEmpty();
        assertThat(watch.isUnstarted(SECOND - 1)).isFalse();
        until(1, 60);
        assertThat(watch.isUnstarted(60 * SECOND)).isTrue();
        assertThat(said).hasSize(1);
        assertThat(said.get(0))
                .startsWith("session.started was missed records=1")
                .contains("--track all");
        watch.end();
        assertThat(said).hasSize(2);
        assertThat(said.get(1))
                .startsWith("session.started never arrived issued=1")
                .contains("replay DIR --track all");
    }

    @Test
    void trackingThatDoesNotStartIsReportedAfterFiveSecondsAndAtTheEnd() {
        receive(EventType.SESSION_STARTED, "");
        receive(EventType.SAMPLE_ISSUED, "a");
        until(0, 5);
        assertThat(said).isEmpty();
        until(5, 60);
        assertThat(said).hasSize(1);
        assertThat(said.get(0)).startsWith("performance tracking has not started issued=1");
        watch.end();
        assertThat(said).hasSize(2).last().asString().startsWith("performance tracking never started");
    }

    @Test
    void trackedRunsAndRunsOfTelemetryOnlyCauseNoWarning() {
        byte[] record = metric();
        frame("metric.count", record);
        until(0, 60);
        watch.end();
        assertThat(ingest.telemetry().any()).isTrue();
        receive(EventType.SESSION_STARTED, "");
        receive(EventType.SESSION_START_PERFORMANCE_TRACKING, "");
        receive(EventType.SAMPLE_ISSUED, "a");
        until(60, 120);
        watch.end();
        assertThat(said).isEmpty();
    }

    /** Returns {"event_type": "metric.count", "name": "x"} in MessagePack. */
    private static byte[] metric() {
        byte[] type = "metric.count".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer record = ByteBuffer.allocate(64);
        record.put((byte) 0x82).put((byte) 0xaa).put("event_type".getBytes(StandardCharsets.US_ASCII));
        record.put((byte) (0xa0 | type.length)).put(type);
        record.put((byte) 0xa4)
                .put("name".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 0xa1)
                .put((byte) 'x');
        byte[] bytes = new byte[record.position()];
        record.flip().get(bytes);
        return bytes;
    }
}
