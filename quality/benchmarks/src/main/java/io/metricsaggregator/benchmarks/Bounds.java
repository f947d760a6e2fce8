package io.metricsaggregator.benchmarks;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.publish.SnapshotFrames;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
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
import java.util.Locale;
import java.util.Map;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/**
 * Measures the cost of a snapshot when a telemetry kind has reached its limits: each kind separately, fed with 1.5 times the limits of this
 * heap. Prints a table in Markdown: heap in use after a collection, time of a tick on the receiving and on the rendering thread, bytes of a
 * live frame, bytes of the file and the time to produce it. Exits with 1 if a tick takes more than 250 ms or a frame exceeds its limit.
 */
final class Bounds {
    private static final double MIB = 1 << 20;
    private static final long SECOND = 1_000_000_000L;
    private static final long WALL = 1_700_000_000L * SECOND;
    private static final long TICK_NANOS = SECOND / 4;
    private static final int ROUNDS = 7;

    private final TelemetryLimits limits = TelemetryLimits.ofThisHeap();
    private final int frameBytes = (int) Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 64);
    private boolean kept = true;

    private interface Feed {
        void feed(TelemetryFolds to);
    }

    /** Measures each telemetry kind. */
    public static void main(String[] args) throws IOException {
        Bounds bounds = new Bounds();
        System.out.println(Machine.describe());
        System.out.printf(
                Locale.ROOT, "%nheap %.0f MiB%n%n", Runtime.getRuntime().maxMemory() / MIB);
        System.out.println(
                "| at its limits | records | heap MiB | tick ms | render ms | live frame KiB | file MB | file s |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        bounds.measure("operations: names × keys × sources", bounds::operations);
        bounds.measure("scraped series × steps", bounds::series);
        bounds.measure("windows × models", bounds::windows);
        bounds.measure("nodes × reports", bounds::nodes);
        bounds.measure("custom metrics × values", bounds::metrics);
        bounds.measure("transfers × sources", bounds::transfers);
        System.out.println();
        System.out.println(bounds.kept ? "every tick and frame is within its limit" : "a limit is EXCEEDED");
        System.exit(bounds.kept ? 0 : 1);
    }

    private int records;

    private void measure(String what, Feed feed) {
        TelemetryFolds telemetry = new TelemetryFolds(TelemetryOptions.DEFAULT, limits);
        records = 0;
        feed.feed(telemetry);
        long tick = Long.MAX_VALUE;
        long render = Long.MAX_VALUE;
        int frame = 0;
        SnapshotFrames frames = new SnapshotFrames(frameBytes);
        for (int i = 1; i <= ROUNDS; i++) {
            long start = System.nanoTime();
            Map<String, Object> live = freeze(telemetry, 100 * SECOND * i, false);
            long frozen = System.nanoTime();
            frame = frames.encode(snapshot(live, SessionState.LIVE)).length;
            tick = Math.min(tick, frozen - start);
            render = Math.min(render, System.nanoTime() - frozen);
        }
        long heap = heap();
        long start = System.nanoTime();
        long bytes = size(snapshot(freeze(telemetry, 10_000 * SECOND, true), SessionState.COMPLETE));
        long file = System.nanoTime() - start;
        kept &= tick <= TICK_NANOS && frame <= frameBytes + 64;
        System.out.printf(
                Locale.ROOT,
                "| %s | %,d | %.0f | %.1f | %.1f | %.0f | %.1f | %.1f |%n",
                what,
                records,
                heap / MIB,
                tick / 1e6,
                render / 1e6,
                frame / 1024.0,
                bytes / 1e6,
                file / 1e9);
    }

    private static Map<String, Object> freeze(TelemetryFolds from, long nowNanos, boolean terminal) {
        return new LinkedHashMap<>(from.freeze(nowNanos, terminal).tree());
    }

    private static MetricsSnapshot snapshot(Map<String, Object> telemetry, SessionState state) {
        return new MetricsSnapshot(
                1,
                1,
                state,
                0,
                List.of(),
                SnapshotExtensions.of(
                                new RunInfo(2, "r", "v", 1, 2, List.of(), List.of(), Map.of(), Map.of()),
                                new SnapshotExtensions.InFlight(0, 0, 0, 0, 0),
                                new Slices(0, 1, 0, List.of()))
                        .telemetry(TelemetrySnapshots.of(telemetry))
                        .build());
    }

    private static long size(MetricsSnapshot snapshot) {
        long[] bytes = new long[1];
        new JsonSnapshotCodec().write(snapshot, new OutputStream() {
            @Override
            public void write(int value) {
                bytes[0]++;
            }

            @Override
            public void write(byte[] from, int offset, int length) {
                bytes[0] += length;
            }
        });
        return bytes[0];
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            ManagementFactory.getMemoryMXBean().gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private void apply(TelemetryFolds to, String type, long wall, Object... more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", type);
        fields.put("timestamp_ns", wall - WALL);
        fields.put("wall_ns", wall);
        for (int i = 0; i < more.length; i += 2) {
            fields.put((String) more[i], more[i + 1]);
        }
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(fields, packer);
            byte[] bytes = packer.toByteArray();
            TelemetryRecord read = TelemetryRecord.read(new MsgpackTree(), ByteBuffer.wrap(bytes), 0, bytes.length, 0);
            if (read != null) {
                to.apply(read);
                records++;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void operations(TelemetryFolds to) {
        int keys = Math.min(10_000, limits.operationKeys()) * 3 / 2;
        for (int i = 0; i < 3 * limits.operationRows() / 2; i++) {
            // The numbers have no common divisor, so that all pairs occur.
            apply(
                    to,
                    "operation.complete",
                    WALL + i,
                    "source_id",
                    "p" + i % 401,
                    "key",
                    "key-" + i % keys,
                    "name",
                    "store.op" + i % 37,
                    "duration_ns",
                    1_000L + i % 997);
        }
    }

    private void series(TelemetryFolds to) {
        int count = 3 * limits.scrapeSeries() / 2;
        for (int step = 0; step < 300; step++) {
            for (int from = 0; from < count; from += 10_000) {
                List<Object> samples = new ArrayList<>();
                for (int i = from; i < Math.min(count, from + 10_000); i++) {
                    samples.add(List.of(
                            "metric_" + i % 200,
                            Map.of("series", Integer.toString(i)),
                            i % 2 == 0 ? "counter" : "gauge",
                            (double) step * i));
                }
                scrape(to, step, samples);
            }
        }
    }

    private void windows(TelemetryFolds to) {
        int models = Math.min(10_000, limits.scrapeSeries());
        for (int step = 0; step < 3 * limits.windowRows() / 2 / models + 10; step++) {
            List<Object> samples = new ArrayList<>();
            for (int i = 0; i < models; i++) {
                samples.add(List.of(
                        "nv_inference_request_success", Map.of("model", "m" + i), "counter", (double) step * i));
            }
            scrape(to, 60 * step, samples);
        }
    }

    private void scrape(TelemetryFolds to, int second, List<Object> samples) {
        apply(to, "scrape.samples", WALL + second * SECOND, "job", "j", "instance", "i", "samples", samples);
    }

    private void nodes(TelemetryFolds to) {
        int nodes = 3 * limits.nodes() / 2;
        for (int i = 0; i < 600 * nodes; i++) {
            apply(
                    to,
                    "resource.sample",
                    WALL + SECOND * (i / nodes),
                    "node_id",
                    "node-" + i % nodes,
                    "interval_s",
                    1.0,
                    "cpu_count",
                    64L,
                    "cpu_pct_avg",
                    (double) (i % 100),
                    "mem_percent",
                    50.0);
        }
    }

    private void metrics(TelemetryFolds to) {
        int metrics = 3 * limits.metricSeries() / 2;
        for (int i = 0; i < 300 * metrics; i++) {
            apply(to, "metric.record", WALL + SECOND * (i / metrics), "name", "metric-" + i % metrics, "value", (double)
                    i);
        }
    }

    private void transfers(TelemetryFolds to) {
        for (int i = 0; i < 500_000; i++) {
            apply(
                    to,
                    "transfer.complete",
                    WALL + 1_000_000L * i,
                    "source_id",
                    "rank-" + i % 400,
                    "xfer_duration_us",
                    100.0 + i % 1000,
                    "post_duration_us",
                    10.0,
                    "total_bytes",
                    1L << 20,
                    "desc_count",
                    16L);
        }
    }
}
