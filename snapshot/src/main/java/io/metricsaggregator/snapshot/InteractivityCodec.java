package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link Interactivity} to and from a map. The map also holds the rate, which reading ignores. */
final class InteractivityCodec {
    private InteractivityCodec() {}

    static Map<String, @Nullable Object> of(Interactivity sums) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("samples", sums.samples());
        tree.put("tokens", sums.tokens());
        tree.put("latency_ns", sums.latencyNanos());
        tree.put("e2e_interactivity_tok_per_s", sums.tokensPerSecond());
        return tree;
    }

    static Interactivity read(Map<?, ?> tree) throws MalformedMessageException {
        return new Interactivity(
                integer("interactivity.samples", tree.get("samples")),
                integer("interactivity.tokens", tree.get("tokens")),
                integer("interactivity.latency_ns", tree.get("latency_ns")));
    }
}
