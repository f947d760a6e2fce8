package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.UsageKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link ReportedUsage} to and from maps. The maps also hold ratios, which reading ignores. */
final class ReportedUsageCodec {
    private ReportedUsageCodec() {}

    static Map<String, @Nullable Object> of(ReportedUsage usage) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("reported", usage.reported());
        tree.put("failed", usage.failed());
        tree.put("by_client", usage.byClient());
        Map<String, @Nullable Object> totals = new LinkedHashMap<>();
        usage.totals().forEach((key, total) -> totals.put(key.wireName(), total));
        tree.put("totals", totals);
        tree.put("cache_reported", usage.cache().reported());
        tree.put("cache_prompt_tokens", usage.cache().promptTokens());
        tree.put("cache_hit_tokens", usage.cache().hitTokens());
        tree.put("cache_hit_ratio", usage.cache().hitRatio());
        ReportedUsage.Speculation speculation = usage.speculation();
        if (speculation.reported() > 0) {
            tree.put("spec_reported", speculation.reported());
            tree.put("spec_drafts", speculation.drafts());
            tree.put("spec_draft_tokens", speculation.draftTokens());
            tree.put("spec_accepted_tokens", speculation.acceptedTokens());
            tree.put("acceptance_ratio", speculation.acceptanceRatio());
            tree.put("acceptance_length", speculation.acceptanceLength());
        }
        if (!usage.mismatches().isEmpty()) {
            Map<String, @Nullable Object> kinds = new LinkedHashMap<>();
            usage.mismatches().forEach(each -> kinds.put(each.kind(), of(each)));
            tree.put("mismatch", kinds);
        }
        return tree;
    }

    private static Map<String, @Nullable Object> of(ReportedUsage.Mismatch mismatch) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("compared", mismatch.compared());
        tree.put("mismatched", mismatch.mismatched());
        tree.put("skipped", mismatch.skipped());
        tree.put("reported_tokens", mismatch.reportedTokens());
        tree.put("counted_tokens", mismatch.countedTokens());
        tree.put("bias_ratio", mismatch.biasRatio());
        tree.put("deviation_p50", mismatch.p50());
        tree.put("deviation_p99", mismatch.p99());
        return tree;
    }

    private static List<ReportedUsage.Mismatch> mismatches(@Nullable Object value) throws MalformedMessageException {
        List<ReportedUsage.Mismatch> rows = new ArrayList<>();
        for (Map.Entry<?, ?> entry : (value == null ? Map.of() : map("usage.mismatch", value)).entrySet()) {
            Map<?, ?> each = map("usage.mismatch", entry.getValue());
            rows.add(new ReportedUsage.Mismatch(
                    text("usage.mismatch", entry.getKey()),
                    count(each, "compared"),
                    count(each, "mismatched"),
                    count(each, "skipped"),
                    count(each, "reported_tokens"),
                    count(each, "counted_tokens"),
                    ratio(each.get("deviation_p50")),
                    ratio(each.get("deviation_p99"))));
        }
        return rows;
    }

    private static @Nullable Double ratio(@Nullable Object value) throws MalformedMessageException {
        return value == null ? null : (Double) real("usage.mismatch", value);
    }

    static ReportedUsage read(Map<?, ?> tree) throws MalformedMessageException {
        Map<?, ?> given = map("usage.totals", tree.get("totals"));
        Map<UsageKey, Long> totals = new EnumMap<>(UsageKey.class);
        for (UsageKey key : UsageKey.values()) {
            if (given.containsKey(key.wireName())) {
                totals.put(key, integer("usage.totals", given.get(key.wireName())));
            }
        }
        return new ReportedUsage(
                count(tree, "reported"),
                count(tree, "failed"),
                count(tree, "by_client"),
                totals,
                new ReportedUsage.Cache(
                        count(tree, "cache_reported"),
                        count(tree, "cache_prompt_tokens"),
                        count(tree, "cache_hit_tokens")),
                new ReportedUsage.Speculation(
                        count(tree, "spec_reported"),
                        count(tree, "spec_drafts"),
                        count(tree, "spec_draft_tokens"),
                        count(tree, "spec_accepted_tokens")),
                mismatches(tree.get("mismatch")));
    }

    /** A count; 0 if the map does not have it. */
    private static long count(Map<?, ?> tree, String key) throws MalformedMessageException {
        Object value = tree.get(key);
        return value == null ? 0 : integer("usage." + key, value);
    }
}
