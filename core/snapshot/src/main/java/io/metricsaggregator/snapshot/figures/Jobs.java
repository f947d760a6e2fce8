package io.metricsaggregator.snapshot.figures;

import static io.metricsaggregator.snapshot.fields.Fields.Merge.MAX;
import static io.metricsaggregator.snapshot.fields.Fields.Merge.NONE;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of agents: tracked samples and tool calls with the same {@code job_id}. A job is in one of {@code open}, {@code completed}, {@code failed} and
 * {@code unfinished}, but for ended ones without a sample; times in nanoseconds are sums over the completed ones, whose series are separate.
 *
 * @param open jobs that have not ended
 * @param completed jobs that ended without a failed sample
 * @param failed jobs that ended with one
 * @param unfinished jobs that were evicted, or that the session ended before their last sample
 * @param fanOut the most samples and tool calls that waited for one
 * @param latencyNanos from the first issue to the last end
 * @param llmNanos latencies of all samples
 * @param busyNanos time with a sample in flight
 * @param path the longest paths
 * @param steadyCompleted jobs of {@code completed} that ended inside the steady window; null without one, and in a merged run
 * @param tools tool calls by name
 * @param agents samples by agent
 */
public record Jobs(
        long open,
        long completed,
        long failed,
        long unfinished,
        long fanOut,
        long latencyNanos,
        long llmNanos,
        long busyNanos,
        Path path,
        @Nullable Long steadyCompleted,
        List<Calls> tools,
        List<Calls> agents) {
    public static final Jobs BLANK = new Jobs(0, 0, 0, 0, 0, 0, 0, 0, Path.BLANK, null, List.of(), List.of());
    private static final double NANOS_PER_HOUR = 3600e9;

    public Jobs {
        tools = byName(tools);
        agents = byName(agents);
    }

    /** The fields; see {@link Fields.Shape}. */
    public static Jobs pass(Fields f, Jobs v) throws MalformedMessageException {
        f.derived("parallelism_ratio", v.parallelism());
        f.derived("jobs_per_h_user", v.perHourAndUser());
        return new Jobs(
                f.count("open", v.open()),
                f.count("completed", v.completed()),
                f.count("failed", v.failed()),
                f.count("unfinished", v.unfinished()),
                f.by(MAX).count("fanout_max", v.fanOut()),
                f.count("latency_ns", v.latencyNanos()),
                f.count("llm_ns", v.llmNanos()),
                f.count("llm_busy_ns", v.busyNanos()),
                f.record("critical_path", v.path(), Path::pass, Path.BLANK),
                f.by(NONE).maybeCount("steady_completed", v.steadyCompleted()),
                f.byName("tools", v.tools(), Calls::name, Jobs::calls, Calls::pass),
                f.byName("agents", v.agents(), Calls::name, Jobs::calls, Calls::pass));
    }

    /** Sorts; the start of a daemon, which has none, makes no comparator. */
    private static List<Calls> byName(List<Calls> calls) {
        return calls.size() < 2
                ? List.copyOf(calls)
                : calls.stream().sorted(Comparator.comparing(Calls::name)).toList();
    }

    private static Calls calls(String name) {
        return new Calls(name, 0, Map.of());
    }

    /** Samples in flight while at least one is; null before any. */
    public @Nullable Double parallelism() {
        return busyNanos <= 0 ? null : (Double) ((double) llmNanos / busyNanos);
    }

    /** Jobs that a user who starts each after the one before completes in an hour; null before the first. */
    public @Nullable Double perHourAndUser() {
        return latencyNanos <= 0 ? null : (Double) (NANOS_PER_HOUR * completed / latencyNanos);
    }

    /** Jobs an hour and GPU in the steady window; null if the window or the number of GPUs is. */
    public @Nullable Double perHourAndGpu(@Nullable SteadyWindow window, @Nullable Double gpus) {
        if (window == null || gpus == null || !(gpus > 0) || gpus.isInfinite() || steadyCompleted == null) {
            return null;
        }
        double nanos = (double) window.toNanos() - window.fromNanos();
        return nanos <= 0 ? null : (Double) (NANOS_PER_HOUR * steadyCompleted / (nanos * gpus));
    }

    /**
     * A path through steps that waited for each other, in nanoseconds.
     *
     * @param llmNanos latencies of its samples
     * @param toolNanos durations of its tool calls
     * @param waitNanos gaps from the last end of the parents of a step to its start
     */
    public record Path(long llmNanos, long toolNanos, long waitNanos) {
        public static final Path BLANK = new Path(0, 0, 0);

        private static Path pass(Fields f, Path v) throws MalformedMessageException {
            return new Path(
                    f.count("llm_ns", v.llmNanos()),
                    f.count("tool_ns", v.toolNanos()),
                    f.count("wait_ns", v.waitNanos()));
        }

        /** The length of the path. */
        public long nanos() {
            return TimestampMath.saturatedAdd(TimestampMath.saturatedAdd(llmNanos, toolNanos), waitNanos);
        }

        /** The path with another one behind it. */
        public Path plus(Path next) {
            return new Path(
                    TimestampMath.saturatedAdd(llmNanos, next.llmNanos),
                    TimestampMath.saturatedAdd(toolNanos, next.toolNanos),
                    TimestampMath.saturatedAdd(waitNanos, next.waitNanos));
        }

        /** The longer path; of equal ones that with more time in samples, then in tools. */
        public Path longer(Path other) {
            int order = Long.compare(nanos(), other.nanos());
            order = order == 0 ? Long.compare(llmNanos, other.llmNanos) : order;
            order = order == 0 ? Long.compare(toolNanos, other.toolNanos) : order;
            return order >= 0 ? this : other;
        }
    }

    /**
     * Calls with one name.
     *
     * @param name of the tool or agent; {@code other} for those beyond the limit of names
     * @param failed calls that failed; their durations count too
     * @param durations calls by the shortest duration of their bucket, eight buckets for each power of two
     */
    public record Calls(String name, long failed, Map<String, Long> durations) {
        private static final long LONGEST = 1L << 60;
        private static final Comparator<String> BY_NUMBER =
                Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

        public Calls {
            TreeMap<String, Long> valid = new TreeMap<>(BY_NUMBER);
            valid.putAll(durations);
            valid.entrySet().removeIf(each -> !each.getKey().matches("\\d{1,18}") || each.getValue() <= 0);
            durations = Collections.unmodifiableMap(valid);
        }

        private static Calls pass(Fields f, Calls v) throws MalformedMessageException {
            f.derived("count", v.count());
            f.derived("p50_ns", v.percentile(50));
            f.derived("p99_ns", v.percentile(99));
            return new Calls(v.name(), f.count("failed", v.failed()), f.counts("durations", v.durations()));
        }

        /** The bucket of a duration of at least 0. */
        public static String bucket(long nanos) {
            return Long.toString(ServerTimeFigures.Bucket.from(ServerTimeFigures.Bucket.of(Math.min(LONGEST, nanos))));
        }

        /** Number of calls. */
        public long count() {
            return durations.values().stream().reduce(0L, TimestampMath::saturatedAdd);
        }

        /** A percentile of the durations in nanoseconds, within 6.3 %; null without calls. */
        public @Nullable Long percentile(double percentile) {
            HistogramPercentiles estimate = new HistogramPercentiles(new double[] {percentile}, count());
            durations.forEach((bucket, calls) -> {
                long from = Long.parseLong(bucket);
                estimate.add((double) (from + (Long.highestOneBit(from) >>> 4)), calls);
            });
            return durations.isEmpty() ? null : (Long) Math.round(estimate.within(0, Long.MAX_VALUE)[0]);
        }
    }
}
