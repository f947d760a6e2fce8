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
 * The figures of tracked samples that completed without an error, the only samples that vLLM's benchmark and AIPerf report. A figure that the
 * snapshot does not have for exactly these samples is null, and {@link #notes} gives the reason. Not thread-safe: each query may add a note.
 */
public final class Successes {
    private static final String UNKNOWN = "the snapshot does not report which samples succeeded";

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

    /** Samples with at least one error; null if unknown. */
    @Nullable
    public Long failed() {
        return failed;
    }

    /** Nanoseconds from the first issue to the last completion of a successful sample; null if unknown or without successes. */
    @Nullable
    public Long durationNanos() {
        if (!counted) {
            notes.add("the duration from the first success to the last: " + UNKNOWN);
            return null;
        }
        long nanos = snapshot.counterValue("succeeded_duration_ns");
        return nanos > 0 ? (Long) nanos : null;
    }

    /** The reasons why figures are missing, one line each, of the figures queried so far. */
    public List<String> notes() {
        return new ArrayList<>(notes);
    }

    /** Latency in nanoseconds; null if unmeasured or unknown. */
    @Nullable
    public SeriesMetric latency() {
        return oneEach("sample_latency_ns", "succeeded_sample_latency_ns", succeeded, "latencies");
    }

    /** Nanoseconds to the first chunk, of samples that had one; null if unmeasured or unknown. */
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
        notes.add(what + ": the snapshot does not separate those of successes from those of other samples");
        return null;
    }

    /** Nanoseconds between chunks; null if unmeasured or unknown. */
    @Nullable
    public SeriesMetric betweenChunks() {
        return ofAll(
                "chunk_delta_ns",
                "times between chunks",
                issued == completed && snapshot.counterValue("tracked_samples_errored_with_chunks") == 0,
                "failed or unfinished samples had chunks too");
    }

    /** Nanoseconds per token after the first, (complete − first chunk) / (tokens − 1); null if unmeasured or unknown. */
    @Nullable
    public SeriesMetric timePerToken() {
        if (!counted && measured("tpot_ns") != null) {
            notes.add("time per token by tokens - 1: the snapshot has it only by the tokens after the first chunk");
            return null;
        }
        return ofOutputs("tpot_by_osl_ns", "time per token");
    }

    /** Output tokens per sample; null if none was counted or they are unknown. */
    @Nullable
    public SeriesMetric outputTokens() {
        return ofOutputs("osl", "output tokens");
    }

    private @Nullable SeriesMetric ofOutputs(String series, String what) {
        return ofAll(
                series,
                what,
                snapshot.counterValue("tracked_samples_errored_with_text") == 0 && snapshot.pendingTasks() == 0,
                snapshot.pendingTasks() > 0 ? "some texts were not counted" : "failed samples had texts too");
    }

    /** Input tokens per sample; null if none was counted or they are unknown. */
    @Nullable
    public SeriesMetric inputTokens() {
        return ofAll(
                "isl",
                "input tokens",
                succeeded != null && issued == succeeded && snapshot.pendingTasks() == 0,
                snapshot.pendingTasks() > 0
                        ? "some texts were not counted"
                        : "they are counted at the issue, for failed and unfinished samples too");
    }

    private @Nullable SeriesMetric ofAll(String series, String what, boolean successesOnly, String reason) {
        SeriesMetric metric = measured(series);
        if (metric == null) {
            return null;
        }
        if (succeeded == null || !successesOnly) {
            notes.add(what + ": " + (succeeded == null ? UNKNOWN : reason));
            return null;
        }
        return exactly(metric, what);
    }

    private SeriesMetric exactly(SeriesMetric metric, String what) {
        SeriesDetail detail = metric.detail();
        if (detail == null || detail.interpolated().isEmpty()) {
            notes.add(what + ": percentiles are recorded values or histogram bounds, not interpolated");
        }
        return metric;
    }

    private @Nullable SeriesMetric measured(String name) {
        SeriesMetric metric = snapshot.series(name);
        return metric == null || metric.count() == 0 ? null : metric;
    }

    /** Peak of samples in flight; null if samples other than successes were among them. */
    @Nullable
    public Long peak() {
        if (snapshot.extensions() == null || succeeded == null) {
            return null;
        }
        if (succeeded != snapshot.counterValue("total_samples_issued")) {
            notes.add("samples in flight: they include failed, unfinished or untracked samples");
            return null;
        }
        return snapshot.extensions().inFlight().peak();
    }

    /** The interpolated percentile (numpy's default) if the snapshot has it, else that of the series; null if it has neither. */
    public static @Nullable Double percentile(SeriesMetric metric, String key) {
        SeriesDetail detail = metric.detail();
        Double interpolated = detail == null ? null : detail.interpolated().get(key);
        return interpolated == null ? metric.percentile(key) : interpolated;
    }

    /** Population standard deviation (divided by n), numpy's default. */
    public static double populationDeviation(SeriesMetric metric) {
        double n = metric.count();
        return Report.standardDeviation(metric) * Math.sqrt(Math.max(0, n - 1) / n);
    }
}
