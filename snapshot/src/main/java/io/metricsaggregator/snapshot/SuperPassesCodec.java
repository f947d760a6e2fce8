package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link SuperPasses} to and from keys of the map {@code steady}. */
final class SuperPassesCodec {
    private static final String SIZE = "superpass_size";

    private SuperPassesCodec() {}

    static void put(SuperPasses passes, Map<String, @Nullable Object> tree) {
        tree.put(SIZE, passes.size());
        SuperPasses.Judgement judgement = passes.judgement();
        if (judgement == null) {
            tree.put("not_judged", passes.notJudged());
            return;
        }
        tree.put("status", judgement.status());
        tree.put("verdict", judgement.verdict());
        tree.put("anomaly_pct", judgement.anomalyPercent());
        tree.put("compat", judgement.compat());
        tree.put("compat_live", judgement.compatLive());
        tree.put("ours", judgement.ours());
    }

    /** Null if the map has no super-passes. */
    static @Nullable SuperPasses read(Map<?, ?> tree) throws MalformedMessageException {
        if (tree.get(SIZE) == null) {
            return null;
        }
        long size = integer("steady." + SIZE, tree.get(SIZE));
        if (tree.get("compat") == null) {
            return new SuperPasses(size, text("steady.not_judged", tree.get("not_judged")), null);
        }
        return new SuperPasses(
                size,
                null,
                new SuperPasses.Judgement(
                        text("steady.status", tree.get("status")),
                        text("steady.verdict", tree.get("verdict")),
                        named("steady.compat", tree.get("compat")),
                        named("steady.compat_live", tree.get("compat_live")),
                        named("steady.ours", tree.get("ours"))));
    }

    private static Map<String, @Nullable Object> named(String field, @Nullable Object value)
            throws MalformedMessageException {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map(field, value).entrySet()) {
            named.put(text(field, entry.getKey()), entry.getValue());
        }
        return named;
    }
}
