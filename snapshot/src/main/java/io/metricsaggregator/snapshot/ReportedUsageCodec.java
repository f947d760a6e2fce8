package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotCodec.integer;
import static io.metricsaggregator.snapshot.SnapshotCodec.map;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.UsageKey;
import java.util.EnumMap;
import java.util.LinkedHashMap;
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
        return tree;
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
                        count(tree, "spec_accepted_tokens")));
    }

    /** A count; 0 if the map does not have it. */
    private static long count(Map<?, ?> tree, String key) throws MalformedMessageException {
        Object value = tree.get(key);
        return value == null ? 0 : integer("usage." + key, value);
    }
}
