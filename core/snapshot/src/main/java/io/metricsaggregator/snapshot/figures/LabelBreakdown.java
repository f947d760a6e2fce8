package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tracked samples by the labels of their issue, one key at a time.
 *
 * @param keys the keys in the order of their first sample
 */
public record LabelBreakdown(List<Key> keys) {
    /** The value of samples that do not have the key. */
    public static final String NONE = "(none)";
    /** The value of samples whose own value came after the bound on values was reached. */
    public static final String OTHER = "other";
    /** The key whose values are the workers that issued the samples, in a run that has no label of this name. */
    public static final String WORKER = "worker";

    public static final LabelBreakdown BLANK = new LabelBreakdown(List.of());

    public LabelBreakdown {
        keys = List.copyOf(keys);
    }

    public static LabelBreakdown pass(Fields f, LabelBreakdown v) throws MalformedMessageException {
        return new LabelBreakdown(f.entries(v.keys(), Key::name, Key::named, Key::pass));
    }

    /**
     * The values of one key.
     *
     * @param name the key
     * @param values in the order of their first sample, then {@link #NONE} and {@link #OTHER}
     */
    public record Key(String name, List<Value> values) {
        public Key {
            values = List.copyOf(values);
        }

        static Key named(String name) {
            return new Key(name, List.of());
        }

        static Key pass(Fields f, Key v) throws MalformedMessageException {
            List<Value> values = f.byName("values", v.values(), Value::value, Value::named, Value::pass);
            f.derivedMap("skew", skew -> {
                skew.derived("max_over_mean", v.maxOverMean());
                skew.derived("gini", v.gini());
                skew.derived("output_gini", v.outputGini());
                skew.derived("latency_p50_spread", v.latencySpread());
            });
            return new Key(v.name(), values);
        }

        /** The values that stand for one target each: all but {@link #NONE} and {@link #OTHER}. */
        public List<Value> targets() {
            return values.stream().filter(Value::isTarget).toList();
        }

        /** The largest number of samples issued over their mean; null for fewer than two targets or without samples. */
        public @Nullable Double maxOverMean() {
            long[] issued = numbers(Value::issued);
            double mean = Arrays.stream(issued).average().orElse(0);
            return issued.length < 2 || mean == 0 ? null : (Double) (issued[issued.length - 1] / mean);
        }

        /** The Gini coefficient of samples issued, 0 for equal shares up to (n − 1)/n; null as {@link #maxOverMean}. */
        public @Nullable Double gini() {
            return gini(numbers(Value::issued));
        }

        /** The Gini coefficient of output tokens; null as {@link #maxOverMean}. */
        public @Nullable Double outputGini() {
            return gini(numbers(Value::outputTokens));
        }

        /** The largest median latency over the smallest; null for fewer than two targets with a latency above 0. */
        public @Nullable Double latencySpread() {
            long smallest = Long.MAX_VALUE;
            long largest = 0;
            int medians = 0;
            for (Value each : values) {
                Durations latency = each.isTarget() ? each.latency() : null;
                if (latency != null && latency.p50Nanos() > 0) {
                    smallest = Math.min(smallest, latency.p50Nanos());
                    largest = Math.max(largest, latency.p50Nanos());
                    medians++;
                }
            }
            return medians < 2 ? null : (Double) ((double) largest / smallest);
        }

        private long[] numbers(ToLongFunction<Value> number) {
            long[] numbers = new long[values.size()];
            int length = 0;
            for (Value each : values) {
                if (each.isTarget()) {
                    numbers[length++] = number.applyAsLong(each);
                }
            }
            Arrays.sort(numbers, 0, length);
            return Arrays.copyOf(numbers, length);
        }

        private static @Nullable Double gini(long[] ascending) {
            int n = ascending.length;
            double sum = 0;
            double weighted = 0;
            for (int i = 0; i < n; i++) {
                sum += ascending[i];
                weighted += (i + 1.0) * ascending[i];
            }
            return n < 2 || sum == 0 ? null : (Double) (2 * weighted / (n * sum) - (n + 1.0) / n);
        }
    }

    /**
     * The tracked samples with one value of a key.
     *
     * @param value the value
     * @param issued issues; a retry counts again
     * @param completed completions
     * @param failed completions after an error
     * @param inFlight issued and not completed
     * @param inputTokens sum of the prompt lengths that are known; 0 if none is
     * @param outputTokens sum of the output lengths of successes that are known; 0 if none is
     * @param latency latencies of successes; null without one, and in a merged run
     * @param firstToken times to first token of successes; null without one, and in a merged run
     * @param timePerToken times per output token after the first chunk; null without one, and in a merged run
     * @param good samples that met the objectives; null in a run without objectives
     * @param progress how long the target has not answered; null in a merged run, and from daemons that do not measure it
     */
    public record Value(
            String value,
            long issued,
            long completed,
            long failed,
            long inFlight,
            long inputTokens,
            long outputTokens,
            @Nullable Durations latency,
            @Nullable Durations firstToken,
            @Nullable Durations timePerToken,
            @Nullable Long good,
            Progress.@Nullable Target progress) {
        static Value named(String value) {
            return new Value(value, 0, 0, 0, 0, 0, 0, null, null);
        }

        /** The fields; see {@link Fields.Shape}. */
        public static Value pass(Fields f, Value v) throws MalformedMessageException {
            return new Value(
                    v.value(),
                    f.count("issued", v.issued()),
                    f.count("completed", v.completed()),
                    f.count("failed", v.failed()),
                    f.count("in_flight", v.inFlight()),
                    f.count("isl_tokens", v.inputTokens()),
                    f.count("osl_tokens", v.outputTokens()),
                    Durations.maybe(f.by(Fields.Merge.NONE), "latency_ns", v.latency()),
                    Durations.maybe(f.by(Fields.Merge.NONE), "ttft_ns", v.firstToken()),
                    f.by(Fields.Merge.NONE).absent("tpot_ns", v.timePerToken(), Durations::pass, Durations.BLANK),
                    f.absentCount("good", v.good()),
                    Progress.Target.group(f, v.progress()));
        }

        /** The same row by another name. */
        public Value renamed(String name) {
            return new Value(
                    name,
                    issued,
                    completed,
                    failed,
                    inFlight,
                    inputTokens,
                    outputTokens,
                    latency,
                    firstToken,
                    timePerToken,
                    good,
                    progress);
        }

        /** The sum of the prompt lengths; null if none is known. */
        public @Nullable Long knownInputTokens() {
            return inputTokens == 0 ? null : (Long) inputTokens;
        }

        /** The sum of the output lengths of successes; null if none is known. */
        public @Nullable Long knownOutputTokens() {
            return outputTokens == 0 ? null : (Long) outputTokens;
        }

        /** Completions without an error. */
        public long succeeded() {
            return completed - failed;
        }

        boolean isTarget() {
            return !value.equals(NONE) && !value.equals(OTHER);
        }

        /** Creates a value without times per token, objectives and progress. */
        public Value(
                String value,
                long issued,
                long completed,
                long failed,
                long inFlight,
                long inputTokens,
                long outputTokens,
                @Nullable Durations latency,
                @Nullable Durations firstToken) {
            this(
                    value,
                    issued,
                    completed,
                    failed,
                    inFlight,
                    inputTokens,
                    outputTokens,
                    latency,
                    firstToken,
                    null,
                    null,
                    null);
        }
    }

    /**
     * A distribution of durations in nanoseconds. Percentiles are within 3.2 % of the value, the maximum is exact.
     *
     * @param count durations
     * @param p50Nanos median
     * @param p90Nanos 90th percentile
     * @param p99Nanos 99th percentile
     * @param maxNanos largest duration
     */
    public record Durations(long count, long p50Nanos, long p90Nanos, long p99Nanos, long maxNanos) {
        private static final Durations BLANK = new Durations(0, 0, 0, 0, 0);

        /** Durations of another record, nil if there are none. */
        static @Nullable Durations maybe(Fields f, String key, @Nullable Durations v) throws MalformedMessageException {
            return f.maybe(key, v, Durations::pass, BLANK);
        }

        private static Durations pass(Fields f, Durations v) throws MalformedMessageException {
            return new Durations(
                    f.count("count", v.count()),
                    f.count("p50", v.p50Nanos()),
                    f.count("p90", v.p90Nanos()),
                    f.count("p99", v.p99Nanos()),
                    f.count("max", v.maxNanos()));
        }
    }
}
