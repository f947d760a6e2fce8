package io.metricsaggregator.fleet;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A node in memory: a daemon's registry, and snapshots of it as the daemon renders them while it is live. */
final class TestNode {
    private final String name;
    private final String runId;
    private final Registry registry;
    private final LongSeries latency;
    private final LongSeries ttft;
    private final LongSeries failedLatency;
    private final LongSeries failedTtft;
    private final LongSeries succeededTtft;
    private final LongCounter succeeded;
    private final LongCounter succeededWithFirst;
    private final LongCounter issued;
    private final LongCounter completed;
    private final LongCounter failed;
    private final LongCounter records;
    private final LongCounter tracked;
    private final LongCounter duration;
    private long snapshots;
    long workers = 1;
    long inFlight;
    double rate = 10;
    Map<String, String> settings = Map.of("streaming", "true");

    @Nullable
    LabelBreakdown labels;

    TestNode(String name, String runId) {
        this(name, runId, 3);
    }

    TestNode(String name, String runId, int significantFigures) {
        this.name = name;
        this.runId = runId;
        registry = new Registry(significantFigures, 30, new RawBudget(Long.MAX_VALUE));
        records = registry.counter(CounterName.RECORDS_RECEIVED);
        issued = registry.counter(CounterName.TRACKED_SAMPLES_ISSUED);
        completed = registry.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        failed = registry.counter(CounterName.TRACKED_SAMPLES_FAILED);
        tracked = registry.counter(CounterName.TRACKED_DURATION_NS);
        duration = registry.counter(CounterName.TOTAL_DURATION_NS);
        latency = registry.longSeries(SeriesName.SAMPLE_LATENCY_NS);
        ttft = registry.longSeries(SeriesName.TTFT_NS);
        failedLatency = registry.longSeries(SeriesName.FAILED_SAMPLE_LATENCY_NS);
        failedTtft = registry.longSeries(SeriesName.FAILED_TTFT_NS);
        succeeded = registry.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED);
        succeededWithFirst = registry.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED_WITH_FIRST_CHUNK);
        registry.remainder(SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS, latency, failedLatency, succeeded::value);
        succeededTtft = registry.recordedRemainder(SeriesName.SUCCEEDED_TTFT_NS, ttft, failedTtft);
    }

    String runId() {
        return runId;
    }

    /** Records a sample that succeeded. */
    void sample(long latencyNanos) {
        ended(latencyNanos);
        succeeded.increment();
        succeededWithFirst.increment();
        succeededTtft.record(latencyNanos / 2);
    }

    /** Records a sample that completed after an error. */
    void failure(long latencyNanos) {
        ended(latencyNanos);
        failed.increment();
        failedLatency.record(latencyNanos);
        failedTtft.record(latencyNanos / 2);
    }

    private void ended(long latencyNanos) {
        records.add(2);
        issued.increment();
        completed.increment();
        latency.record(latencyNanos);
        ttft.record(latencyNanos / 2);
    }

    void samples(int many, Random random, TestNode... others) {
        for (int i = 0; i < many; i++) {
            long nanos = (long) Math.exp(random.nextDouble() * 25);
            sample(nanos);
            for (TestNode other : others) {
                other.sample(nanos);
            }
        }
    }

    void error() {
        failed.increment();
    }

    /** Sets the length of the tracked windows. */
    void tracked(long nanos) {
        tracked.set(nanos);
    }

    /** Sets the time since the start of the session. */
    void lasted(long nanos) {
        duration.set(nanos);
    }

    /** Series and counters as a live daemon renders them. */
    List<Metric> metrics() {
        return registry.renderExact(registry.newCopy(), false, () -> true);
    }

    /** The next snapshot. */
    MetricsSnapshot snapshot(SessionState state, long nanos, long wallNanos) {
        List<SnapshotExtensions.WorkerRow> rows = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            rows.add(new SnapshotExtensions.WorkerRow(
                    i == 0 ? "" : Integer.toString(i), records.value(), issued.value(), completed.value(), 0, 0, 0, 0));
        }
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(
                                2,
                                runId,
                                "1.0",
                                1,
                                wallNanos,
                                List.of(),
                                List.of(),
                                Map.of("host", name),
                                settings,
                                null,
                                Map.of(),
                                null,
                                null),
                        new SnapshotExtensions.InFlight(inFlight, inFlight, 0, inFlight, 5),
                        new Slices(nanos, 1_000_000_000L, 0, List.of()))
                .rates(List.of(new Rate(1, 1, 100, rate, rate, 0, 1000, 0)))
                .workers(rows)
                .errors(
                        failed.value() == 0
                                ? List.of()
                                : List.of(new SnapshotExtensions.ErrorRow(
                                        "error.client", "Timeout", failed.value(), "after 3 s", nanos - 2, nanos - 1)))
                .slowest(List.of(
                        new SlowSample(SlowSample.LATENCY, "id", "7", 50, false, null, nanos, null, null, nanos + 50)))
                .session(new SessionInfo(true, true, false, null))
                .build();
        OptionalFigures optional = OptionalFigures.NONE.withLabels(labels);
        return new MetricsSnapshot(++snapshots, nanos, state, 0, metrics(), extensions.withOptional(optional));
    }
}
