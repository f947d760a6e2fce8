package io.metricsaggregator.runs;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.GoodputText;
import io.metricsaggregator.analysis.MixedDurations;
import io.metricsaggregator.analysis.Outcomes;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares a run with a baseline by the figures of the whole runs. For figures that time slices have too, {@link RatioInterval} gives the 95 % interval
 * of the difference, and Holm's method keeps the probability of any false alarm among all figures at 5 %.
 *
 * @param baseline name of the baseline
 * @param other name of the run beside it
 * @param baselineVerdict the verdict on the baseline
 * @param otherVerdict the verdict on the other run
 * @param rows figures that both have
 * @param changes differences in state, environment and settings, one line each
 * @param notes what the figures of a run cover besides what their names say, one line each
 * @param before the snapshot of the baseline
 * @param after the snapshot of the other run
 */
public record Comparison(
        String baseline,
        String other,
        Verdict baselineVerdict,
        Verdict otherVerdict,
        List<Row> rows,
        List<String> changes,
        List<String> notes,
        MetricsSnapshot before,
        MetricsSnapshot after) {
    private static final double ALPHA = 0.05;
    /** A figure is the same if the 95 % interval of its relative difference lies within ± this. */
    private static final double SAME_WITHIN = 0.05;

    /** The figures that people ask for first. */
    private static final Set<String> HEADLINES = Set.of(
            "requests_per_s",
            "output_tokens_per_s",
            Measure.GOOD_RATE,
            Measure.GOOD_SHARE,
            Measure.ERRORS,
            "ttft.p50",
            "ttft.p99",
            "tpot.p50",
            "tpot.p99",
            "latency.p50",
            "latency.p99");

    public Comparison {
        rows = List.copyOf(rows);
        changes = List.copyOf(changes);
        notes = List.copyOf(notes);
    }

    /** The result of the test of one figure. */
    public enum Outcome {
        BETTER,
        WORSE,
        /** Not significant, and the 95 % interval lies within ± 5 %. */
        SAME,
        /** Not significant, but the interval allows a larger difference: the runs are too short or too noisy. */
        INCONCLUSIVE,
        /** Better than the baseline, of a run that fails more: its requests are not those of the baseline. */
        FAILS_MORE,
        /** Not tested: there are too few slices, or slices do not have the figure. */
        UNTESTED
    }

    /**
     * One figure of both runs.
     *
     * @param key such as {@code ttft.p99}
     * @param unit for people
     * @param before of the baseline
     * @param after of the other run
     * @param low lower end of the 95 % interval of the relative difference, by slices; null if untested
     * @param high upper end
     * @param effect Cliff's delta of the slices, −1 to 1; null if untested
     * @param p after Holm's correction; null if untested
     * @param certain whether both percentiles are bounded with 99 % confidence
     * @param exact whether neither value is a percentile estimated from a histogram
     * @param outcome what follows from the test
     * @param higherIsBetter whether more is better, as of rates
     */
    public record Row(
            String key,
            String unit,
            double before,
            double after,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable Double effect,
            @Nullable Double p,
            boolean certain,
            boolean exact,
            Outcome outcome,
            boolean higherIsBetter) {

        /** Whether a test found the figure better or worse. */
        public boolean isFound() {
            return outcome == Outcome.BETTER || outcome == Outcome.WORSE || outcome == Outcome.FAILS_MORE;
        }

        /** Whether it is a share in percent, whose difference is one of percentage points. */
        public boolean isShare() {
            return unit.startsWith("%");
        }

        /** The relative difference; null if the baseline is 0. */
        public @Nullable Double change() {
            return before == 0 ? null : (Double) ((after - before) / before);
        }

        /** A name or value of the row with the marks of its percentiles. */
        public String marked(String text) {
            return PercentileText.marked(text, exact, certain);
        }

        /** Whether more or less is better at all: lengths in tokens are neither. */
        public boolean isJudged() {
            return !unit.equals("tokens");
        }
    }

    private record Tested(
            Measure before,
            Measure after,
            @Nullable RatioInterval test,
            @Nullable Double ownP) {
        @Nullable
        Double p() {
            return test == null ? ownP : (Double) test.p();
        }
    }

    /** Compares a run with a baseline. */
    public static Comparison of(String baselineName, MetricsSnapshot baseline, String name, MetricsSnapshot other) {
        Map<String, Measure> before = new LinkedHashMap<>();
        Measure.of(baseline).forEach(each -> before.put(each.key(), each));
        MoreFailures moreFailures = MoreFailures.of(Outcomes.of(baseline), Outcomes.of(other));
        boolean sameObjectives = objectives(baseline).equals(objectives(other));
        List<Tested> tested = new ArrayList<>();
        for (Measure after : Measure.of(other)) {
            Measure base = before.get(after.key());
            if (base != null) {
                boolean comparable = sameObjectives || !after.key().contains("good");
                Double share = after.key().equals(Measure.ERRORS)
                        ? moreFailures.tested()
                        : comparable && after.key().equals(Measure.GOOD_SHARE) ? goodShares(baseline, other) : null;
                RatioInterval slices = comparable ? RatioInterval.of(base.overTime(), after.overTime()) : null;
                tested.add(new Tested(base, after, slices, share));
            }
        }
        Map<String, Double> corrected = holm(tested);
        List<Row> rows = tested.stream()
                .map(each -> row(each, corrected, moreFailures.isShown()))
                .toList();
        List<String> changes = changes(baseline, other);
        return new Comparison(
                baselineName,
                name,
                Verdict.of(baseline),
                Verdict.of(other),
                rows,
                changes,
                notes(baseline, other),
                baseline,
                other);
    }

    /** That the run fails more, so that no figure of it is called better, in words; null if it does not. */
    public @Nullable String failures() {
        MoreFailures more = MoreFailures.of(Outcomes.of(before), Outcomes.of(after));
        return more.isShown() ? more.text() : null;
    }

    /** The objectives in words; empty without any. */
    private static String objectives(MetricsSnapshot snapshot) {
        Goodput goodput = snapshot.extensions().goodput();
        return goodput == null ? "" : GoodputText.stated(goodput);
    }

    private static @Nullable Double goodShares(MetricsSnapshot baseline, MetricsSnapshot other) {
        Goodput before = baseline.extensions().goodput();
        Goodput after = other.extensions().goodput();
        return before == null || after == null
                ? null
                : (Double) MoreFailures.probability(before.good(), before.judged(), after.good(), after.judged());
    }

    /** Whether the run meets its objectives and the baseline its own, in words; null if neither has any. */
    public @Nullable String objectives() {
        String one = objectives(before);
        String two = objectives(after);
        if (one.isEmpty() && two.isEmpty()) {
            return null;
        }
        return one.equals(two)
                ? String.format("%s: baseline %s, run %s", one, met(before), met(after))
                : String.format(
                        "differ, so that goodput is not tested: baseline %s, run %s",
                        one.isEmpty() ? "none" : one + " " + met(before),
                        two.isEmpty() ? "none" : two + " " + met(after));
    }

    private static String met(MetricsSnapshot snapshot) {
        Goodput goodput = snapshot.extensions().goodput();
        return goodput == null || goodput.judged() == 0
                ? "not judged"
                : (goodput.budgetLeft() >= 0 ? "met (" : "MISSED (") + Figures.share(goodput.share()) + " good)";
    }

    /** The rows that answer what people ask first, and any other that a test found better or worse. */
    public List<Row> headline() {
        return rows.stream()
                .filter(each -> HEADLINES.contains(each.key())
                        || each.isFound()
                        || (each.key().equals("stalled_s") && each.before() + each.after() > 0))
                .toList();
    }

    private static List<String> notes(MetricsSnapshot baseline, MetricsSnapshot other) {
        List<String> notes = new ArrayList<>();
        MixedDurations.notes(baseline).forEach(each -> notes.add("baseline: " + each));
        MixedDurations.notes(other).forEach(each -> notes.add("run: " + each));
        return notes;
    }

    /** @param failsMore whether the other run fails more, so that no figure of it is called better */
    private static Row row(Tested tested, Map<String, Double> corrected, boolean failsMore) {
        Measure before = tested.before();
        Measure after = tested.after();
        RatioInterval test = tested.test();
        Double p = corrected.get(before.key());
        Outcome outcome = Outcome.UNTESTED;
        Double effect = null;
        double[] baseSlices = before.overTime();
        double[] otherSlices = after.overTime();
        if (test != null && p != null && baseSlices != null && otherSlices != null) {
            outcome = outcome(test, p, before.higherIsBetter());
            effect = RatioInterval.cliff(baseSlices, otherSlices);
        } else if (tested.ownP() != null && p != null) {
            boolean less = after.value() < before.value();
            outcome = p < ALPHA
                    ? (less == before.higherIsBetter() ? Outcome.WORSE : Outcome.BETTER)
                    : after.value() == before.value() ? Outcome.SAME : Outcome.INCONCLUSIVE;
        }
        if (failsMore && outcome == Outcome.BETTER) {
            outcome = Outcome.FAILS_MORE;
        }
        return new Row(
                before.key(),
                before.unit(),
                before.value(),
                after.value(),
                test == null ? null : (Double) (test.low() - 1),
                test == null ? null : (Double) (test.high() - 1),
                effect,
                p,
                before.certain() && after.certain(),
                before.exact() && after.exact(),
                outcome,
                before.higherIsBetter());
    }

    private static Outcome outcome(RatioInterval test, double p, boolean higherIsBetter) {
        if (p >= ALPHA) {
            boolean narrow = test.low() >= 1 - SAME_WITHIN && test.high() <= 1 + SAME_WITHIN;
            return narrow ? Outcome.SAME : Outcome.INCONCLUSIVE;
        }
        boolean up = (test.low() + test.high()) / 2 > 1;
        return up == higherIsBetter ? Outcome.BETTER : Outcome.WORSE;
    }

    /** Holm's step-down: the i-th smallest of m is multiplied by m − i + 1, and none is below the one before. */
    private static Map<String, Double> holm(List<Tested> tested) {
        List<Map.Entry<String, Double>> ascending = new ArrayList<>();
        for (Tested each : tested) {
            Double p = each.p();
            if (p != null) {
                ascending.add(Map.entry(each.before().key(), p));
            }
        }
        ascending.sort(Comparator.comparingDouble(Map.Entry::getValue));
        Map<String, Double> corrected = new LinkedHashMap<>();
        double floor = 0;
        for (int i = 0; i < ascending.size(); i++) {
            floor = Math.max(floor, Math.min(1, ascending.get(i).getValue() * (ascending.size() - i)));
            corrected.put(ascending.get(i).getKey(), floor);
        }
        return corrected;
    }

    private static List<String> changes(MetricsSnapshot baseline, MetricsSnapshot other) {
        SnapshotExtensions before = baseline.extensions();
        SnapshotExtensions after = other.extensions();
        List<String> changes = new ArrayList<>();
        if (baseline.state() != other.state()) {
            changes.add("state: " + baseline.state().wireName() + " -> "
                    + other.state().wireName());
        }
        if (before != null && after != null) {
            differences(changes, before.run().environment(), after.run().environment());
            differences(changes, before.run().settings(), after.run().settings());
            differences(changes, recomputed(before), recomputed(after));
        }
        return changes;
    }

    private static Map<String, String> recomputed(SnapshotExtensions extensions) {
        List<String> words = extensions.run().recomputed();
        return words.isEmpty() ? Map.of() : Map.of("recomputed", String.join("; ", words));
    }

    private static void differences(List<String> into, Map<String, String> before, Map<String, String> after) {
        Set<String> names = new LinkedHashSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            String one = before.getOrDefault(name, "-");
            String two = after.getOrDefault(name, "-");
            // The load at the start differs between any two runs.
            if (!one.equals(two) && !name.equals("load_at_start")) {
                into.add(name + ": " + one + " -> " + two);
            }
        }
    }
}
