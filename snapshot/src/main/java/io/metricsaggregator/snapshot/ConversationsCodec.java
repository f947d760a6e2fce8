package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.SnapshotCodec.integer;
import static io.metricsaggregator.snapshot.SnapshotCodec.list;
import static io.metricsaggregator.snapshot.SnapshotCodec.map;
import static io.metricsaggregator.snapshot.SnapshotCodec.real;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link Conversations} to and from maps. The maps also hold means and shares, which reading ignores. */
final class ConversationsCodec {
    private static final String FIELD = "conversations.";

    private ConversationsCodec() {}

    static Map<String, @Nullable Object> of(Conversations conversations) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("seen", conversations.seen());
        tree.put("open", conversations.open());
        tree.put("active", conversations.active());
        tree.put("active_peak", conversations.activePeak());
        tree.put("active_mean", conversations.activeMean());
        tree.put("completed", conversations.completed());
        tree.put("failed", conversations.failed());
        tree.put("per_s", conversations.perSecond());
        Conversations.CacheHits cache = conversations.cache();
        if (cache != null) {
            Map<String, @Nullable Object> hits = new LinkedHashMap<>();
            hits.put("count", cache.count());
            hits.put("mean", cache.mean());
            hits.put("p10", cache.p10());
            hits.put("p50", cache.p50());
            hits.put("p90", cache.p90());
            tree.put("cache_hit_ratio", hits);
        }
        tree.put(
                "by_turn",
                conversations.byTurn().stream().map(ConversationsCodec::of).toList());
        return tree;
    }

    private static Map<String, @Nullable Object> of(Conversations.Turns turns) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("from", (long) turns.from());
        tree.put("to", turns.to() == null ? null : turns.to().longValue());
        tree.put("issued", turns.issued());
        tree.put("completed", turns.completed());
        tree.put("failed", turns.failed());
        tree.put("ttft_ns", LabelBreakdownCodec.of(turns.firstToken()));
        tree.put("latency_ns", LabelBreakdownCodec.of(turns.latency()));
        tree.put("isl", of(turns.input()));
        tree.put("osl", of(turns.output()));
        tree.put("cache_prompt_tokens", turns.promptTokens());
        tree.put("cache_hit_tokens", turns.cachedTokens());
        tree.put("cache_hit_ratio", turns.cachedShare());
        return tree;
    }

    private static Map<String, @Nullable Object> of(Conversations.Tokens tokens) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", tokens.count());
        tree.put("total", tokens.total());
        tree.put("mean", tokens.mean());
        return tree;
    }

    static Conversations read(Map<?, ?> tree) throws MalformedMessageException {
        List<Conversations.Turns> rows = new ArrayList<>();
        for (Object element : list(FIELD + "by_turn", tree.get("by_turn"))) {
            rows.add(turns(map(FIELD + "by_turn", element)));
        }
        return new Conversations(
                count(tree, "seen"),
                count(tree, "open"),
                count(tree, "active"),
                count(tree, "active_peak"),
                realOrNull(tree, "active_mean"),
                count(tree, "completed"),
                count(tree, "failed"),
                realOrNull(tree, "per_s"),
                tree.get("cache_hit_ratio") == null
                        ? null
                        : cache(map(FIELD + "cache_hit_ratio", tree.get("cache_hit_ratio"))),
                rows);
    }

    private static Conversations.CacheHits cache(Map<?, ?> tree) throws MalformedMessageException {
        return new Conversations.CacheHits(
                count(tree, "count"),
                real(FIELD + "cache_hit_ratio.mean", tree.get("mean")),
                realOrNull(tree, "p10"),
                realOrNull(tree, "p50"),
                realOrNull(tree, "p90"));
    }

    private static Conversations.Turns turns(Map<?, ?> tree) throws MalformedMessageException {
        return new Conversations.Turns(
                place(tree.get("from")),
                tree.get("to") == null ? null : (Integer) place(tree.get("to")),
                count(tree, "issued"),
                count(tree, "completed"),
                count(tree, "failed"),
                tokens(map(FIELD + "by_turn.isl", tree.get("isl"))),
                tokens(map(FIELD + "by_turn.osl", tree.get("osl"))),
                count(tree, "cache_prompt_tokens"),
                count(tree, "cache_hit_tokens"),
                LabelBreakdownCodec.durations(tree.get("ttft_ns")),
                LabelBreakdownCodec.durations(tree.get("latency_ns")));
    }

    private static Conversations.Tokens tokens(Map<?, ?> tree) throws MalformedMessageException {
        return new Conversations.Tokens(count(tree, "count"), count(tree, "total"));
    }

    private static int place(@Nullable Object value) throws MalformedMessageException {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, integer(FIELD + "by_turn", value)));
    }

    private static long count(Map<?, ?> tree, String name) throws MalformedMessageException {
        return integer(FIELD + name, tree.get(name));
    }

    private static @Nullable Double realOrNull(Map<?, ?> tree, String name) throws MalformedMessageException {
        return tree.get(name) == null ? null : (Double) real(FIELD + name, tree.get(name));
    }
}
