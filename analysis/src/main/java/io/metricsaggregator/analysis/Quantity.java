package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A series of the snapshot as reports show it: names, unit and definition.
 *
 * @param series name in snapshots
 * @param key name in JSON and CSV
 * @param title name in tables
 * @param meaning definition, a clause
 */
public record Quantity(String series, String key, String title, String meaning) {
    private static final double NANOS_PER_MILLI = 1e6;

    /** By series that a merged snapshot may have for some of its runs only: the counter with the expected number of values. */
    private static final Map<String, String> COUNTED_BY = Map.of(
            "succeeded_sample_latency_ns", "tracked_samples_succeeded",
            "succeeded_ttft_ns", "tracked_samples_succeeded_with_first_chunk");

    private static final List<Quantity> ALL = List.of(
            new Quantity("ttft_ns", "ttft", "time to first token", "from the issue of a sample to its first chunk"),
            new Quantity(
                    "response_ttft_ns",
                    "response_ttft",
                    "  from its schedule",
                    "from the scheduled issue of a sample to its first chunk; includes queueing in the client"),
            new Quantity(
                    "chunk_delta_ns",
                    "chunk_gap",
                    "between chunks",
                    "from one chunk of a response to the next, over all chunks"),
            new Quantity(
                    "tpot_ns",
                    "tpot",
                    "time per output token",
                    "from the first chunk to the completion, divided by the tokens after the first chunk; one value per sample"),
            new Quantity(
                    "sample_latency_ns", "latency", "sample latency", "from the issue of a sample to its completion"),
            new Quantity(
                    "response_latency_ns",
                    "response_latency",
                    "  from its schedule",
                    "from the scheduled issue of a sample to its completion; includes queueing in the client"),
            new Quantity(
                    "schedule_slip_ns",
                    "schedule_slip",
                    "schedule slip",
                    "delay of the issue of a sample after its schedule"),
            new Quantity(
                    "failed_sample_latency_ns",
                    "failed_latency",
                    "latency of failed samples",
                    "the latency of samples with an error; the sample latency includes them"),
            new Quantity(
                    "failed_ttft_ns",
                    "failed_ttft",
                    "TTFT of failed samples",
                    "the time to first token of samples with an error"),
            new Quantity(
                    "succeeded_sample_latency_ns",
                    "succeeded_latency",
                    "latency of successes",
                    "the latency of samples that completed without an error"),
            new Quantity(
                    "succeeded_ttft_ns",
                    "succeeded_ttft",
                    "TTFT of successes",
                    "the time to first token of samples that completed without an error"),
            new Quantity("isl", "isl", "input tokens", "tokens of a prompt"),
            new Quantity("osl", "osl", "output tokens", "tokens of a response"));

    /** All quantities in the order of display. */
    public static List<Quantity> all() {
        return ALL;
    }

    /** The quantities with values in a snapshot. */
    public static List<Quantity> of(MetricsSnapshot snapshot) {
        return ALL.stream().filter(each -> each.measured(snapshot) != null).toList();
    }

    /** The durations with values in a snapshot. */
    public static List<Quantity> durations(MetricsSnapshot snapshot) {
        return of(snapshot).stream().filter(Quantity::isDuration).toList();
    }

    /** The series in a snapshot; null if it is empty or lacks the values of some samples. */
    @Nullable
    public SeriesMetric measured(MetricsSnapshot snapshot) {
        SeriesMetric metric = snapshot.series(series);
        String counter = COUNTED_BY.get(series);
        return metric == null
                        || metric.count() == 0
                        || (counter != null && metric.count() != snapshot.counterValue(counter))
                ? null
                : metric;
    }

    public boolean isDuration() {
        return series.endsWith("_ns");
    }

    /** The unit in reports: {@code ms} or {@code tokens}. */
    public String unit() {
        return isDuration() ? "ms" : "tokens";
    }

    /** Converts a value of the series to {@link #unit()}. */
    public double shown(double value) {
        return isDuration() ? value / NANOS_PER_MILLI : value;
    }
}
