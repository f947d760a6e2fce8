package io.metricsaggregator.answer;

import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The speculative decoding of one request as vLLM reports it ({@code --per-request-spec-decode-metrics}). Accepted tokens are draft tokens: the one
 * that the model itself adds in each step is none of them. Immutable.
 *
 * @param counts steps, draft tokens and accepted ones; what is no count is absent
 * @param histogram steps that accepted 0, 1, … draft tokens, at most {@value Usage#HISTOGRAM_MAX} entries; empty if unknown, and not compared with the counts
 */
public record SpecDecoding(Map<UsageKey, Long> counts, List<Long> histogram) {
    /** Nothing reported. */
    public static final SpecDecoding NONE = new SpecDecoding(Map.of(), List.of());

    private static final Map<String, UsageKey> NAMES = Map.of(
            "num_spec_steps", UsageKey.SPEC_DRAFTS,
            "num_draft_tokens", UsageKey.SPEC_DRAFT_TOKENS,
            "num_accepted_draft_tokens", UsageKey.SPEC_ACCEPTED_TOKENS);

    public SpecDecoding {
        counts = Collections.unmodifiableMap(new TreeMap<>(counts));
        histogram = List.copyOf(histogram);
    }

    /** Reads the object {@code metrics} of an answer; {@link #NONE} if it says nothing. */
    static SpecDecoding of(Map<?, ?> metrics) {
        if (!(metrics.get("speculative_decoding") instanceof Map<?, ?> vllm)) {
            return NONE;
        }
        Map<UsageKey, Long> counts = new EnumMap<>(UsageKey.class);
        NAMES.forEach((name, key) -> {
            Long count = AnswerUsage.count(vllm.get(name));
            if (count != null) {
                counts.put(key, count);
            }
        });
        return new SpecDecoding(counts, histogram(vllm.get("acceptance_histogram")));
    }

    /** The entries; none if one is no count, or there are too many. */
    private static List<Long> histogram(@Nullable Object value) {
        List<Long> steps = value instanceof List<?> entries
                ? entries.stream()
                        .map(AnswerUsage::count)
                        .filter(Objects::nonNull)
                        .toList()
                : List.of();
        boolean whole = value instanceof List<?> entries && entries.size() == steps.size();
        return whole && steps.size() <= Usage.HISTOGRAM_MAX ? steps : List.of();
    }
}
