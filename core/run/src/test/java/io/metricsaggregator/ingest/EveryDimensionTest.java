package io.metricsaggregator.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.publish.SnapshotFrames;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.telemetry.TelemetryOptions;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** One run that exceeds the limit of every dimension of every record kind, with the limits of a 256 MiB heap. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryDimensionTest {
    private static final long HEAP = 256L << 20;
    private static final long SECOND = 1_000_000_000L;
    private static final long WALL = 1_700_000_000L * SECOND;
    private static final int FRAME_BYTES = (int) (HEAP / 64);
    private static final int TOPIC_BYTES = 40;

    private final TelemetryLimits limits = TelemetryLimits.of(HEAP);
    private final Registry registry = new Registry(3, 30, new RawBudget(Long.MAX_VALUE));
    private final RecordLedger ledger = new RecordLedger();
    private final LoadgenFold fold =
            new LoadgenFold(registry, ledger, new FoldOptions(true, 10_000, HEAP / 100 * 8, 1));
    private final Ingest ingest = new Ingest(
            new FrameApplier(
                    ledger,
                    fold,
                    new TelemetryFolds(TelemetryOptions.DEFAULT, limits),
                    new EventDecoder(),
                    FrameApplier.ALL),
            () -> 7);
    private final List<byte[]> batch = new ArrayList<>();
    private long heapBefore;
    private long heapAfter;
    private int signs;
    private long now;

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            ManagementFactory.getMemoryMXBean().gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void send(String type, Object... fields) {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", type);
        for (int i = 0; i < fields.length; i += 2) {
            record.put((String) fields[i], fields[i + 1]);
        }
        record.putIfAbsent("timestamp_ns", 5L);
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            batch.add(packer.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (batch.size() >= 500 || type.startsWith("scrape")) {
            flush();
        }
    }

    private void flush() {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(batch.size());
            for (byte[] each : batch) {
                packer.packBinaryHeader(each.length);
                packer.writePayload(each);
            }
            byte[] frame = Topic.frame(Topic.BATCH, packer.toByteArray());
            ingest.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
            ingest.onBurstEnd();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        batch.clear();
    }

    @BeforeAll
    void feedAllDimensions() {
        heapBefore = heap();
        ingest.telemetry().signsTo(() -> signs++);
        samples();
        operations();
        scrapes();
        others();
        flush();
        assertThat(ledger.batchesMalformed.value()).isZero();
        heapAfter = heap();
    }

    private void samples() {
        send("session.started");
        send("session.start_performance_tracking");
        for (int i = 0; i < 30_000; i++) {
            send(
                    "sample.issued",
                    "sample_uuid",
                    "a sample with an id that is long " + i,
                    "source_id",
                    "worker " + i % 3_000,
                    "timestamp_ns",
                    i * SECOND);
            send("error.generic", "data", List.of("ErrorData", "type " + i % 500, "message " + "x".repeat(300)));
        }
    }

    private void operations() {
        String longName = "n".repeat(100);
        for (int i = 0; i < 150_000; i++) {
            send(
                    "operation.complete",
                    "source_id",
                    "p" + i % 400,
                    "key",
                    "key " + i % 20_000,
                    "name",
                    "op" + i % 1_501 + longName,
                    "duration_ns",
                    1_000L + i);
        }
    }

    private void scrapes() {
        for (int step = 0; step < 40; step++) {
            List<Object> samples = new ArrayList<>();
            for (int i = 0; i < 3_000; i++) {
                samples.add(List.of(
                        "nv_inference_request_success", Map.of("model", "m" + i), "counter", (double) step * i));
            }
            for (int i = 0; i < 9_000; i++) {
                samples.add(List.of("metric_" + i, Map.of("label", "v".repeat(50)), "gauge", (double) i));
            }
            send(
                    "scrape.samples",
                    "job",
                    "j",
                    "instance",
                    "i",
                    "wall_ns",
                    WALL + 120 * SECOND * step,
                    "samples",
                    samples);
        }
        for (int i = 0; i < 1_200; i++) {
            send(
                    "scrape.samples",
                    "job",
                    "j",
                    "instance",
                    "target " + i,
                    "wall_ns",
                    WALL + 4_800 * SECOND,
                    "samples",
                    List.of());
        }
    }

    private void others() {
        for (int i = 0; i < 4_000; i++) {
            send("metric.record", "name", "m" + i, "value", (double) i, "labels", Map.of("l", "v".repeat(200) + i));
            send(
                    "resource.sample",
                    "node_id",
                    "node " + i % 1_500,
                    "interval_s",
                    1.0,
                    "cpu_count",
                    8L,
                    "cpu_pct_avg",
                    50.0,
                    "wall_ns",
                    WALL + i * SECOND);
            send(
                    "transfer.complete",
                    "source_id",
                    "rank " + i % 400,
                    "xfer_duration_us",
                    10.0,
                    "post_duration_us",
                    1.0,
                    "total_bytes",
                    1L << 20,
                    "desc_count",
                    4L);
        }
    }

    private MetricsSnapshot snapshot(boolean terminal) {
        now += 60 * SECOND;
        RegistryCopy copy = registry.newCopy();
        fold.refresh();
        registry.copyInto(copy);
        return new MetricsSnapshot(
                1,
                now,
                terminal ? SessionState.COMPLETE : SessionState.LIVE,
                0,
                copy.render(),
                SnapshotExtensions.of(
                                new RunInfo(2, "run", "version", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                                fold.inFlight(0),
                                fold.slices())
                        .workers(ledger.workers())
                        .errors(fold.errors())
                        .malformed(ingest.malformed())
                        .slowest(fold.slowest())
                        .telemetry(ingest.telemetry().freeze(now, terminal))
                        .session(fold.session())
                        .completeness(Completeness.whole(limits.byName()))
                        .build());
    }

    private static Map<?, ?> map(Object value, String... path) {
        Object at = value;
        for (String each : path) {
            at = ((Map<?, ?>) at).get(each);
        }
        return (Map<?, ?>) at;
    }

    @Test
    void stateStaysWithinTheHeapThatTheLimitsAreDerivedFrom() {
        assertThat(heapAfter - heapBefore).isLessThan(HEAP / 100 * 63);
        assertThat(signs).as("heartbeats during ingestion").isGreaterThan(1_000);
    }

    @Test
    void aLiveSnapshotIsCompleteWithinTheFrameLimitAndFasterThanATick() throws Exception {
        MetricsSnapshot live = snapshot(false);
        byte[] frame = new SnapshotFrames(FRAME_BYTES).encode(live);
        assertThat(frame.length).isLessThanOrEqualTo(FRAME_BYTES + TOPIC_BYTES);
        MetricsSnapshot read = new MsgpackSnapshotCodec()
                .decode(ByteBuffer.wrap(frame, TOPIC_BYTES, frame.length - TOPIC_BYTES)
                        .slice());
        assertThat(read.extensions().completeness().leftOut()).isEmpty();
        assertThat(read.extensions().completeness().limits())
                .containsEntry("scrape_series", (long) limits.scrapeSeries());
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 8; i++) {
            long start = System.nanoTime();
            snapshot(false);
            best = Math.min(best, System.nanoTime() - start);
        }
        assertThat(best).as("ns on the receiving thread").isLessThan(SECOND / 4);
    }

    @Test
    void everyListOfALiveSnapshotStaysWithinItsLimit() {
        SnapshotExtensions live = snapshot(false).extensions();
        assertThat(live.inFlight().count()).isLessThanOrEqualTo(10_000);
        assertThat(live.workers()).hasSizeLessThanOrEqualTo(1_026);
        assertThat(live.errors()).hasSizeLessThanOrEqualTo(101);
        Map<String, Object> seen = live.telemetry().tree();
        assertThat(map(seen, "operation", "by_key")).hasSizeLessThanOrEqualTo(51);
        assertThat(map(seen, "operation", "by_source")).hasSizeLessThanOrEqualTo(32);
        assertThat(map(seen, "operation", "overall", "times")).hasSizeLessThanOrEqualTo(32);
        assertThat(map(seen, "resource", "by_node")).hasSizeLessThanOrEqualTo(limits.nodes());
        assertThat(map(seen, "transfer", "cumulative", "ours", "by_source")).hasSizeLessThanOrEqualTo(257);
        assertThat((List<?>) map(seen, "metric").get("rows")).hasSizeLessThanOrEqualTo(limits.metricSeries() + 1);
        assertThat((List<?>) map(seen, "scrape").get("targets")).hasSizeLessThanOrEqualTo(1_024);
        assertThat((Long) map(seen, "scrape").get("series")).isLessThanOrEqualTo(limits.scrapeSeries());
        assertThat(map(seen, "scrape", "last_window", "models")).hasSizeLessThanOrEqualTo(256);
        assertThat((Long) map(seen, "scrape", "counts").get("samples_over_limit"))
                .isPositive();
        assertThat((Long) map(seen, "operation").get("records_over_row_limit")).isPositive();
    }

    @Test
    void theFinalSnapshotIsStreamedToDiskAndItsFrameListsWhatItOmits() throws Exception {
        MetricsSnapshot last = snapshot(true);
        long[] bytes = new long[1];
        new JsonSnapshotCodec().write(last, new OutputStream() {
            @Override
            public void write(int value) {
                bytes[0]++;
            }

            @Override
            public void write(byte[] from, int offset, int length) {
                bytes[0] += length;
            }
        });
        assertThat(bytes[0]).as("bytes of the file").isBetween(10_000_000L, 200_000_000L);
        byte[] frame = new SnapshotFrames(FRAME_BYTES).encode(last);
        assertThat(frame.length).isLessThanOrEqualTo(FRAME_BYTES + TOPIC_BYTES);
        MetricsSnapshot read = new MsgpackSnapshotCodec()
                .decode(ByteBuffer.wrap(frame, TOPIC_BYTES, frame.length - TOPIC_BYTES)
                        .slice());
        assertThat(read.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(read.extensions().completeness().leftOut()).contains("observations.operation.by_key");
        assertThat(read.metrics()).hasSameSizeAs(last.metrics());
    }
}
