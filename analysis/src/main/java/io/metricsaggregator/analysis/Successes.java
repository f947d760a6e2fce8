package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tracked samples that succeeded: completed, without an error before that. Load generators such as vLLM's benchmark and AIPerf
 * report these alone. Every figure here is of exactly these samples; one that cannot be had of them alone is null, and {@link #notes}
 * says why.
 */
public final class Successes {
    private static final String UNKNOWN = "the snapshot does not say which samples succeeded";

    private final MetricsSnapshot snapshot;
    private final boolean counted;
    private final long issued;
    private final long completed;
    private final @Nullable Long succeeded;
    private final @Nullable Long failed;
    private final Set<String> notes = new LinkedHashSet<>();

    private Successes(MetricsSnapshot snapshot) {
        this.snapshot = snapshot;
        this.counted = has(snapshot, "tracked_samples_succeeded");
        this.issued = snapshot.counterValue("tracked_samples_issued");
        this.completed = snapshot.counterValue("tracked_samples_completed");
        boolean noErrors = snapshot.counterValue("tracked_samples_failed") == 0;
        this.succeeded = counted
                ? (Long) snapshot.counterValue("tracked_samples_succeeded")
                : noErrors ? (Long) completed : null;
        this.failed = counted ? (Long) snapshot.counterValue("tracked_samples_errored") : noErrors ? (Long) 0L : null;
        if (succeeded == null) {
            notes.add("completed, failed, rates and latencies: " + UNKNOWN);
        }
    }

    public static Successes of(MetricsSnapshot snapshot) {
        return new Successes(snapshot);
    }

    private static boolean has(MetricsSnapshot snapshot, String counter) {
        return snapshot.metrics().stream()
                .anyMatch(each -> each instanceof CounterMetric && each.name().equals(counter));
    }

    /** Samples that succeeded; null if unknown. */
    @Nullable
    public Long count() {
        return succeeded;
    }

    /** Samples that had an error, however many; null if unknown. */
    @Nullable
    public Long failed() {
        return failed;
    }

    /** Nanoseconds from the first issue of a sample that succeeded to the last completion of one; null if unknown or none. */
    @Nullable
    public Long durationNanos() {
        if (!counted) {
            notes.add("the duration from the first success to the last: " + UNKNOWN);
            return null;
        }
        long nanos = snapshot.counterValue("succeeded_duration_ns");
        return nanos > 0 ? (Long) nanos : null;
    }

    /** Why figures are missing, a line each, of those that have been asked for so far. */
    public List<String> notes() {
        return new ArrayList<>(notes);
    }

    /** Latencies; null if there are none or they are unknown. */
    @Nullable
    public SeriesMetric latency() {
        return oneEach("sample_latency_ns", "succeeded_sample_latency_ns", succeeded, "latencies");
    }

    /** Times to the first chunk, of those that had one; null if there are none or they are unknown. */
    @Nullable
    public SeriesMetric timeToFirstToken() {
        Long expected = counted ? (Long) snapshot.counterValue("tracked_samples_succeeded_with_first_chunk") : null;
        SeriesMetric all = measured("ttft_ns");
        if (!counted && all != null && succeeded != null && all.count() <= succeeded) {
            expected = all.count();
        }
        return oneEach("ttft_ns", "succeeded_ttft_ns", expected, "times to the first token");
    }

    private @Nullable SeriesMetric oneEach(String all, String ofSuccesses, @Nullable Long expected, String what) {
        SeriesMetric metric = measured(all);
        SeriesMetric own = measured(ofSuccesses);
        if (metric == null || (expected != null && expected == 0)) {
            return null;
        }
        for (SeriesMetric each : new SeriesMetric[] {metric, own}) {
            if (each != null && expected != null && each.count() == expected) {
                return exactly(each, what);
            }
        }
        notes.add(what + ": those of successes cannot be told from those of other samples in this snapshot");
        return null;
    }

    /** Times between chunks; null if there are none or they are unknown. */
    @Nullable
    public SeriesMetric betweenChunks() {
        return ofAll(
                "chunk_delta_ns",
                "times between chunks",
                issued == completed && snapshot.counterValue("tracked_samples_errored_with_chunks") == 0,
                "samples that failed or did not end had chunks too");
    }

    /** Time per token after the first, (complete − first chunk) / (tokens − 1); null if there is none or it is unknown. */
    @Nullable
    public SeriesMetric timePerToken() {
        if (!counted && measured("tpot_ns") != null) {
            notes.add("time per token over tokens - 1: the snapshot has it over the tokens after the first chunk only");
            return null;
        }
        return ofOutputs("tpot_by_osl_ns", "time per token");
    }

    /** Output tokens; null if none were counted or they are unknown. */
    @Nullable
    public SeriesMetric outputTokens() {
        return ofOutputs("osl", "output tokens");
    }

    private @Nullable SeriesMetric ofOutputs(String series, String what) {
        return ofAll(
                series,
                what,
                snapshot.counterValue("tracked_samples_errored_with_text") == 0 && snapshot.pendingTasks() == 0,
                snapshot.pendingTasks() > 0 ? "texts were left uncounted" : "samples that failed had a text too");
    }

    /** Input tokens; null if none were counted or they are unknown. */
    @Nullable
    public SeriesMetric inputTokens() {
        return ofAll(
                "isl",
                "input tokens",
                succeeded != null && issued == succeeded && snapshot.pendingTasks() == 0,
                snapshot.pendingTasks() > 0
                        ? "texts were left uncounted"
                        : "they are counted at the issue, of samples that failed or did not end too");
    }

    private @Nullable SeriesMetric ofAll(String series, String what, boolean successesOnly, String otherwise) {
        SeriesMetric metric = measured(series);
        if (metric == null) {
            return null;
        }
        if (succeeded == null || !successesOnly) {
            notes.add(what + ": " + (succeeded == null ? UNKNOWN : otherwise));
            return null;
        }
        return exactly(metric, what);
    }

    private SeriesMetric exactly(SeriesMetric metric, String what) {
        SeriesDetail detail = metric.detail();
        if (detail == null || detail.interpolated().isEmpty()) {
            notes.add(what + ": percentiles are values of the series or its histogram, not interpolated between two");
        }
        return metric;
    }

    private @Nullable SeriesMetric measured(String name) {
        SeriesMetric metric = snapshot.series(name);
        return metric == null || metric.count() == 0 ? null : metric;
    }

    /** Most samples that were in flight at a time; null if others than successes were among them. */
    @Nullable
    public Long peak() {
        if (snapshot.extensions() == null || succeeded == null) {
            return null;
        }
        if (succeeded != snapshot.counterValue("total_samples_issued")) {
            notes.add("samples in flight: those that failed, did not end or were not tracked are among them");
            return null;
        }
        return snapshot.extensions().inFlight().peak();
    }

    /** A percentile as numpy has it by default, where the snapshot has it; else the series' own. */
    public static @Nullable Double percentile(SeriesMetric metric, String key) {
        SeriesDetail detail = metric.detail();
        Double interpolated = detail == null ? null : detail.interpolated().get(key);
        return interpolated == null ? metric.percentile(key) : interpolated;
    }

    /** Standard deviation of the values as a whole population (divided by n), as numpy has it by default. */
    public static double populationDeviation(SeriesMetric metric) {
        double n = metric.count();
        return Report.standardDeviation(metric) * Math.sqrt(Math.max(0, n - 1) / n);
    }
}
