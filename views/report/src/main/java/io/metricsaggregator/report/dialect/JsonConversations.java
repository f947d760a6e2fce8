package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Jobs;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts {@code conversations} of the JSON report, with turns by their place, and {@code jobs}. */
final class JsonConversations {
    private JsonConversations() {}

    /** Adds those that the run has. */
    static void put(Map<String, @Nullable Object> tree, Report report) {
        OptionalFigures figures = report.snapshot().extensions().optional();
        Conversations conversations = figures.conversations();
        if (conversations != null) {
            tree.put("conversations", of(conversations));
        }
        Jobs jobs = figures.jobs();
        if (jobs != null) {
            tree.put("jobs", JsonJobs.of(jobs, report));
        }
    }

    private static Map<String, @Nullable Object> of(Conversations conversations) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("seen", conversations.seen());
        tree.put("open", conversations.open());
        tree.put("active", conversations.active());
        tree.put("active_peak", conversations.activePeak());
        tree.put("active_mean", conversations.activeMean());
        tree.put("completed", conversations.completed());
        tree.put("failed", conversations.failed());
        tree.put("per_s", conversations.perSecond());
        tree.put("cache_hit_ratio", cache(conversations.cache()));
        tree.put(
                "by_turn",
                conversations.byTurn().stream().map(JsonConversations::turns).toList());
        return tree;
    }

    private static @Nullable Map<String, @Nullable Object> cache(Conversations.@Nullable CacheHits cache) {
        if (cache == null) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", cache.count());
        tree.put("mean", cache.mean());
        tree.put("p10", cache.p10());
        tree.put("p50", cache.p50());
        tree.put("p90", cache.p90());
        return tree;
    }

    private static Map<String, @Nullable Object> turns(Conversations.Turns turns) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("turn", turns.place());
        tree.put("issued", turns.issued());
        tree.put("completed", turns.completed());
        tree.put("failed", turns.failed());
        tree.put("ttft_ms", JsonLabels.durations(turns.firstToken()));
        tree.put("latency_ms", JsonLabels.durations(turns.latency()));
        tree.put("isl_mean", turns.input().mean());
        tree.put("osl_mean", turns.output().mean());
        tree.put("cached_share", turns.cachedShare());
        return tree;
    }
}
