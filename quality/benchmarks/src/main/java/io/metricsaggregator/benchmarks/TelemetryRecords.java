package io.metricsaggregator.benchmarks;

import io.metricsaggregator.codec.MsgpackTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Synthetic telemetry: the n-th record of each kind, with times that grow. */
final class TelemetryRecords {
    private static final long SECOND = 1_000_000_000L;

    private TelemetryRecords() {}

    /** Transfers, operations over 1000 keys, samples of 100 nodes, scrapes of 1000 series: in the order in which a case adds them. */
    static List<IntFunction<Map<String, Object>>> kinds() {
        return List.of(
                TelemetryRecords::transfer,
                number -> operation(number, number % 1000),
                TelemetryRecords::node,
                TelemetryRecords::scrape);
    }

    static byte[] encode(Map<String, ?> fields) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(fields, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Object> record(String type, long nanos, String source) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", type);
        fields.put("timestamp_ns", nanos);
        fields.put("source_id", source);
        return fields;
    }

    static Map<String, Object> operation(int number, int key) {
        Map<String, Object> fields = record("operation.complete", number * 1000L, "p" + number % 4);
        fields.put("name", number % 2 == 0 ? "store.get" : "store.put");
        fields.put("key", "key-" + key);
        fields.put("duration_ns", 1_000_000L + number % 1000);
        return fields;
    }

    static Map<String, Object> scrape(int number) {
        List<Object> samples = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            samples.add(List.of(
                    "metric_" + i % 50,
                    Map.of("series", Integer.toString(i)),
                    i % 2 == 0 ? "counter" : "gauge",
                    (double) number * (i + 1)));
        }
        Map<String, Object> fields = record("scrape.samples", 5 * SECOND * number, "t");
        fields.put("job", "j");
        fields.put("instance", "i");
        fields.put("samples", samples);
        return fields;
    }

    static Map<String, Object> node(int number) {
        Map<String, Object> fields = record("resource.sample", SECOND * (number / 100), "n" + number % 100);
        fields.put("interval_s", 1.0);
        fields.put("cpu_count", 64L);
        fields.put("cpu_pct_avg", (double) (number % 100));
        fields.put("mem_percent", 50.0);
        fields.put("net_ext_sent_bytes", 1000L * number);
        return fields;
    }

    static Map<String, Object> transfer(int number) {
        Map<String, Object> fields = record("transfer.complete", 1_000_000L * number, "rank-" + number % 8);
        fields.put("xfer_duration_us", 100.0 + number % 1000);
        fields.put("post_duration_us", 10.0);
        fields.put("total_bytes", 1L << 20);
        fields.put("desc_count", 16L);
        return fields;
    }

    /** A value of one of {@code names} metrics of a producer's own. */
    static Map<String, Object> metric(int number, int names) {
        Map<String, Object> fields = record("metric.record", 1_000_000L * number, "w");
        fields.put("name", "metric-" + number % names);
        fields.put("value", (double) number);
        return fields;
    }
}
