package io.metricsaggregator.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.Seed;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.text.PendingOutput;
import io.metricsaggregator.text.PendingPrompt;
import io.metricsaggregator.text.TextSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

class IngestTest {
    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold = new LoadgenFold(registry, ledger, new FoldOptions(true, 1000, Long.MAX_VALUE, 1));
    private long now = 777;
    private final Ingest ingest = new Ingest(new FrameApplier(ledger, fold), () -> now);
    private final EventEncoder encoder = new EventEncoder();

    private void receive(byte[] frame) {
        ingest.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
    }

    private byte[] record(EventType type, String id) {
        return encoder.encode(EventRecord.sample(type, 5, id));
    }

    @Test
    void recordsOfABurstAreAppliedInOrderAtItsEnd() {
        List<byte[]> batch = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            batch.add(record(EventType.SAMPLE_ISSUED, "s" + i));
        }
        receive(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
        receive(Topic.frame("sample.complete", record(EventType.SAMPLE_COMPLETE, "s199")));
        ingest.onBurstEnd();
        assertThat(ledger.recordsApplied.value()).isEqualTo(201);
        assertThat(ledger.framesReceived.value()).isEqualTo(2);
        assertThat(ledger.batchesReceived.value()).isEqualTo(1);
    }

    @Test
    void aTransferJoinsTheSampleInFlightThatItsRequestIdNames() throws IOException {
        receive(Topic.frame("x", encoder.encode(EventRecord.session(EventType.SESSION_STARTED, 1))));
        receive(Topic.frame("x", encoder.encode(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 2))));
        List<byte[]> batch = new ArrayList<>();
        batch.add(record(EventType.SAMPLE_ISSUED, "a"));
        batch.add(transfer("a", 1500.5));
        batch.add(transfer("other", 7));
        batch.add(record(EventType.SAMPLE_COMPLETE, "a"));
        receive(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
        ingest.onBurstEnd();
        assertThat(fold.optional().serverTimes()).isEqualTo(new ServerTimeFigures(0, 0, 0, 1, null, List.of()));
        List<String> metrics = registry.renderExact(registry.newCopy(), false, () -> false).stream()
                .map(each -> each instanceof SeriesMetric series
                        ? each.name() + " " + series.total()
                        : each instanceof CounterMetric counter ? each.name() + " " + counter.value() : "")
                .toList();
        assertThat(metrics).contains("kv_transfer_ns 1500500", "transfers_unjoined 1");
    }

    private static byte[] transfer(String requestId, double micros) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            Map<String, Object> record = new LinkedHashMap<>();
            record.put("event_type", "transfer.complete");
            record.put("timestamp_ns", 5L);
            record.put("source_id", "engine");
            record.put("request_id", requestId);
            record.put("xfer_duration_us", micros);
            record.put("total_bytes", 4096L);
            record.put("desc_count", 2L);
            MsgpackTree.write(record, packer);
            return packer.toByteArray();
        }
    }

    @Test
    void theLagOfARecordIsTheTimeFromTheFirstFrameOfItsBurstToTheEnd() {
        receive(Topic.frame("sample.issued", record(EventType.SAMPLE_ISSUED, "a")));
        now += 500;
        receive(Topic.frame("sample.issued", record(EventType.SAMPLE_ISSUED, "b")));
        now += 500;
        ingest.onBurstEnd();
        ingest.onBurstEnd();
        assertThat(ingest.lag().count()).isEqualTo(2);
        assertThat(ingest.lag().max()).isEqualTo(1000);
        assertThat(ingest.lag().takeRecentMax()).isEqualTo(1000);
        assertThat(ingest.bursts()).isEqualTo(1);
        now += 1_000_000;
        receive(Topic.frame("sample.issued", record(EventType.SAMPLE_ISSUED, "c")));
        now += 10;
        ingest.onBurstEnd();
        assertThat(ingest.lag().max()).isEqualTo(1000);
        assertThat(ingest.lag().takeRecentMax()).isEqualTo(10);
    }

    @Test
    void recordsAfterOneThatFailedToApplyAreStillApplied() {
        fold.countTexts(new TextSink() {
            @Override
            public boolean prompt(DecodedEvent event, PendingPrompt pending) {
                throw new IllegalStateException("broken");
            }

            @Override
            public boolean output(DecodedEvent event, PendingOutput pending) {
                return false;
            }
        });
        byte[] prompt = encoder.encode(new EventRecord(
                EventType.SAMPLE_ISSUED,
                5,
                "a",
                "",
                null,
                new PromptData("text", null, null, null, null, null, null),
                null,
                null,
                null,
                null));
        receive(Topic.frame("session.started", encoder.encode(EventRecord.session(EventType.SESSION_STARTED, 1))));
        receive(Topic.frame("x", encoder.encode(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, 2))));
        List<byte[]> batch = new ArrayList<>();
        for (int i = 0; i < 62; i++) {
            batch.add(prompt);
        }
        assertThatThrownBy(() -> receive(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch))))
                .hasMessage("broken");
        receive(Topic.frame("sample.complete", record(EventType.SAMPLE_COMPLETE, "b")));
        ingest.onBurstEnd();
        assertThat(ledger.recordsReceived.value())
                .isGreaterThan(3)
                .isEqualTo(ledger.recordsApplied.value()
                        + ledger.recordsMalformed.value()
                        + ledger.eventsDuplicate.value()
                        + ledger.eventsOrphan.value());
    }

    @Test
    void recordsAfterTheFinalSnapshotAreCountedAndNotApplied() {
        receive(Topic.frame("sample.issued", record(EventType.SAMPLE_ISSUED, "a")));
        ingest.onBurstEnd();
        ingest.close();
        receive(Topic.frame("sample.issued", record(EventType.SAMPLE_ISSUED, "b")));
        ingest.onBurstEnd();
        assertThat(ledger.framesReceived.value()).isEqualTo(1);
        assertThat(ledger.recordsReceived.value()).isEqualTo(1);
        assertThat(ingest.bursts()).isEqualTo(1);
        assertThat(ingest.framesAfterwards()).isEqualTo(1);
    }

    @Test
    void telemetryThatWouldTakeTooMuchMemoryIsRejectedUnread() {
        String text = "x".repeat(io.metricsaggregator.event.frame.TelemetryRecord.BYTES_MAX);
        for (String filler : List.of(text, "short")) {
            receive(io.metricsaggregator.collect.CollectedFrames.frame(
                    java.util.Map.of("event_type", "metric.count", "timestamp_ns", 1L, "name", "n", "more", filler)));
        }
        ingest.onBurstEnd();
        assertThat(ledger.recordsApplied.value()).isEqualTo(1);
        assertThat(ledger.recordsMalformed.value()).isEqualTo(1);
        assertThat(ingest.malformed()).containsExactly(new SnapshotExtensions.MalformedRow("observation.too_large", 1));
    }

    private static byte[] failedScrape(long tookNanos) {
        return io.metricsaggregator.collect.CollectedFrames.frame(java.util.Map.of(
                "event_type", "scrape.failed", "job", "j", "instance", "i", "scrape_duration_ns", tookNanos));
    }

    private io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot.Target target() {
        return java.util.Objects.requireNonNull(
                        ingest.telemetry().freeze(now, true).scrape())
                .targets()
                .get(0);
    }

    @Test
    void scrapesThatFailedBeforeTheSessionAreToldFromThoseWithinIt() {
        receive(failedScrape(10));
        receive(failedScrape(10));
        assertThat(target().failedBeforeSession()).isZero();
        receive(Topic.frame("session.started", record(EventType.SESSION_STARTED, "")));
        ingest.onBurstEnd();
        now += 50;
        // One began before the session and ended within it, one lies within it.
        receive(failedScrape(60));
        receive(failedScrape(40));
        assertThat(target().failed()).isEqualTo(4);
        assertThat(target().failedBeforeSession()).isEqualTo(3);
    }

    @Test
    void recordsWithoutATimestampAreCounted() {
        receive(Topic.frame("sample.issued", record(EventType.SAMPLE_ISSUED, "a")));
        receive(io.metricsaggregator.collect.CollectedFrames.frame(
                java.util.Map.of("event_type", "sample.issued", "sample_uuid", "b")));
        ingest.onBurstEnd();
        assertThat(ledger.recordsReceived.value()).isEqualTo(2);
        assertThat(ledger.recordsMalformed.value()).isZero();
        assertThat(ledger.recordsWithoutTimestamp.value()).isEqualTo(1);
    }

    @Test
    void malformedRecordsAreCountedByReasonAndOthersOfTheirBatchApplied() {
        List<byte[]> batch = List.of(
                record(EventType.SAMPLE_ISSUED, "a"),
                new byte[] {(byte) 0xc0},
                new byte[0],
                new byte[] {(byte) 0x81},
                record(EventType.SAMPLE_ISSUED, "b"),
                new byte[] {(byte) 0xc0});
        receive(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
        ingest.onBurstEnd();
        assertThat(ledger.recordsApplied.value()).isEqualTo(2);
        assertThat(ledger.recordsMalformed.value()).isEqualTo(3);
        assertThat(ledger.batchElementsEmpty.value()).isEqualTo(1);
        assertThat(ledger.recordsReceived.value()).isEqualTo(5);
        assertThat(ingest.malformed())
                .containsExactly(
                        new SnapshotExtensions.MalformedRow("not_a_map", 2),
                        new SnapshotExtensions.MalformedRow("truncated", 1));
    }

    @Test
    void recordsAfterTheSessionEndInTheSameBatchAreLate() {
        List<byte[]> batch = List.of(
                record(EventType.SAMPLE_ISSUED, "a"),
                encoder.encode(EventRecord.session(EventType.SESSION_ENDED, 9)),
                record(EventType.SAMPLE_ISSUED, "b"),
                new byte[] {(byte) 0xc0});
        receive(Topic.frame(Topic.BATCH, encoder.encodeBatch(batch)));
        ingest.onBurstEnd();
        assertThat(ledger.recordsApplied.value()).isEqualTo(2);
        assertThat(ledger.eventsLate.value()).isEqualTo(2);
        assertThat(ledger.recordsMalformed.value()).isZero();
        assertThat(ingest.malformed()).isEmpty();
    }

    @Test
    void aRecordWithoutATimestampGetsTheReceiveTime() {
        byte[] started = encoder.encode(EventRecord.session(EventType.SESSION_STARTED, 700));
        receive(Topic.frame("session.started", started));
        // {"event_type": "error.client"} in MessagePack
        byte[] untimed = java.util.HexFormat.of().parseHex("81aa6576656e745f74797065ac6572726f722e636c69656e74");
        receive(Topic.frame("error.client", untimed));
        ingest.onBurstEnd();
        assertThat(fold.errors().get(0).firstNanos()).isEqualTo(777);
    }

    @Test
    void arbitraryBytesAreCountedWithoutAnException() {
        Random random = new Random(Seed.next(IngestTest.class));
        byte[] batch = Topic.frame(
                Topic.BATCH,
                encoder.encodeBatch(List.of(
                        record(EventType.SAMPLE_ISSUED, "a"),
                        record(EventType.SAMPLE_RECV_FIRST, "a"),
                        record(EventType.SAMPLE_COMPLETE, "a"))));
        for (int round = 0; round < 100_000; round++) {
            byte[] frame = batch.clone();
            for (int flips = random.nextInt(5); flips >= 0; flips--) {
                frame[random.nextInt(frame.length)] = (byte) random.nextInt(256);
            }
            ingest.onFrame(ByteBuffer.wrap(frame), 0, random.nextInt(frame.length + 1));
            ingest.onBurstEnd();
        }
        long setAside = ledger.recordsMalformed.value()
                + ledger.recordsUnknown.value()
                + ledger.eventsDuplicate.value()
                + ledger.eventsOrphan.value()
                + ledger.eventsLate.value()
                + ledger.eventsAnonymous.value();
        assertThat(ledger.recordsReceived.value()).isEqualTo(ledger.recordsApplied.value() + setAside);
        assertThat(ledger.framesReceived.value()).isEqualTo(100_000);
    }
}
