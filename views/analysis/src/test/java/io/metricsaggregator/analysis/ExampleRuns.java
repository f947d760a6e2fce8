package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.MergeSettings;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.figures.Stall;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Snapshots of synthetic runs that the tests of {@code analysis}, {@code runs} and {@code report} share. */
public final class ExampleRuns {
    /** Text that is markup, a formula, a control character and a bidirectional override in one. */
    public static final String HOSTILE_TEXT = "<script>alert(1)</script>\"'&|`=cmd|' /C calc'!A0\u0000\u202e\n";

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000_000_000L;
    private static final int SLICES = 20;

    private ExampleRuns() {}

    /** The same run with waits for answers of its endpoints, and of those with labels. */
    public static MetricsSnapshot withWaits(MetricsSnapshot of, Progress progress, LabelBreakdown.Value... endpoints) {
        OptionalFigures old = of.extensions().optional();
        LabelBreakdown labels = endpoints.length == 0
                ? old.labels()
                : new LabelBreakdown(List.of(new LabelBreakdown.Key("endpoint", List.of(endpoints))));
        OptionalFigures figures = new OptionalFigures(old.usage(), old.steady(), labels, null, null, null, progress);
        return new MetricsSnapshot(
                of.counter(),
                of.timestampNanos(),
                of.state(),
                of.pendingTasks(),
                of.metrics(),
                of.extensions().withOptional(figures));
    }

    /** Waits with one stall of a length in seconds, which lasts if the state is {@code stalled}. */
    public static Progress stalled(ProgressState state, long seconds) {
        boolean open = state == ProgressState.STALLED;
        Stall stall = new Stall(
                5 * SECOND, 5 * SECOND, seconds * SECOND, 64, 7, open ? null : Stall.End.PROGRESS, 5, open ? null : 6L);
        return new Progress(
                state,
                open ? (Long) (seconds * SECOND) : null,
                null,
                SECOND,
                seconds * SECOND,
                1,
                seconds * SECOND,
                List.of(stall),
                null);
    }

    /** An endpoint with 10 samples and a wait. */
    public static LabelBreakdown.Value endpoint(String name, ProgressState state, long idleSeconds) {
        boolean open = state == ProgressState.STALLED;
        return new LabelBreakdown.Value(
                name,
                10,
                9,
                0,
                1,
                0,
                0,
                null,
                null,
                null,
                8L,
                new Progress.Target(
                        state,
                        idleSeconds * SECOND,
                        idleSeconds * SECOND,
                        open ? 1 : 0,
                        open ? idleSeconds * SECOND : 0));
    }

    /**
     * A run of 50 s with latencies of 1 to 1000 ms, whose producer sends {@link #HOSTILE_TEXT} wherever it may send text.
     *
     * @param scale factor of all latencies
     */
    public static MetricsSnapshot hostile(double scale, SessionState state) {
        Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 1; i <= 1000; i++) {
            histogram.recordValue((long) (i * MILLI * scale));
        }
        List<Metric> metrics = new ArrayList<>(List.of(
                new CounterMetric("total_samples_issued", 1001),
                new CounterMetric("total_samples_completed", 1000),
                new CounterMetric("tracked_samples_issued", 1001),
                new CounterMetric("tracked_samples_completed", 1000),
                new CounterMetric("tracked_samples_failed", 3),
                new CounterMetric("tracked_samples_succeeded", 1000),
                new CounterMetric("tracked_samples_succeeded_with_first_chunk", 1000),
                new CounterMetric("tracked_samples_errored", 1),
                new CounterMetric("succeeded_duration_ns", 40_000 * MILLI),
                new CounterMetric("tracked_duration_ns", 50_000 * MILLI),
                new CounterMetric("records_received", 4000),
                new CounterMetric("records_applied", 4000)));
        metrics.add(series("sample_latency_ns", histogram));
        metrics.add(series("ttft_ns", histogram));
        long[] steady = new long[50];
        Arrays.fill(steady, 20);
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                1,
                                HOSTILE_TEXT,
                                HOSTILE_TEXT,
                                0,
                                50_000 * MILLI,
                                List.of(HOSTILE_TEXT),
                                List.of(),
                                Map.of("cpu", HOSTILE_TEXT),
                                Map.of()),
                        new SnapshotExtensions.InFlight(0, 0, 0, 12, 0),
                        new Slices(
                                0,
                                1000 * MILLI,
                                0,
                                List.of(
                                        new Slices.Column("issued", steady),
                                        new Slices.Column("completed", steady.clone()),
                                        new Slices.Column("in_flight", steady.clone()),
                                        new Slices.Column("in_flight_max", steady.clone()),
                                        new Slices.Column("latency_p50_ns", steady.clone()))))
                .workers(List.of(new SnapshotExtensions.WorkerRow(HOSTILE_TEXT, 1, 1, 1, 1, 0, 0, 0)))
                .errors(List.of(new SnapshotExtensions.ErrorRow(HOSTILE_TEXT, HOSTILE_TEXT, 3, HOSTILE_TEXT, 0, 0)))
                .slowest(List.of(
                        new SlowSample(
                                "latency",
                                HOSTILE_TEXT,
                                HOSTILE_TEXT,
                                7000 * MILLI,
                                true,
                                999 * MILLI,
                                1000 * MILLI,
                                null,
                                null,
                                8000 * MILLI,
                                HOSTILE_TEXT,
                                HOSTILE_TEXT),
                        new SlowSample(
                                "ttft",
                                "b7",
                                "2",
                                900 * MILLI,
                                false,
                                null,
                                3000 * MILLI,
                                3900 * MILLI,
                                4000 * MILLI,
                                5000 * MILLI)))
                .build();
        return new MetricsSnapshot(1, 1, state, 0, metrics, extensions);
    }

    /** {@link #hostile(double, SessionState)} with other counters, settings and objectives. */
    public static MetricsSnapshot hostile(
            Map<String, Long> counters, Map<String, String> settings, @Nullable Goodput goodput) {
        MetricsSnapshot base = hostile(1, SessionState.COMPLETE);
        List<Metric> metrics = new ArrayList<>(base.metrics());
        metrics.removeIf(each -> counters.containsKey(each.name()));
        counters.forEach((name, value) -> metrics.add(new CounterMetric(name, value)));
        SnapshotExtensions of = base.extensions();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                metrics,
                SnapshotExtensions.of(of.run().withSettings(settings), of.inFlight(), of.slices())
                        .rates(of.rates())
                        .workers(of.workers())
                        .errors(of.errors())
                        .malformed(of.malformed())
                        .slowest(of.slowest())
                        .goodput(goodput)
                        .telemetry(of.telemetry())
                        .self(of.self())
                        .session(of.session())
                        .build());
    }

    /** The series of a histogram, with two percentiles, one display bucket and the histogram itself. */
    public static SeriesMetric series(String name, Histogram histogram) {
        ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        histogram.encodeIntoCompressedByteBuffer(encoded);
        return new SeriesMetric(
                name,
                histogram.getTotalCount(),
                (long) (histogram.getMean() * histogram.getTotalCount()),
                histogram.getMinValue(),
                histogram.getMaxValue(),
                1.0,
                Map.of(
                        "50.0", (double) histogram.getValueAtPercentile(50),
                        "99.0", (double) histogram.getValueAtPercentile(99)),
                List.of(new HistogramBucket(1, 2e9, histogram.getTotalCount())),
                null,
                new SeriesDetail(
                        true, 0, 0, 5.0 * MILLI, Map.of(), Arrays.copyOf(encoded.array(), encoded.position())));
    }

    /**
     * A run of 20 s that completes {@code level} ± {@code noise} samples a second; its id seeds the noise.
     *
     * @param lost numbered records that never arrived
     */
    public static MetricsSnapshot steady(String id, int level, int noise, long lost) {
        return steady(id, level, noise, lost, Map.of());
    }

    /** A run as {@link #steady} of which some samples failed and some met {@code ttft <= 500 ms} for 95 %. */
    public static MetricsSnapshot judged(String id, int level, long samples, long failed, long good) {
        MetricsSnapshot base = steady(id, level, 2, 0, Map.of());
        List<Metric> metrics = new ArrayList<>(List.of(
                new CounterMetric("total_samples_issued", samples),
                new CounterMetric("total_samples_completed", samples),
                new CounterMetric("tracked_samples_issued", samples),
                new CounterMetric("tracked_samples_completed", samples),
                new CounterMetric("tracked_samples_failed", failed),
                new CounterMetric("tracked_samples_errored", failed),
                new CounterMetric("tracked_samples_succeeded", samples - failed)));
        base.metrics().stream()
                .filter(each -> metrics.stream().noneMatch(own -> own.name().equals(each.name())))
                .forEach(metrics::add);
        SnapshotExtensions of = base.extensions();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                List.copyOf(metrics),
                of.toBuilder()
                        .goodput(new Goodput(
                                List.of(new Goodput.Constraint("ttft", 500 * MILLI, good)), 0.95, samples, good, 0))
                        .build());
    }

    /** The snapshot of {@link #steady(String, int, int, long)} whose {@link MergeSettings#OVERLAP} is {@code none}. */
    public static MetricsSnapshot mergedOneAfterTheOther() {
        return steady("a+b", 100, 2, 0, Map.of(MergeSettings.OVERLAP, "none"));
    }

    private static MetricsSnapshot steady(String id, int level, int noise, long lost, Map<String, String> settings) {
        Random random = new Random(id.hashCode());
        long[] completed = new long[SLICES];
        long[] issued = new long[SLICES];
        long sum = 0;
        for (int i = 0; i < SLICES; i++) {
            completed[i] = Math.max(0, level + (noise == 0 ? 0 : random.nextInt(2 * noise) - noise));
            issued[i] = completed[i];
            sum += completed[i];
        }
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(1, id, "1", 0, 0, List.of(), List.of(), Map.of("load", "rate " + level), settings),
                        new SnapshotExtensions.InFlight(0, 0, 0, 7, 0),
                        new Slices(
                                0,
                                SECOND,
                                0,
                                List.of(
                                        new Slices.Column("issued", issued),
                                        new Slices.Column("completed", completed))))
                .workers(List.of(new SnapshotExtensions.WorkerRow("0", sum, sum, sum, 0, lost == 0 ? 0 : 1, lost, 0)))
                .build();
        return new MetricsSnapshot(
                1,
                1,
                SessionState.COMPLETE,
                0,
                List.of(
                        new CounterMetric("tracked_samples_issued", sum),
                        new CounterMetric("tracked_samples_completed", sum),
                        new CounterMetric("tracked_duration_ns", SLICES * SECOND)),
                extensions);
    }
}
