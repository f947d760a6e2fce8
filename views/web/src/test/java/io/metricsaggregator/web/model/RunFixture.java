package io.metricsaggregator.web.model;

import io.metricsaggregator.snapshot.Certificate;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Snapshots of a run with ten samples a second, each slower than all before: sample i takes i ms. */
public final class RunFixture {
    static final long SECOND = 1_000_000_000L;
    static final long MILLI = 1_000_000L;

    private RunFixture() {}

    /** Snapshot {@code number}, taken {@code number} seconds after the start. */
    public static MetricsSnapshot snapshot(int number, SessionState state) {
        return snapshot("cafe", number, state, "429 Too Many Requests");
    }

    /**
     * A live snapshot after {@code number} seconds, with other counters, columns of the slices and optional figures.
     *
     * @param lengthened ticks that took too long for the publish interval
     */
    static MetricsSnapshot live(
            int number, List<Metric> counters, List<Slices.Column> columns, OptionalFigures optional, long lengthened) {
        MetricsSnapshot plain = snapshot(number, SessionState.LIVE);
        List<Metric> metrics = new ArrayList<>(plain.metrics());
        counters.forEach(other -> metrics.removeIf(each -> each.name().equals(other.name())));
        metrics.addAll(counters);
        SnapshotExtensions of = plain.extensions();
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        of.run(), of.inFlight(), new Slices(0, SECOND, 0, columns))
                .rates(of.rates())
                .workers(of.workers())
                .errors(of.errors())
                .malformed(of.malformed())
                .goodput(of.goodput())
                .self(self(number, lengthened))
                .build()
                .withOptional(optional);
        return new MetricsSnapshot(number, number * SECOND, SessionState.LIVE, 0, metrics, extensions);
    }

    static Histogram values(int samples) {
        Histogram values = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 1; i <= samples; i++) {
            values.recordValue(i * MILLI);
        }
        return values;
    }

    /** A snapshot of a run, with a text of a producer in every place that has one. */
    public static MetricsSnapshot snapshot(String runId, int number, SessionState state, String text) {
        int done = 10 * number;
        List<Metric> metrics = new ArrayList<>(List.of(
                new CounterMetric("total_samples_issued", done + 5),
                new CounterMetric("total_samples_completed", done),
                new CounterMetric("total_samples_failed", 2),
                new CounterMetric("tracked_samples_issued", done + 5),
                new CounterMetric("tracked_samples_completed", done),
                new CounterMetric("tracked_duration_ns", number * SECOND),
                new CounterMetric("total_duration_ns", number * SECOND),
                new CounterMetric("records_received", 4L * done),
                new CounterMetric("records_applied", 4L * done)));
        metrics.add(series("ttft_ns", values(done)));
        metrics.add(series("sample_latency_ns", values(done)));
        long wall = 1_000 * SECOND + number * SECOND;
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(2, runId, "1.0", 1_000 * SECOND, wall, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(5, 5, 0, 9, 3 * SECOND),
                        slices(number))
                .workers(List.of(
                        new SnapshotExtensions.WorkerRow(text, 20L * number, done, done, 1, 0, 0, 0),
                        new SnapshotExtensions.WorkerRow("w2", 20, 0, 0, 0, 1, 7, 0)))
                .errors(List.of(
                        new SnapshotExtensions.ErrorRow("error.client", text, number, text, 0, 0),
                        new SnapshotExtensions.ErrorRow("error.server", "Timeout", 1000, "no answer", 0, 0)))
                .goodput(new Goodput(
                        List.of(new Goodput.Constraint("ttft", 50 * MILLI, done / 2)), 0.9, done, done / 2, 0))
                .self(self(number))
                .build();
        return new MetricsSnapshot(number, number * SECOND, state, 0, metrics, extensions);
    }

    private static Slices slices(int number) {
        long[] completed = new long[number];
        long[] latency = new long[number];
        Arrays.fill(completed, 10);
        Arrays.fill(latency, Slices.NOT_MEASURED);
        latency[0] = 7 * MILLI;
        completed[number - 1] = 3;
        return new Slices(
                0,
                SECOND,
                0,
                List.of(new Slices.Column("completed", completed), new Slices.Column("latency_p50_ns", latency)));
    }

    private static SelfCost self(int number) {
        return self(number, 0);
    }

    private static SelfCost self(int number, long lengthened) {
        return new SelfCost(
                0,
                MILLI,
                0,
                0,
                0,
                0,
                number * SECOND / 10,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                90 << 20,
                250 * MILLI,
                lengthened,
                0,
                0,
                0,
                0);
    }

    private static SeriesMetric series(String name, Histogram values) {
        ByteBuffer encoded = ByteBuffer.allocate(values.getNeededByteBufferCapacity());
        values.encodeIntoCompressedByteBuffer(encoded);
        return new SeriesMetric(
                name,
                values.getTotalCount(),
                1000L,
                values.getMinValue(),
                values.getMaxValue(),
                1.0,
                Map.of(
                        "50.0", (double) values.getValueAtPercentile(50),
                        "90.0", (double) values.getValueAtPercentile(90),
                        "99.0", (double) values.getValueAtPercentile(99),
                        "99.9", (double) values.getValueAtPercentile(99.9)),
                List.of(),
                null,
                new SeriesDetail(
                        false,
                        0,
                        0,
                        1.0,
                        Map.of("99.9", new Certificate(null, 6000)),
                        Arrays.copyOf(encoded.array(), encoded.position())));
    }
}
