package io.metricsaggregator.benchmarks;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.telemetry.TelemetryFolds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Measures how the memory of telemetry grows: operation keys up to a million, a thousand scraped series over hours, nodes, custom metrics.
 * Prints a table in Markdown: heap in use after a collection, cost of a record, time of a snapshot. Exits with 1 if memory keeps growing
 * beyond a limit.
 */
final class TelemetryGrowth {
    private static final long MIB = 1 << 20;
    private static final long SECOND = 1_000_000_000L;
    /** Maximum growth in bytes per record beyond a limit. */
    private static final long SLACK_BYTES = 24 * MIB;

    private boolean kept = true;

    private interface Feed {
        void feed(TelemetryFolds to, int number);
    }

    /** Measures each telemetry kind. */
    public static void main(String[] args) throws IOException {
        TelemetryGrowth growth = new TelemetryGrowth();
        System.out.println(Machine.describe());
        System.out.println();
        System.out.println("| growing quantity | value | heap MiB | µs/record | live snapshot ms | last snapshot ms |");
        System.out.println("|---|---|---|---|---|---|");
        growth.measure(
                "keys of operations", new int[] {1_000, 10_000, 100_000, 1_000_000}, 10_000, TelemetryGrowth::key);
        growth.measure(
                "scrapes of 1000 series, 5 s apart", new int[] {12, 120, 720, 2880}, 720, TelemetryGrowth::scrape);
        growth.measure("samples of 100 nodes", new int[] {10_000, 100_000, 500_000}, 100_000, TelemetryGrowth::node);
        growth.measure("transfers", new int[] {10_000, 100_000, 1_000_000}, 100_000, TelemetryGrowth::transfer);
        growth.measure("custom metrics by name", new int[] {1_000, 10_000, 100_000}, 10_000, TelemetryGrowth::metric);
        System.out.println();
        System.out.println(growth.kept ? "every limit holds" : "a limit is EXCEEDED");
        System.exit(growth.kept ? 0 : 1);
    }

    /** Measures each size; from {@code bound} on memory must not grow. */
    private void measure(String what, int[] sizes, int bound, Feed feed) {
        TelemetryFolds telemetry = new TelemetryFolds();
        int done = 0;
        long atBound = -1;
        for (int size : sizes) {
            long start = System.nanoTime();
            int before = done;
            for (; done < size; done++) {
                feed.feed(telemetry, done);
            }
            double micros = (System.nanoTime() - start) / 1e3 / (done - before);
            long now = 100 * SECOND * size;
            long live = time(() -> telemetry.freeze(now, false));
            long last = time(() -> telemetry.freeze(now, true));
            // The tree of the final snapshot is not part of the state; the next live snapshot replaces it.
            telemetry.freeze(now + 50 * SECOND, false);
            long heap = heap();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %,d | %,.1f | %.2f | %.1f | %.1f |%n",
                    what,
                    size,
                    (double) heap / MIB,
                    micros,
                    live / 1e6,
                    last / 1e6);
            if (size >= bound && atBound < 0) {
                atBound = heap;
            }
            if (atBound >= 0 && heap > atBound + SLACK_BYTES) {
                kept = false;
            }
        }
        if (telemetry.freeze(0, false).isEmpty()) {
            throw new IllegalStateException("no record was accepted: " + telemetry.rejected());
        }
    }

    private static long time(Runnable what) {
        long start = System.nanoTime();
        what.run();
        return System.nanoTime() - start;
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            ManagementFactory.getMemoryMXBean().gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void apply(TelemetryFolds to, Map<String, ?> fields) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(fields, packer);
            byte[] bytes = packer.toByteArray();
            TelemetryRecord read = TelemetryRecord.read(new MsgpackTree(), ByteBuffer.wrap(bytes), 0, bytes.length, 0);
            if (read == null || !to.apply(read)) {
                throw new IllegalStateException("rejected: " + fields + " " + to.rejected());
            }
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

    private static void key(TelemetryFolds to, int number) {
        Map<String, Object> fields = record("operation.complete", number * 1000L, "p" + number % 4);
        fields.put("name", number % 2 == 0 ? "store.get" : "store.put");
        fields.put("key", "key-" + number);
        fields.put("duration_ns", 1_000_000L + number % 1000);
        apply(to, fields);
    }

    private static void scrape(TelemetryFolds to, int number) {
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
        apply(to, fields);
    }

    private static void node(TelemetryFolds to, int number) {
        Map<String, Object> fields = record("resource.sample", SECOND * (number / 100), "n" + number % 100);
        fields.put("interval_s", 1.0);
        fields.put("cpu_count", 64L);
        fields.put("cpu_pct_avg", (double) (number % 100));
        fields.put("mem_percent", 50.0);
        fields.put("net_ext_sent_bytes", 1000L * number);
        apply(to, fields);
    }

    private static void transfer(TelemetryFolds to, int number) {
        Map<String, Object> fields = record("transfer.complete", 1_000_000L * number, "rank-" + number % 8);
        fields.put("xfer_duration_us", 100.0 + number % 1000);
        fields.put("post_duration_us", 10.0);
        fields.put("total_bytes", 1L << 20);
        fields.put("desc_count", 16L);
        apply(to, fields);
    }

    private static void metric(TelemetryFolds to, int number) {
        Map<String, Object> fields = record("metric.record", 1_000_000L * number, "w");
        fields.put("name", "metric-" + number);
        fields.put("value", (double) number);
        apply(to, fields);
    }
}
