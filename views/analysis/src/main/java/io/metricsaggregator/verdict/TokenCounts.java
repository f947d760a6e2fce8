package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.ReportedTokens;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
}
