package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tracked samples by the class that a label names, each judged by the objectives of its class.
 *
 * @param key the label whose values are classes
 * @param rows the classes by name, then {@code *} of all other samples
 */
public record ServiceClasses(String key, List<Row> rows) {
    public static final ServiceClasses BLANK = new ServiceClasses("", List.of());

    public ServiceClasses {
        rows = List.copyOf(rows);
    }

    /** The fields; see {@link Fields.Shape}. */
    public static ServiceClasses pass(Fields f, ServiceClasses v) throws MalformedMessageException {
        String key = f.text("key", v.key());
        f.derived("fairness_good_tokens", v.fairnessGoodTokens());
        f.derived("fairness_latency", v.fairnessLatency());
        return new ServiceClasses(key, f.byName("by_class", v.rows(), Row::name, Row::named, Row::pass));
    }

    /** Jain's index of the good output tokens of the classes with a judgement; null for fewer than two of them, and without good tokens. */
    public @Nullable Double fairnessGoodTokens() {
        return fairness(Row::outputTokens);
    }

    /** Jain's index of 1/median latency of the classes with a judgement, 0 of one without a success; null as {@link #fairnessGoodTokens}. */
    public @Nullable Double fairnessLatency() {
        return fairness(row -> {
            Double median = row.latencyP50Nanos();
            return median == null ? 0 : 1 / Math.max(1, median);
        });
    }

    private @Nullable Double fairness(ToDoubleFunction<Row> of) {
        return jain(rows.stream()
                .filter(each -> each.goodput().judged() > 0)
                .mapToDouble(of)
                .toArray());
    }

    /** Jain's fairness index (Σx)²/(n·Σx²), 1/n to 1; null for fewer than two numbers, and if all are 0. */
    static @Nullable Double jain(double... numbers) {
        double sum = 0;
        double squares = 0;
        for (double each : numbers) {
            sum += each;
            squares += each * each;
        }
        return numbers.length < 2 || squares == 0 ? null : (Double) (sum * sum / (numbers.length * squares));
    }

    boolean hasSameObjectives(@Nullable ServiceClasses other) {
        return other != null
                && key.equals(other.key)
                && rows.size() == other.rows.size()
                && rows.stream()
                        .allMatch(each -> other.rows.stream()
                                .anyMatch(same -> same.name().equals(each.name())
                                        && same.goodput().hasSameObjectives(each.goodput())));
    }

    /**
     * The samples of a class.
     *
     * @param name the value of the label
     * @param goodput judgements by the objectives of the class
     * @param outputTokens sum of the output lengths of good samples that are known; 0 if none is
     * @param inputTokens sum of the prompt lengths that servers reported of good samples; 0 if none is
     * @param latencies successes by latency: the middle in ns of a bucket, 16 for each power of two
     */
    public record Row(String name, Goodput goodput, long outputTokens, long inputTokens, Map<String, Long> latencies) {

        private static Row named(String name) {
            return new Row(name, Goodput.BLANK, 0, 0, Map.of());
        }

        private static Row pass(Fields f, Row v) throws MalformedMessageException {
            Goodput goodput = Goodput.judgements(f, v.goodput());
            f.derived("budget_used", v.budgetUsed());
            f.derived("latency_p50_ns", v.latencyP50Nanos());
            return new Row(
                    v.name(),
                    goodput,
                    f.count("good_output_tokens", v.outputTokens()),
                    f.count("good_input_tokens", v.inputTokens()),
                    f.counts("latencies", v.latencies()));
        }

        /** The share of the error budget, 1 − target, that is used, above 1 if the target is missed; null without a budget. */
        public @Nullable Double budgetUsed() {
            double budget = goodput.judged() * (1 - goodput.targetShare());
            return budget <= 0 ? null : (Double) ((goodput.judged() - goodput.good()) / budget);
        }

        /** The output tokens of good samples; null if none is known. */
        public @Nullable Long knownOutputTokens() {
            return outputTokens == 0 ? null : (Long) outputTokens;
        }

        /** The input and output tokens of good samples; null unless both are known. */
        public @Nullable Long knownTotalTokens() {
            return outputTokens == 0 || inputTokens == 0
                    ? null
                    : (Long) TimestampMath.saturatedAdd(inputTokens, outputTokens);
        }

        /** The median latency of successes in nanoseconds, within 3.2 %; null without one. */
        public @Nullable Double latencyP50Nanos() {
            Map<Long, Long> ascending = new TreeMap<>();
            latencies.forEach((middle, count) -> {
                if (middle.matches("\\d{1,18}") && count > 0) {
                    ascending.merge(Long.parseLong(middle), count, TimestampMath::saturatedAdd);
                }
            });
            long all = ascending.values().stream().reduce(0L, TimestampMath::saturatedAdd);
            HistogramPercentiles median = new HistogramPercentiles(new double[] {50}, all);
            ascending.forEach((middle, count) -> median.add((double) middle, count));
            return all == 0 ? null : (Double) median.within(0, Double.MAX_VALUE)[0];
        }
    }
}
