package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A series for people: its name, and what it means.
 *
 * @param series its name in snapshots
 * @param key its short name
 * @param title its name in tables
 * @param meaning what it is, in a sentence
 */
public record Quantity(String series, String key, String title, String meaning) {
    private static final double NANOS_PER_MILLI = 1e6;

    /** Series that a merged snapshot can have of some of its runs only: how many values the whole has. */
    private static final Map<String, String> COUNTED_BY = Map.of(
            "succeeded_sample_latency_ns", "tracked_samples_succeeded",
            "succeeded_ttft_ns", "tracked_samples_succeeded_with_first_chunk");

    private static final List<Quantity> ALL = List.of(
            new Quantity("ttft_ns", "ttft", "time to first token", "from the issue of a sample to its first chunk"),
            new Quantity(
                    "response_ttft_ns",
                    "response_ttft",
                    "  from its schedule",
                    "from the time a sample was to be issued to its first chunk: with the client's own queueing"),
            new Quantity(
                    "chunk_delta_ns",
                    "chunk_gap",
                    "between chunks",
                    "from one chunk of an answer to the next, over all chunks"),
            new Quantity(
                    "tpot_ns",
                    "tpot",
                    "time per output token",
                    "from the first chunk to the completion, divided by the tokens after the first chunk; one value a sample"),
            new Quantity(
                    "sample_latency_ns", "latency", "sample latency", "from the issue of a sample to its completion"),
            new Quantity(
                    "response_latency_ns",
                    "response_latency",
                    "  from its schedule",
                    "from the time a sample was to be issued to its completion: with the client's own queueing"),
            new Quantity(
                    "schedule_slip_ns",
                    "schedule_slip",
                    "schedule slip",
                    "how much later than scheduled a sample was issued"),
            new Quantity(
                    "failed_sample_latency_ns",
                    "failed_latency",
                    "latency of failed samples",
                    "the latency of samples that had an error; they are in the sample latency too"),
            new Quantity("failed_ttft_ns", "failed_ttft", "TTFT of failed samples", "likewise for the first chunk"),
            new Quantity(
                    "succeeded_sample_latency_ns",
                    "succeeded_latency",
                    "latency of successes",
                    "the latency of samples that completed without an error; where none failed it is the sample latency"),
            new Quantity("succeeded_ttft_ns", "succeeded_ttft", "TTFT of successes", "likewise for the first chunk"),
            new Quantity("isl", "isl", "input tokens", "tokens of a prompt"),
            new Quantity("osl", "osl", "output tokens", "tokens of an answer"));

    /** All that are known, in the order they are shown. */
    public static List<Quantity> all() {
        return ALL;
    }

    /** Those that have values. */
    public static List<Quantity> of(MetricsSnapshot snapshot) {
        return ALL.stream().filter(each -> each.measured(snapshot) != null).toList();
    }

    /** Durations that have values. */
    public static List<Quantity> durations(MetricsSnapshot snapshot) {
        return of(snapshot).stream().filter(Quantity::isDuration).toList();
    }

    /** Its series; null if it has no values, or not those of all samples that it is about. */
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

    /** The unit of reports. */
    public String unit() {
        return isDuration() ? "ms" : "tokens";
    }

    /** A value in that unit. */
    public double shown(double value) {
        return isDuration() ? value / NANOS_PER_MILLI : value;
    }
}
