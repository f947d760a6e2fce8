package io.metricsaggregator.imports.journal;

import io.metricsaggregator.imports.SummarySeries;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.snapshot.figures.Slices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A snapshot of the figures that a tool computed itself, without any request: for reports and comparisons. Stateless. */
public final class SummarySnapshot {
    private SummarySnapshot() {}

    /**
     * Builds the snapshot.
     *
     * @param part holds summaries only
     * @param imported describes the import
     * @param runId 16 hexadecimal digits
     * @param version version of this program
     * @param environment properties of the machine that measured the run, by name
     */
    public static MetricsSnapshot of(
            ImportedPart part, Imported imported, String runId, String version, Map<String, String> environment) {
        List<Metric> metrics = new ArrayList<>();
        part.summaryCounters().forEach((name, value) -> metrics.add(new CounterMetric(name, value)));
        part.summaries().forEach(series -> metrics.add(metric(series)));
        Long started = part.startedWallNanos();
        Long ended = part.endedWallNanos();
        if (started != null && ended == null) {
            ended = started + part.summaryCounters().getOrDefault("tracked_duration_ns", 0L);
        }
        RunInfo run = new RunInfo(
                RunInfo.SCHEMA_VERSION,
                runId,
                version,
                started == null ? 0 : started,
                ended == null ? 0 : ended,
                List.of(),
                List.of(),
                environment,
                Map.of(),
                imported,
                Map.of(),
                null,
                null);
        return new MetricsSnapshot(
                1,
                0,
                part.isInterrupted() ? SessionState.INTERRUPTED : SessionState.COMPLETE,
                0,
                metrics,
                SnapshotExtensions.of(
                                run, new SnapshotExtensions.InFlight(0, 0, 0, 0, 0), new Slices(0, 1, 0, List.of()))
                        .build());
    }

    private static SeriesMetric metric(SummarySeries series) {
        long count = series.count() == null ? 0 : series.count();
        double mean = orNaN(series.mean());
        double deviation = orNaN(series.standardDeviation());
        Map<String, Double> percentiles = new LinkedHashMap<>();
        series.percentiles().entrySet().stream()
                .sorted((a, b) -> Double.compare(b.getKey(), a.getKey()))
                .forEach(each -> percentiles.put(key(each.getKey()), each.getValue()));
        return new SeriesMetric(
                series.name(),
                count,
                mean * count,
                orNaN(series.min()),
                orNaN(series.max()),
                count * mean * mean + (count - 1) * deviation * deviation,
                percentiles,
                List.of(),
                null,
                null);
    }

    private static double orNaN(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    /** The key of a percentile in snapshots: at least one decimal, as in {@code 99.0}. */
    private static String key(double percent) {
        String text = String.format(Locale.ROOT, "%.4f", percent);
        int end = text.length();
        while (text.charAt(end - 1) == '0' && text.charAt(end - 2) != '.') {
            end--;
        }
        return text.substring(0, end);
    }
}
