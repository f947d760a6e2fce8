package io.metricsaggregator.tui;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.Certificate;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
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
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A screen over a synthetic run, and its rendered lines. */
abstract class ScreenFixture {
    static final long SECOND = 1_000_000_000L;
    static final long MILLI = 1_000_000L;

    final History history = new History();
    final ViewState view = new ViewState();
    final Screen screen = new Screen(true, null, new Screen.Expectation(0, 1000));
    String message = "too\nmany \u001b[31mrequests 日本";

    /** Creates snapshot {@code number}, one second after its predecessor: ten samples a second, each slower than all before. */
    MetricsSnapshot snapshot(int number, SessionState state) {
        long done = 10L * number;
        Histogram values = new Histogram(1, 3_600_000_000_000L, 3);
        for (int i = 1; i <= done; i++) {
            values.recordValue(i * MILLI);
        }
        List<Metric> metrics = new ArrayList<>(List.of(
                new CounterMetric("total_samples_issued", done + 5),
                new CounterMetric("total_samples_completed", done),
                new CounterMetric("total_samples_failed", 2),
                new CounterMetric("tracked_samples_issued", done + 5),
                new CounterMetric("tracked_samples_completed", done),
                new CounterMetric("tracked_duration_ns", number * SECOND),
                new CounterMetric("total_duration_ns", number * SECOND),
                new CounterMetric("records_received", 4 * done),
                new CounterMetric("records_applied", 4 * done - 1),
                new CounterMetric("records_malformed", 1)));
        metrics.add(series("ttft_ns", values));
        SnapshotExtensions extensions = SnapshotExtensions.of(
                        new RunInfo(1, "cafe", "1.0", 0, 0, List.of(), List.of(), Map.of(), Map.of()),
                        new SnapshotExtensions.InFlight(5, 5, 0, 9, 3 * SECOND),
                        new Slices(0, SECOND, 0, List.of(new Slices.Column("completed", new long[] {10, 10, 5}))))
                .workers(List.of(
                        new SnapshotExtensions.WorkerRow("w1", 20L * number, done, done, 0, 0, 0, 0),
                        new SnapshotExtensions.WorkerRow("w2", 20, 0, 0, 0, 1, 7, 0)))
                .errors(List.of(new SnapshotExtensions.ErrorRow("error.client", "RateLimit", number, message, 0, 0)))
                .goodput(new Goodput(
                        List.of(new Goodput.Constraint("ttft", 50 * MILLI, done / 2)), 0.9, done, done / 2, 0))
                .self(new SelfCost(
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
                        0,
                        0,
                        0,
                        0,
                        0))
                .build();
        return new MetricsSnapshot(number, number * SECOND, state, 0, metrics, extensions);
    }

    static SeriesMetric series(String name, Histogram values) {
        ByteBuffer encoded = ByteBuffer.allocate(values.getNeededByteBufferCapacity());
        values.encodeIntoCompressedByteBuffer(encoded);
        Map<String, Double> percentiles = Map.of(
                "50.0", (double) values.getValueAtPercentile(50),
                "90.0", (double) values.getValueAtPercentile(90),
                "99.0", (double) values.getValueAtPercentile(99),
                "99.9", (double) values.getValueAtPercentile(99.9));
        return new SeriesMetric(
                name,
                values.getTotalCount(),
                1000L,
                values.getMinValue(),
                values.getMaxValue(),
                1.0,
                percentiles,
                List.of(new HistogramBucket(1, 2e9, values.getTotalCount())),
                null,
                new SeriesDetail(
                        false,
                        0,
                        0,
                        1.0,
                        Map.of("50.0", new Certificate(1.0, 0), "99.9", new Certificate(null, 6000)),
                        Arrays.copyOf(encoded.array(), encoded.position())));
    }

    void run(int seconds) {
        for (int i = 1; i <= seconds; i++) {
            history.add(i * SECOND, snapshot(i, SessionState.LIVE));
        }
    }

    String draw(long nowNanos, int width, int height) {
        List<Line> lines = screen.render(history, view, nowNanos, width, height);
        assertThat(lines)
                .hasSize(height)
                .allSatisfy(line -> assertThat(line.width()).isLessThanOrEqualTo(width));
        return lines.stream().map(Line::text).collect(Collectors.joining("\n"));
    }

    @Nullable
    Style styleOf(String text, long nowNanos) {
        return screen.render(history, view, nowNanos, 200, 60).stream()
                .flatMap(line -> line.spans().stream())
                .filter(span -> span.text().contains(text))
                .map(Line.Span::style)
                .findFirst()
                .orElse(null);
    }
}
