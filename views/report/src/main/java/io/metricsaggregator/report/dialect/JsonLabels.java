package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code by_label} of the JSON report: samples by the labels of their issue. */
final class JsonLabels {
    private static final double NANOS_PER_MILLI = 1e6;

    private JsonLabels() {}

    static List<Object> of(LabelBreakdown labels) {
        List<Object> keys = new ArrayList<>();
        for (LabelBreakdown.Key key : labels.keys()) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            tree.put("key", key.name());
            tree.put("max_over_mean", key.maxOverMean());
            tree.put("gini", key.gini());
            tree.put("output_gini", key.outputGini());
            tree.put("latency_p50_spread", key.latencySpread());
            tree.put("values", key.values().stream().map(JsonLabels::value).toList());
            keys.add(tree);
        }
        return keys;
    }

    /** The part {@code goodput.classes}: the class that a label names, judged by the objectives of its own. */
    static Map<String, @Nullable Object> classes(ServiceClasses classes, Report report) {
        Map<String, @Nullable Object> rows = new LinkedHashMap<>();
        for (ServiceClasses.Row each : classes.rows()) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("judged", each.goodput().judged());
            row.put("good", each.goodput().good());
            row.put("good_share", each.goodput().share());
            row.put("target_share", each.goodput().targetShare());
            row.put("budget_used", each.budgetUsed());
            row.put("good_output_tok_per_s", report.perSecond(each.knownOutputTokens()));
            row.put("good_total_tok_per_s", report.perSecond(each.knownTotalTokens()));
            Double median = each.latencyP50Nanos();
            row.put("latency_p50_ms", median == null ? null : median / NANOS_PER_MILLI);
            rows.put(each.name(), row);
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("key", classes.key());
        tree.put("fairness_good_tokens", classes.fairnessGoodTokens());
        tree.put("fairness_latency", classes.fairnessLatency());
        tree.put("by_class", rows);
        return tree;
    }

    private static Map<String, @Nullable Object> value(LabelBreakdown.Value value) {
        return ReportFields.of(
                "label",
                value,
                LabelBreakdown.Value::pass,
                "value",
                value.value(),
                "succeeded",
                value.succeeded(),
                "input_tokens",
                value.knownInputTokens(),
                "output_tokens",
                value.knownOutputTokens());
    }
}
