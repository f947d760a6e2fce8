package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Limits derived from the heap: they are printed and enforced, and leave room to write the file. */
class LimitsIT {
    private static final String HEAP = "-Xmx128m";

    @TempDir
    Path directory;

    private final List<byte[]> batch = new ArrayList<>();

    private void send(FramePublisher to, String type, Object... fields) throws IOException {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("event_type", type);
        record.put("timestamp_ns", 5L);
        for (int i = 0; i < fields.length; i += 2) {
            record.put((String) fields[i], fields[i + 1]);
        }
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            batch.add(packer.toByteArray());
        }
        if (batch.size() == 1000) {
            flush(to);
        }
    }

    private void flush(FramePublisher to) throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(batch.size());
            for (byte[] each : batch) {
                packer.packBinaryHeader(each.length);
                packer.writePayload(each);
            }
            to.publish(Topic.frame(Topic.BATCH, packer.toByteArray()));
        }
        batch.clear();
    }

    @Test
    void theLimitsOfAHeapArePrintedAndSmallerThanThoseOfALargerOne() throws IOException {
        Map<String, Long> small = limits("-Xmx256m");
        Map<String, Long> large = limits("-Xmx2g");
        assertThat(small).containsKeys("in_flight", "long_id_bytes", "operation_rows", "scrape_series");
        assertThat(small.get("in_flight")).isBetween(100_000L, 1_000_000L);
        assertThat(large.get("in_flight")).isEqualTo(2_000_000L);
        small.forEach((name, value) -> assertThat(value).as(name).isLessThanOrEqualTo(large.get(name)));
    }

    private static Map<String, Long> limits(String heap) throws IOException {
        Map<String, Long> limits = new LinkedHashMap<>();
        try (RunningProcess run = new RunningProcess(Cli.builder(List.of(), List.of(heap), "run", "--print-limits"))) {
            assertThat(run.awaitExit()).as("%s", run).isZero();
            for (String line : run.out().split("\n", -1)) {
                if (!line.isBlank()) {
                    String[] pair = line.strip().split(" ", -1);
                    limits.put(pair[0], Long.parseLong(pair[1]));
                }
            }
        }
        return limits;
    }

    @Test
    void aRunBeyondAllLimitsOfASmallHeapWritesACompleteFile() throws IOException {
        Path output = directory.resolve("out");
        String events = "ipc://" + directory.resolve("events");
        try (RunningProcess daemon = Cli.awaitReady(
                new RunningProcess(Cli.builder(List.of(), List.of(HEAP), Cli.run(output, "--in", "bind:" + events))),
                output)) {
            try (FramePublisher publisher = new FramePublisher(
                    List.of(Endpoint.parse("connect:" + events, false)), TransportOptions.defaults(), 8 << 20)) {
                assertThat(publisher.awaitSubscribers(1, Await.PATIENCE)).isTrue();
                send(publisher, "session.started");
                send(publisher, "session.start_performance_tracking");
                for (int i = 0; i < 300_000; i++) {
                    send(publisher, "sample.issued", "sample_uuid", "a sample with a long id " + i);
                    if (i % 4 == 0) {
                        send(
                                publisher,
                                "operation.complete",
                                "name",
                                "op" + i % 13,
                                "key",
                                "key " + i % 9_973,
                                "source_id",
                                "p" + i % 4,
                                "duration_ns",
                                (long) i);
                    }
                }
                send(publisher, "session.ended");
                flush(publisher);
                assertThat(publisher.flush(Await.PATIENCE)).isTrue();
                assertThat(daemon.awaitExit()).as("%s", daemon).isZero();
            }
        }
        MetricsSnapshot last = FinalSnapshotFile.read(output);
        assertThat(last.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(last.counterValue("inflight_evicted")).isPositive();
        assertThat(last.counterValue("records_received")).isEqualTo(375_003);
        assertThat(last.extensions().completeness().leftOut()).isEmpty();
        assertThat(last.extensions().completeness().limits()).containsKeys("in_flight", "operation_rows");
        Map<?, ?> operation = (Map<?, ?>) last.extensions().telemetry().tree().get("operation");
        assertThat((Map<?, ?>) operation.get("by_key")).hasSizeGreaterThan(1_000);
    }
}
