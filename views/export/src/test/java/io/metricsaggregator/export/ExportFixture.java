package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Handwritten snapshots for tests of exporters. */
final class ExportFixture {
    private static final long MILLI = 1_000_000L;

    private ExportFixture() {}

    /** Returns a snapshot with three samples of 10, 20 and 300 ms, one 40-token output, an error whose type needs escaping, and 1.5 s of run time. */
    static MetricsSnapshot snapshot() {
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                1, "cafe", "1.0", 1000, 2000, List.of(), List.of(), Map.of(), Map.of(), null, Map.of(),
                                "gpu-1", null),
                        new SnapshotExtensions.InFlight(5, 9, 0, 9, 2_000 * MILLI),
                        new Slices(0, 1_000 * MILLI, 0, List.of()))
                .workers(List.of(new SnapshotExtensions.WorkerRow("w1", 20, 10, 10, 0, 0, 7, 0)))
                .errors(List.of(new SnapshotExtensions.ErrorRow("error.client", "Rate \"limit\"\\\n", 2, "", 0, 0)))
                .build();
        return new MetricsSnapshot(
                3,
                1_500 * MILLI,
                SessionState.LIVE,
                0,
                List.of(
                        new CounterMetric("total_samples_issued", 3),
                        new CounterMetric("tracked_duration_ns", 1_500 * MILLI),
                        new CounterMetric("legacy_loadgen_window_duration_ns", 1_500 * MILLI),
                        series("ttft_ns", 10 * MILLI, 20 * MILLI, 300 * MILLI),
                        series("osl", 40)),
                extensions);
    }

    /** A snapshot whose slowest sample failed; two samples are of traces, two name none that is valid. It is of 1,001 s after the epoch. */
    static MetricsSnapshot withTraces() {
        String trace = "0af7651916cd43dd8448eb211c80319";
        MetricsSnapshot plain = snapshot();
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                1, "cafe", "1.0", MILLI, 1_001_000 * MILLI, List.of(), List.of(), Map.of(), Map.of()),
                        plain.extensions().inFlight(),
                        plain.extensions().slices())
                .slowest(List.of(
                        slow(SlowSample.TTFT, 300, true, trace + "c", "00000000000000b7"),
                        slow(SlowSample.TTFT, 60, false, trace + "e", "not a span"),
                        slow(SlowSample.TTFT, 40, false, "x".repeat(200), "00000000000000b9"),
                        slow(SlowSample.TTFT, 20, false, trace + "d", "00000000000000b8"),
                        slow(SlowSample.TTFT, 10, false, null, null)))
                .build();
        return new MetricsSnapshot(
                3,
                1_500 * MILLI,
                SessionState.LIVE,
                0,
                List.of(
                        series("ttft_ns", 10 * MILLI, 20 * MILLI, 300 * MILLI),
                        series("failed_ttft_ns", 300 * MILLI),
                        series("sample_latency_ns", 400 * MILLI),
                        series("osl", 40)),
                extensions);
    }

    private static SlowSample slow(
            String by, long millis, boolean failed, @Nullable String traceId, @Nullable String spanId) {
        return new SlowSample(
                by, "s", "", millis * MILLI, failed, null, 0, millis * MILLI, null, 1_000 * MILLI, traceId, spanId);
    }

    static SeriesMetric series(String name, long... values) {
        Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        for (long value : values) {
            histogram.recordValue(value);
        }
        ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        histogram.encodeIntoCompressedByteBuffer(encoded);
        return series(name, Arrays.copyOf(encoded.array(), encoded.position()), values);
    }

    static SeriesMetric series(String name, byte[] encoded, long... values) {
        return new SeriesMetric(
                name,
                values.length,
                Arrays.stream(values).sum(),
                Arrays.stream(values).min().orElse(0),
                Arrays.stream(values).max().orElse(0),
                1.0,
                Map.of(),
                List.of(),
                null,
                new SeriesDetail(false, 0, 0, null, Map.of(), encoded));
    }
}
