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
        Map<String, @Nullable Object> mismatches = new LinkedHashMap<>();
        usage.mismatches()
                .forEach(each ->
                        mismatches.put(each.kind(), ReportFields.of("mismatch", each, ReportedUsage.Mismatch::pass)));
        return ReportFields.of(
                "usage",
                usage,
                ReportedUsage::pass,
                "missing",
                snapshot.counter(CounterName.USAGE_MISSING),
                "rejected",
                snapshot.counter(CounterName.USAGE_REJECTED),
                "spec_histogram",
                usage.speculation().histogram(),
                "acceptance_by_position",
                usage.speculation().acceptanceByPosition(),
                "spec_histogram_rejected",
                snapshot.counter(CounterName.SPEC_HISTOGRAM_REJECTED),
                "mismatch",
                mismatches);
    }
}
