package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
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
        this.counted = snapshot.has(CounterName.TRACKED_SAMPLES_SUCCEEDED);
        this.issued = snapshot.counter(CounterName.TRACKED_SAMPLES_ISSUED);
        this.completed = snapshot.counter(CounterName.TRACKED_SAMPLES_COMPLETED);
        boolean noErrors = snapshot.counter(CounterName.TRACKED_SAMPLES_FAILED) == 0;
        this.succeeded = counted
                ? (Long) snapshot.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED)
                : noErrors ? (Long) completed : null;
        this.failed =
                counted ? (Long) snapshot.counter(CounterName.TRACKED_SAMPLES_ERRORED) : noErrors ? (Long) 0L : null;
        if (succeeded == null) {
            notes.add("completed, failed, rates and latencies: " + UNKNOWN);
        }
    }

    public static Successes of(MetricsSnapshot snapshot) {
        return new Successes(snapshot);
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
        long nanos = snapshot.counter(CounterName.SUCCEEDED_DURATION_NS);
        return nanos > 0 ? (Long) nanos : null;
    }

    /** The reasons why figures are missing, one line each, of the figures queried so far. */
    public List<String> notes() {
        return new ArrayList<>(notes);
    }

    /** Latency in nanoseconds; null if unmeasured or unknown. */
    @Nullable
    public SeriesMetric latency() {
        return oneEach(SeriesName.SAMPLE_LATENCY_NS, SeriesName.SUCCEEDED_SAMPLE_LATENCY_NS, succeeded, "latencies");
    }

    /** Nanoseconds to the first chunk, of samples that had one; null if unmeasured or unknown. */
    @Nullable
    public SeriesMetric timeToFirstToken() {
        Long expected =
                counted ? (Long) snapshot.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED_WITH_FIRST_CHUNK) : null;
        SeriesMetric all = measured(SeriesName.TTFT_NS);
        if (!counted && all != null && succeeded != null && all.count() <= succeeded) {
            expected = all.count();
        }
        return oneEach(SeriesName.TTFT_NS, SeriesName.SUCCEEDED_TTFT_NS, expected, "times to the first token");
    }

    private @Nullable SeriesMetric oneEach(
            SeriesName all, SeriesName ofSuccesses, @Nullable Long expected, String what) {
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
                SeriesName.CHUNK_DELTA_NS,
                "times between chunks",
                issued == completed && snapshot.counter(CounterName.TRACKED_SAMPLES_ERRORED_WITH_CHUNKS) == 0,
                "failed or unfinished samples had chunks too");
    }

    /** Nanoseconds per token after the first, (complete − first chunk) / (tokens − 1); null if unmeasured or unknown. */
    @Nullable
    public SeriesMetric timePerToken() {
        if (!counted && measured(SeriesName.TPOT_NS) != null) {
            notes.add("time per token by tokens - 1: the snapshot has it only by the tokens after the first chunk");
            return null;
        }
        return measured(SeriesName.TPOT_BY_OSL_NS) == null
                ? ofUsage(SeriesName.USAGE_TPOT_NS, "time per token")
                : ofOutputs(SeriesName.TPOT_BY_OSL_NS, "time per token");
    }

    /** Output tokens per sample, by the tokenizer or else as reported; null if none was counted or they are unknown. */
    @Nullable
    public SeriesMetric outputTokens() {
        return measured(SeriesName.OSL) == null
                ? ofUsage(SeriesName.USAGE_COMPLETION_TOKENS, "output tokens")
                : ofOutputs(SeriesName.OSL, "output tokens");
    }

    /** A series of reported tokens: of successes alone if as many completions reported them as succeeded. */
    private @Nullable SeriesMetric ofUsage(SeriesName series, String what) {
        SeriesMetric output = measured(SeriesName.USAGE_COMPLETION_TOKENS);
        boolean noErrors = snapshot.counter(CounterName.TRACKED_SAMPLES_ERRORED) == 0;
        return ofAll(
                series,
                what,
                noErrors || (output != null && succeeded != null && output.count() == succeeded),
                "failed samples reported tokens too");
    }

    private @Nullable SeriesMetric ofOutputs(SeriesName series, String what) {
        return ofAll(
                series,
                what,
                snapshot.counter(CounterName.TRACKED_SAMPLES_ERRORED_WITH_TEXT) == 0 && snapshot.pendingTasks() == 0,
                snapshot.pendingTasks() > 0 ? "some texts were not counted" : "failed samples had texts too");
    }

    /** Input tokens per sample, by the tokenizer or else as reported; null if none was counted or they are unknown. */
    @Nullable
    public SeriesMetric inputTokens() {
        if (measured(SeriesName.ISL) == null) {
            return ofUsage(SeriesName.USAGE_PROMPT_TOKENS, "input tokens");
        }
        return ofAll(
                SeriesName.ISL,
                "input tokens",
                succeeded != null && issued == succeeded && snapshot.pendingTasks() == 0,
                snapshot.pendingTasks() > 0
                        ? "some texts were not counted"
                        : "they are counted at the issue, for failed and unfinished samples too");
    }

    private @Nullable SeriesMetric ofAll(SeriesName series, String what, boolean successesOnly, String reason) {
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
        if (!metric.isExact()) {
            notes.add(what + ": percentiles are estimates, not interpolated between the values");
        }
        return metric;
    }

    private @Nullable SeriesMetric measured(SeriesName name) {
        SeriesMetric metric = snapshot.series(name);
        return metric == null || metric.count() == 0 ? null : metric;
    }

    /** Peak of samples in flight; null if samples other than successes were among them. */
    @Nullable
    public Long peak() {
        if (snapshot.extensions().isNone() || succeeded == null) {
            return null;
        }
        if (succeeded != snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED)) {
            notes.add("samples in flight: they include failed, unfinished or untracked samples");
            return null;
        }
        return snapshot.extensions().inFlight().peak();
    }

    /** Population standard deviation (divided by n), numpy's default. */
    public static double populationDeviation(SeriesMetric metric) {
        double n = metric.count();
        return Report.standardDeviation(metric) * Math.sqrt(Math.max(0, n - 1) / n);
    }
}
