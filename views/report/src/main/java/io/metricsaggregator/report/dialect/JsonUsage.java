package io.metricsaggregator.report.dialect;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code usage} of the JSON report: tokens that servers reported. */
final class JsonUsage {
    private JsonUsage() {}

    /** Adds the part if any completion had a usage. */
    static void put(Map<String, @Nullable Object> report, MetricsSnapshot snapshot) {
        ReportedUsage usage = snapshot.extensions().optional().usage();
        if (usage != null) {
            report.put("usage", of(usage, snapshot));
        }
    }

    private static Map<String, @Nullable Object> of(ReportedUsage usage, MetricsSnapshot snapshot) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("reported", usage.reported());
        tree.put("failed", usage.failed());
        tree.put("by_client", usage.byClient());
        tree.put("missing", snapshot.counter(CounterName.USAGE_MISSING));
        tree.put("rejected", snapshot.counter(CounterName.USAGE_REJECTED));
        Map<String, @Nullable Object> totals = new LinkedHashMap<>();
        usage.totals().forEach((key, total) -> totals.put(key.wireName(), total));
        tree.put("totals", totals);
        tree.put("cache_reported", usage.cache().reported());
        tree.put("cache_hit_ratio", usage.cache().hitRatio());
        tree.put("acceptance_ratio", usage.speculation().acceptanceRatio());
        tree.put("acceptance_length", usage.speculation().acceptanceLength());
        tree.put("spec_histogram", usage.speculation().histogram());
        tree.put("acceptance_by_position", usage.speculation().acceptanceByPosition());
        tree.put("spec_histogram_rejected", snapshot.counter(CounterName.SPEC_HISTOGRAM_REJECTED));
        if (!usage.mismatches().isEmpty()) {
            Map<String, @Nullable Object> kinds = new LinkedHashMap<>();
            usage.mismatches().forEach(each -> kinds.put(each.kind(), mismatch(each)));
            tree.put("mismatch", kinds);
        }
        return tree;
    }

    private static Map<String, @Nullable Object> mismatch(ReportedUsage.Mismatch each) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("compared", each.compared());
        tree.put("mismatched", each.mismatched());
        tree.put("skipped", each.skipped());
        tree.put("bias_ratio", each.biasRatio());
        tree.put("deviation_p50", each.p50());
        tree.put("deviation_p99", each.p99());
        return tree;
    }
}
