package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ReportedTokens;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a run as the daemon counted them and as servers reported them, side by side, in a form of this project (docs/metrics.md). What was
 * not measured is null; where the token series come from the servers, nothing was counted.
 */
public final class TokenAccounting implements Dialect {
    private static final long SCHEMA_VERSION = 1;

    @Override
    public String render(Report report) {
        return new String(JsonTree.write(tree(report.snapshot())), StandardCharsets.UTF_8);
    }

    private static Map<String, @Nullable Object> tree(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        ReportedUsage usage = extensions.optional().usage();
        Map<String, String> settings = extensions.run().settings();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("schema_version", SCHEMA_VERSION);
        tree.put("run_id", extensions.isNone() ? null : extensions.run().runId());
        tree.put("tokenizer", settings.get("tokenizer"));
        tree.put("chat_template", settings.get("chat_template"));
        tree.put("token_source", settings.getOrDefault("token_source", "tokenizer"));
        tree.put("succeeded", snapshot.counter(CounterName.TRACKED_SAMPLES_SUCCEEDED));
        tree.put("texts_pending", snapshot.pendingTasks());
        tree.put("counted", counted(snapshot));
        tree.put("reported", usage == null ? null : reported(usage, snapshot));
        tree.put("divergence", usage == null ? Map.of() : divergence(usage));
        return tree;
    }

    private static Map<String, @Nullable Object> counted(MetricsSnapshot snapshot) {
        boolean counts = !ReportedTokens.areTheSource(snapshot);
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("prompt", counts ? tokens(snapshot, SeriesName.ISL) : null);
        tree.put("completion", counts ? tokens(snapshot, SeriesName.OSL) : null);
        tree.put("reasoning", tokens(snapshot, SeriesName.OSL_REASONING));
        tree.put("answer", tokens(snapshot, SeriesName.OSL_ANSWER));
        return tree;
    }

    private static @Nullable Map<String, @Nullable Object> tokens(MetricsSnapshot snapshot, SeriesName name) {
        SeriesMetric series = snapshot.series(name);
        if (series == null || series.count() == 0) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("samples", series.count());
        tree.put("tokens", series.total());
        return tree;
    }

    private static Map<String, @Nullable Object> reported(ReportedUsage usage, MetricsSnapshot snapshot) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("samples", usage.reported());
        tree.put("failed", usage.failed());
        tree.put("missing", snapshot.counter(CounterName.USAGE_MISSING));
        tree.put("rejected", snapshot.counter(CounterName.USAGE_REJECTED));
        tree.put("by_client", usage.byClient());
        Map<String, @Nullable Object> totals = new LinkedHashMap<>();
        for (UsageKey key : UsageKey.values()) {
            totals.put(key.wireName(), usage.totals().get(key));
        }
        tree.put("totals", totals);
        tree.put("cache_hit_ratio", usage.cache().hitRatio());
        return tree;
    }

    private static Map<String, @Nullable Object> divergence(ReportedUsage usage) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        for (ReportedUsage.Mismatch each : usage.mismatches()) {
            Map<String, @Nullable Object> kind = new LinkedHashMap<>();
            kind.put("compared", each.compared());
            kind.put("skipped", each.skipped());
            kind.put("counted_tokens", each.countedTokens());
            kind.put("reported_tokens", each.reportedTokens());
            kind.put("bias_ratio", each.biasRatio());
            kind.put("mismatched", each.mismatched());
            kind.put("deviation_p50", each.p50());
            kind.put("deviation_p99", each.p99());
            tree.put(each.kind(), kind);
        }
        return tree;
    }

    @Override
    public @Nullable String missing(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        SnapshotExtensions extensions = snapshot.extensions();
        boolean reported = extensions.optional().usage() != null;
        return reported || counted(snapshot).values().stream().anyMatch(Objects::nonNull)
                ? null
                : "no tokens were counted or reported";
    }
}
