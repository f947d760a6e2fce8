package io.metricsaggregator.analysis;

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
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The runs that every view must show: {@link ViewContract} says what holds for them. */
public enum ContractRun {
    /** Nothing at all: no record, no extension. */
    NOTHING,
    /** A session without a sample. */
    EMPTY,
    /** A run that goes on, with samples in flight and nothing failed. */
    RUNNING,
    /** Every sample failed. */
    FAILED,
    /**
     * Interrupted in the middle, with records lost, three successes, and failed samples in flight that had several errors each; tokens as the server
     * reported them; percentiles above the maximum, as the edges of buckets have them.
     */
    CUT,
    /** An unusual one: text of 1,500 characters, many labels, errors, workers and slices, numbers near the ends of 64 bits. */
    HUGE;

    private static final long SECOND = 1_000_000_000L;

    private static final long MILLI = 1_000_000L;
    /** Markup, a formula, controls, wide, combining and supplementary characters, of any length. */
    private static final String NAME =
            "=cmd|'/C calc'!A0\",<script>alert(1)</script>`|[x](y)&\u001b[31m\u0000\u202e\r\n"
                    + "\u65e5\u672c\u8a9e\ud83d\udc69\u200d\ud83d\udd2ce\u0301";

    /** A text of so many repetitions of what a view must not show as it is. */
    public static String hostile(int repetitions) {
        return NAME.repeat(repetitions);
    }

    /** The final or last snapshot of the run. */
    public MetricsSnapshot snapshot() {
        return switch (this) {
            case NOTHING -> new MetricsSnapshot(0, 0, SessionState.INITIALIZE, 0, List.of(), SnapshotExtensions.NONE);
            case EMPTY -> run(SessionState.COMPLETE, 0, 0, 0, 0, 0);
            case RUNNING -> run(SessionState.LIVE, 1234, 0, 0, 5, 0);
            case FAILED -> run(SessionState.COMPLETE, 0, 321, 0, 0, 0);
            case CUT -> run(SessionState.INTERRUPTED, 3, 1, 2, 7, 19);
            case HUGE -> huge();
        };
    }

    /**
     * A run of 20 seconds.
     *
     * @param failed samples that failed and completed
     * @param open samples in flight that failed
     * @param inFlight samples in flight that did not
     */
    private static MetricsSnapshot run(
            SessionState state, long succeeded, long failed, long open, long inFlight, long lost) {
        long completed = succeeded + failed;
        long issued = completed + open + inFlight;
        List<Metric> metrics = new ArrayList<>(counters(issued, succeeded, failed, open));
        metrics.add(new CounterMetric("tracked_duration_ns", completed == 0 ? 0 : 20 * SECOND));
        metrics.add(new CounterMetric("total_duration_ns", 20 * SECOND));
        metrics.add(new CounterMetric("records_received", 4 * completed));
        metrics.add(new CounterMetric("records_applied", 4 * completed));
        for (String name : List.of("succeeded_ttft_ns", "succeeded_sample_latency_ns", "tpot_ns")) {
            metrics.add(series(name, succeeded, MILLI));
        }
        metrics.add(series("ttft_ns", succeeded, MILLI));
        metrics.add(series("sample_latency_ns", completed, MILLI));
        metrics.add(series("failed_sample_latency_ns", failed, MILLI));
        metrics.add(series(lost == 0 ? "osl" : "usage_completion_tokens", succeeded, 1));
        return new MetricsSnapshot(
                7,
                20 * SECOND,
                state,
                0,
                metrics,
                SnapshotExtensions.of(
                                run("c0ffee", Map.of("model", "llama-3.1-70b", "concurrency", "64"), Map.of()),
                                new SnapshotExtensions.InFlight(inFlight + open, inFlight + open, open, issued, SECOND),
                                slices(20, completed / 20))
                        .workers(List.of(new SnapshotExtensions.WorkerRow(
                                "w1", 4 * completed, issued, completed, failed, lost == 0 ? 0 : 1, lost, 0)))
                        .errors(
                                failed == 0
                                        ? List.of()
                                        : List.of(new SnapshotExtensions.ErrorRow(
                                                "error.client", "RateLimit", failed, "429 Too Many Requests", 0, 0)))
                        .goodput(completed == 0 ? null : goodput(completed, succeeded / 2))
                        .optional(figures(List.of(new LabelBreakdown.Key(
                                "endpoint", List.of(label("a", issued, succeeded, failed), label("b", 0, 0, 0))))))
                        .build());
    }

    private static List<Metric> counters(long issued, long succeeded, long failed, long open) {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (String prefix : List.of("total_samples_", "tracked_samples_")) {
            counters.put(prefix + "issued", issued);
            counters.put(prefix + "completed", succeeded + failed);
            counters.put(prefix + "failed", failed + 2 * open);
        }
        counters.put("tracked_samples_errored", failed + open);
        counters.put("tracked_samples_succeeded", succeeded);
        counters.put("tracked_samples_succeeded_with_first_chunk", succeeded);
        List<Metric> metrics = new ArrayList<>();
        counters.forEach((name, value) -> metrics.add(new CounterMetric(name, value)));
        return metrics;
    }

    private static RunInfo run(String id, Map<String, String> labels, Map<String, String> settings) {
        return new RunInfo(
                2,
                id,
                "1.0",
                1_000 * SECOND,
                1_020 * SECOND,
                List.of(),
                List.of(),
                Map.of("cpu", id),
                settings,
                null,
                labels,
                null,
                null);
    }

    /** Values of 1, 2, 3, … steps. The percentiles that people see are above the maximum, as edges of buckets are. */
    private static SeriesMetric series(String name, long count, long step) {
        double max = count * (double) step;
        Map<String, Double> ranks = new LinkedHashMap<>();
        Map<String, Double> edges = new LinkedHashMap<>();
        for (String key :
                List.of("1.0", "5.0", "10.0", "25.0", "50.0", "75.0", "80.0", "90.0", "95.0", "97.0", "99.0", "99.9")) {
            double share = Double.parseDouble(key) / 100;
            ranks.put(key, max * share);
            edges.put(key, count > 0 && share >= 0.9 ? max * 1.01 : max * share);
        }
        return new SeriesMetric(
                name,
                count,
                max * (count + 1) / 2,
                count == 0 ? 0L : step,
                count * step,
                max * max,
                ranks,
                List.of(),
                null,
                new SeriesDetail(count % 2 == 0, 0, 0, count < 2 ? null : (Double) (max / 4), Map.of(), edges, null));
    }

    private static Slices slices(int size, long each) {
        long[] values = IntStream.range(0, size).mapToLong(i -> each).toArray();
        long[] durations = IntStream.range(0, size)
                .mapToLong(i -> each == 0 || i % 2 == 0 ? Slices.NOT_MEASURED : each * MILLI)
                .toArray();
        List<Slices.Column> columns = new ArrayList<>();
        for (String name : List.of("issued", "completed", "errors", "good", "in_flight", "in_flight_max")) {
            columns.add(new Slices.Column(name, values));
        }
        for (String name : List.of("ttft_p50_ns", "ttft_p99_ns", "latency_p50_ns", "latency_p99_ns")) {
            columns.add(new Slices.Column(name, durations));
        }
        return new Slices(0, SECOND, 0, columns);
    }

    private static Goodput goodput(long judged, long good) {
        return new Goodput(List.of(new Goodput.Constraint("ttft", 500 * MILLI, good)), 0.95, judged, good, 0);
    }

    private static OptionalFigures figures(List<LabelBreakdown.Key> labels) {
        return new OptionalFigures(null, null, new LabelBreakdown(labels), null, null, null, null);
    }

    private static LabelBreakdown.Value label(String name, long issued, long succeeded, long failed) {
        LabelBreakdown.Durations durations = succeeded == 0
                ? null
                : new LabelBreakdown.Durations(
                        succeeded, MILLI, succeeded * MILLI, succeeded * MILLI, succeeded * MILLI);
        return new LabelBreakdown.Value(
                name,
                issued,
                succeeded + failed,
                failed,
                issued - succeeded - failed,
                0,
                0,
                durations,
                durations,
                null,
                null,
                null);
    }

    private static MetricsSnapshot huge() {
        long many = 4_000_000_000_000_000_000L;
        String text = hostile(20);
        List<Metric> metrics = new ArrayList<>(counters(many, many - 2_000_000, 1_000_000, 0));
        metrics.add(new CounterMetric("tracked_duration_ns", Long.MAX_VALUE));
        metrics.add(new CounterMetric("total_duration_ns", Long.MAX_VALUE));
        for (String name : List.of("succeeded_ttft_ns", "succeeded_sample_latency_ns", "tpot_ns", "ttft_ns", "osl")) {
            metrics.add(series(name, 9_000_000_000L, 1_000_000_000L));
        }
        List<SnapshotExtensions.WorkerRow> workers = new ArrayList<>();
        List<SnapshotExtensions.ErrorRow> errors = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            workers.add(new SnapshotExtensions.WorkerRow(i + text, many, many, many, i, i, many, i));
            errors.add(new SnapshotExtensions.ErrorRow(i + text, text, many, text, 0, 0));
        }
        List<LabelBreakdown.Key> labels = new ArrayList<>();
        Map<String, String> settings = new LinkedHashMap<>();
        for (int key = 0; key < 12; key++) {
            int first = 33 * key;
            settings.put("setting " + key + text, text);
            labels.add(new LabelBreakdown.Key(
                    key + text,
                    IntStream.range(first, first + 33)
                            .mapToObj(i -> label(i + text, many, many - 1000, 1000))
                            .toList()));
        }
        return new MetricsSnapshot(
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                SessionState.COMPLETE,
                0,
                metrics,
                SnapshotExtensions.of(
                                run(text, settings, settings),
                                new SnapshotExtensions.InFlight(
                                        1_000_000, 1_000_000, 0, Long.MAX_VALUE, Long.MAX_VALUE),
                                slices(5000, 1_000_000_000L))
                        .workers(workers)
                        .errors(errors)
                        .goodput(goodput(many - 1_000_000, many / 2))
                        .optional(figures(labels))
                        .build());
    }
}
