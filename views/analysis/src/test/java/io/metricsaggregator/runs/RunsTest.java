package io.metricsaggregator.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.analysis.SeriesHistogram;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.percentile.Linear;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Merges and comparisons of runs. */
class RunsTest {
    private static final long MILLI = 1_000_000L;
    private static final int SLICES = 120;
    private static final long STARTED = 1_700_000_000_000L * MILLI;

    private static SeriesMetric series(String name, long[] values) {
        Histogram histogram = new Histogram(1, 3_600_000_000_000L, 3);
        double mean = LongStream.of(values).average().orElse(0);
        double spread = 0;
        for (long value : values) {
            histogram.recordValue(value);
            spread += (value - mean) * (value - mean);
        }
        ByteBuffer encoded = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        histogram.encodeIntoCompressedByteBuffer(encoded);
        return new SeriesMetric(
                name,
                values.length,
                LongStream.of(values).sum(),
                LongStream.of(values).min().orElse(0),
                LongStream.of(values).max().orElse(0),
                1.0,
                Map.of(
                        "50.0", (double) histogram.getValueAtPercentile(50),
                        "99.0", (double) histogram.getValueAtPercentile(99)),
                List.of(new HistogramBucket(1, 2, values.length)),
                null,
                new SeriesDetail(
                        true,
                        0,
                        0,
                        Math.sqrt(spread / (values.length - 1)),
                        Map.of(),
                        Arrays.copyOf(encoded.array(), encoded.position())));
    }

    /** A run with autocorrelated latencies: neighbouring slices resemble each other. */
    private static MetricsSnapshot run(String id, long seed, double slower) {
        Random random = new Random(seed);
        long[] p99 = new long[SLICES];
        long[] completed = new long[SLICES];
        long[] issued = new long[SLICES];
        long[] values = new long[SLICES * 10];
        double level = 0;
        for (int i = 0; i < SLICES; i++) {
            level = 0.8 * level + random.nextGaussian();
            p99[i] = (long) ((200 + 10 * level) * MILLI * slower);
            completed[i] = 50 + random.nextInt(5);
            issued[i] = 50;
            for (int j = 0; j < 10; j++) {
                values[10 * i + j] = (long) ((100 + 5 * level + random.nextInt(100)) * MILLI * slower);
            }
        }
        List<Metric> metrics = List.of(
                new CounterMetric("tracked_samples_issued", SLICES * 50),
                new CounterMetric("tracked_samples_completed", SLICES * 50),
                new CounterMetric("tracked_samples_failed", 6),
                new CounterMetric("tracked_duration_ns", SLICES * 1000L * MILLI),
                series("sample_latency_ns", values));
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                1,
                                id,
                                "1",
                                STARTED,
                                STARTED + SLICES * 1000L * MILLI,
                                List.of(),
                                List.of(),
                                Map.of("cpu", "of " + slower),
                                Map.of("streaming", "true")),
                        new SnapshotExtensions.InFlight(1, 1, 0, 7, 0),
                        new Slices(
                                0,
                                1000 * MILLI,
                                0,
                                List.of(
                                        new Slices.Column("issued", issued),
                                        new Slices.Column("completed", completed),
                                        new Slices.Column("latency_p99_ns", p99))))
                .workers(List.of(new SnapshotExtensions.WorkerRow("0", 10, 5, 5, 0, 0, 1, 0)))
                .errors(List.of(new SnapshotExtensions.ErrorRow("error.client", "Timeout", 2, "late", 1, 9)))
                .build();
        return new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, metrics, extensions);
    }

    private static Comparison.Row row(Comparison comparison, String key) {
        return comparison.rows().stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    /** The value at a place among the recorded ones, from 0. */
    private static long at(Histogram histogram, long place) {
        for (var each : histogram.recordedValues()) {
            if (each.getTotalCountToThisValue() > place) {
                return each.getValueIteratedTo();
            }
        }
        throw new AssertionError("no value at " + place);
    }

    @Test
    void a_merged_run_equals_that_of_one_daemon() {
        MetricsSnapshot a = run("a", 1, 1);
        MetricsSnapshot b = run("b", 2, 3);
        MetricsSnapshot merged = SnapshotMerge.merge(List.of(a, b));
        assertThat(merged.state()).isEqualTo(SessionState.COMPLETE);
        assertThat(merged.counterValue("tracked_samples_completed")).isEqualTo(2L * SLICES * 50);
        assertThat(merged.counterValue("tracked_duration_ns")).isEqualTo(SLICES * 1000L * MILLI);
        SeriesMetric one = a.series("sample_latency_ns");
        SeriesMetric two = b.series("sample_latency_ns");
        SeriesMetric both = merged.series("sample_latency_ns");
        assertThat(both.count()).isEqualTo(one.count() + two.count());
        assertThat(both.total().longValue())
                .isEqualTo(one.total().longValue() + two.total().longValue());
        assertThat(both.min()).isEqualTo(one.min());
        assertThat(both.max()).isEqualTo(two.max());
        Histogram together = SeriesHistogram.of(one);
        together.add(SeriesHistogram.of(two));
        assertThat(SeriesHistogram.of(both)).isEqualTo(together);
        assertThat(both.percentiles().get("99.0")).isEqualTo((double) together.getValueAtPercentile(99));
        double place = 0.99 * (both.count() - 1);
        double below = (double) together.medianEquivalentValue(at(together, (long) place));
        double above = (double) together.medianEquivalentValue(at(together, (long) place + 1));
        assertThat(both.percentile("99.0")).isEqualTo(Linear.between(below, above, place - (long) place));
        assertThat(both.detail().exact()).isFalse();
        assertThat(both.detail().stdDev())
                .isCloseTo(together.getStdDeviation(), within(0.01 * together.getStdDeviation()));
        assertThat(both.histogram().stream().mapToLong(HistogramBucket::count).sum())
                .isEqualTo(both.count());
        SnapshotExtensions extensions = merged.extensions();
        assertThat(extensions.workers())
                .extracting(SnapshotExtensions.WorkerRow::worker)
                .containsExactly("a/0", "b/0");
        assertThat(extensions.errors())
                .singleElement()
                .satisfies(row -> assertThat(row.count()).isEqualTo(4));
        assertThat(extensions.slices().column("issued")).containsOnly(100);
        assertThat(extensions.slices().column("latency_p99_ns")).containsOnly(Slices.NOT_MEASURED);
        assertThat(extensions.run().recomputed()).singleElement().asString().contains("merged of 2 runs: a, b");
        assertThat(extensions.run().environment()).containsEntry("cpu", "of 1.0 / of 3.0");
    }

    @Test
    void telemetry_of_one_run_is_kept_and_of_several_runs_is_omitted_with_a_note() {
        MetricsSnapshot a = with(run("a", 1, 1), Map.of("transfer", Map.of("of", "a"), "metric", Map.of("of", "a")));
        MetricsSnapshot b = with(run("b", 2, 3), Map.of("metric", Map.of("of", "b")));
        SnapshotExtensions merged = SnapshotMerge.merge(List.of(a, b)).extensions();
        assertThat(merged.telemetry().tree()).isEqualTo(Map.of("transfer", Map.of("of", "a")));
        assertThat(merged.run().recomputed())
                .anyMatch(word -> word.contains("metric telemetry of several runs cannot be added up and is omitted"));
    }

    private static MetricsSnapshot with(MetricsSnapshot run, Map<String, Object> telemetry) {
        return with(run, telemetry, run.extensions().slowest(), 0);
    }

    private static MetricsSnapshot with(
            MetricsSnapshot run, Map<String, Object> telemetry, List<SlowSample> slowest, long startNanos) {
        SnapshotExtensions of = run.extensions();
        return new MetricsSnapshot(
                run.counter(),
                run.timestampNanos(),
                run.state(),
                0,
                run.metrics(),
                SnapshotExtensions.of(
                                of.run(),
                                of.inFlight(),
                                new Slices(
                                        startNanos,
                                        of.slices().widthNanos(),
                                        0,
                                        of.slices().columns()))
                        .rates(of.rates())
                        .workers(of.workers())
                        .errors(of.errors())
                        .malformed(of.malformed())
                        .slowest(slowest)
                        .goodput(of.goodput())
                        .telemetry(TelemetrySnapshots.of(telemetry))
                        .self(of.self())
                        .session(of.session())
                        .build());
    }

    private static SlowSample slow(String id, long nanos, long issued) {
        return new SlowSample("latency", id, "0", nanos, false, null, issued, issued + 1, null, issued + nanos);
    }

    @Test
    void the_slowest_samples_of_all_runs_are_on_the_time_of_the_merged_run() {
        MetricsSnapshot a = with(run("a", 1, 1), Map.of(), List.of(slow("x", 9, 105), slow("y", 3, 101)), 100);
        MetricsSnapshot b = with(run("b", 2, 1), Map.of(), List.of(slow("z", 5, 5000), slow("w", 4, 5001)), 5000);
        assertThat(SnapshotMerge.merge(List.of(a, b)).extensions().slowest())
                .containsExactly(slow("x", 9, 5), slow("z", 5, 0))
                .isEqualTo(SnapshotMerge.merge(List.of(b, a)).extensions().slowest());
    }

    @Test
    void merging_is_independent_of_order_and_rejects_a_run_given_twice() {
        MetricsSnapshot a = run("a", 1, 1);
        MetricsSnapshot b = run("b", 2, 3);
        MetricsSnapshot c = run("c", 3, 2);
        SeriesMetric first = SnapshotMerge.merge(List.of(a, b, c)).series("sample_latency_ns");
        SeriesMetric second = SnapshotMerge.merge(List.of(c, SnapshotMerge.merge(List.of(b, a))))
                .series("sample_latency_ns");
        assertThat(SeriesHistogram.of(second)).isEqualTo(SeriesHistogram.of(first));
        assertThat(second.total()).isEqualTo(first.total());
        assertThat(second.detail().stdDev())
                .isCloseTo(first.detail().stdDev(), within(1e-6 * first.detail().stdDev()));
        assertThatThrownBy(() -> SnapshotMerge.merge(List.of(a, a))).hasMessageContaining("twice");
    }

    @Test
    void false_alarms_between_runs_of_one_system_stay_below_their_level() {
        int alarms = 0;
        int pairs = 60;
        for (int i = 0; i < pairs; i++) {
            Comparison comparison = Comparison.of("a", run("a", 100 + i, 1), "b", run("b", 900 + i, 1));
            alarms += comparison.rows().stream()
                            .anyMatch(each -> each.outcome() == Comparison.Outcome.BETTER
                                    || each.outcome() == Comparison.Outcome.WORSE)
                    ? 1
                    : 0;
        }
        // 5 % are allowed; a test that assumes independent slices rejects every third pair of such runs.
        assertThat(alarms).isLessThanOrEqualTo(pairs / 6);
    }

    @Test
    void a_slower_run_is_found_with_its_interval_and_changed_settings() {
        Comparison comparison = Comparison.of("before", run("a", 1, 1), "after", run("b", 2, 1.2));
        Comparison.Row p99 = row(comparison, "latency.p99");
        assertThat(p99.outcome()).isEqualTo(Comparison.Outcome.WORSE);
        // Autocorrelation contributes to the difference of the means of these two runs.
        assertThat(p99.low()).isBetween(0.1, 0.25);
        assertThat(p99.high()).isBetween(0.2, 0.35);
        assertThat(p99.effect()).isGreaterThan(0.8);
        assertThat(p99.p()).isLessThan(0.01);
        assertThat(row(comparison, "requests_per_s").outcome()).isEqualTo(Comparison.Outcome.SAME);
        assertThat(row(comparison, "latency.mean").outcome()).isEqualTo(Comparison.Outcome.UNTESTED);
        assertThat(comparison.changes()).containsExactly("cpu: of 1.0 -> of 1.2");
        Comparison back = Comparison.of("before", run("b", 2, 1.2), "after", run("a", 1, 1));
        assertThat(row(back, "latency.p99").outcome()).isEqualTo(Comparison.Outcome.BETTER);
    }

    @Test
    void shortRunsAreComparedButNotTested() {
        List<Metric> metrics = new ArrayList<>(run("a", 1, 1).metrics());
        MetricsSnapshot bare = new MetricsSnapshot(1, 1, SessionState.COMPLETE, 0, metrics, SnapshotExtensions.NONE);
        Comparison comparison = Comparison.of("a", bare, "b", bare);
        assertThat(comparison.rows())
                .filteredOn(each -> !each.key().equals("errors"))
                .isNotEmpty()
                .allMatch(each -> each.outcome() == Comparison.Outcome.UNTESTED);
    }
}
