package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.ReportedTokens;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Judges whether the token series ({@code isl}, {@code osl}, {@code tpot_ns}) count what the model saw. */
final class TokenCounts implements Check {
    @Override
    public String name() {
        return "token counts";
    }

    @Override
    public String effect() {
        return "texts counted approximately, not countable, or dropped at `--max-text-memory`: questionable";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        long texts = snapshot.counter(CounterName.TEXTS_ENQUEUED);
        List<String> evidence = new ArrayList<>();
        note(evidence, snapshot.counter(CounterName.TEXTS_APPROXIMATE), texts, approximate(snapshot));
        note(
                evidence,
                snapshot.counter(CounterName.TEXTS_FAILED),
                texts,
                "could not be counted; the log has the reason");
        note(
                evidence,
                snapshot.counter(CounterName.TEXTS_DROPPED),
                texts,
                "were not counted: --max-text-memory was reached");
        evidence.addAll(ReportedTokens.doubts(snapshot));
        return evidence.isEmpty()
                ? List.of()
                : List.of(new Finding(Finding.Weight.REMARK, name(), String.join("; ", evidence)));
    }

    private static void note(List<String> evidence, long count, long texts, String what) {
        if (count > 0) {
            evidence.add(String.format(Locale.ROOT, "%,d of %,d texts %s", count, texts, what));
        }
    }

    private static String approximate(MetricsSnapshot snapshot) {
        boolean missing = !snapshot.extensions().isNone()
                && "none".equals(snapshot.extensions().run().settings().get("chat_template"));
        return missing
                ? "are counted approximately: the chat template of the model is missing. Put chat_template.jinja beside the tokenizer"
                : "are counted approximately: a chat template failed, or a long text was truncated; the log has the reason";
    }

    /** Whether speculative decoding shows the acceptance length that the run has to have ({@code --golden-al}). */
    static final class Acceptance implements Check {
        private static final double DEVIATION_MAX = 0.02;

        @Override
        public String name() {
            return "acceptance length";
        }

        @Override
        public String effect() {
            return "with `--golden-al`: the acceptance length of speculative decoding is more than "
                    + Check.percent(DEVIATION_MAX)
                    + " from the golden one: questionable. Unknown without `usage.spec_…` of successes";
        }

        @Override
        public List<Finding> judge(MetricsSnapshot snapshot) {
            Map<String, String> settings = snapshot.extensions().run().settings();
            if (!settings.containsKey(ReportedUsage.Speculation.GOLDEN)) {
                return List.of();
            }
            Double golden = ReportedUsage.Speculation.golden(settings);
            ReportedUsage usage = snapshot.extensions().optional().usage();
            Double length = usage == null ? null : usage.speculation().acceptanceLength();
            if (usage == null || golden == null || length == null) {
                String evidence = (length == null ? "no success reports speculative decoding" : "several lengths")
                        + ", golden " + settings.get(ReportedUsage.Speculation.GOLDEN);
                return List.of(new Finding(Finding.Weight.UNKNOWN, name(), evidence));
            }
            double deviation = length / golden - 1;
            boolean off = Math.abs(deviation) > DEVIATION_MAX;
            String evidence = String.format(
                    Locale.ROOT,
                    "%s%.3f tokens per step over %,d steps, golden %s (%+.1f%%)",
                    off ? "synthetic acceptance not in effect: " : "",
                    length,
                    usage.speculation().drafts(),
                    Check.number(golden),
                    100 * deviation);
            return List.of(new Finding(off ? Finding.Weight.REMARK : Finding.Weight.GOOD, name(), evidence));
        }
    }
}
