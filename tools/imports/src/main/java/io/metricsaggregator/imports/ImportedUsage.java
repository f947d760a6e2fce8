package io.metricsaggregator.imports;

import io.metricsaggregator.answer.AnswerUsage;
import io.metricsaggregator.answer.SpecDecoding;
import io.metricsaggregator.event.Usage;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Token counts of a request as its file has them. A component is at least 0, or null if the file does not have it.
 *
 * @param promptTokens tokens of the input
 * @param completionTokens tokens of the output, reasoning included
 * @param cachedTokens input tokens that the server took from its cache
 * @param reasoningTokens output tokens that are reasoning
 * @param byClient whether the tool's tokenizer counted them; otherwise the server reported them
 * @param speculation its speculative decoding
 */
public record ImportedUsage(
        @Nullable Long promptTokens,
        @Nullable Long completionTokens,
        @Nullable Long cachedTokens,
        @Nullable Long reasoningTokens,
        boolean byClient,
        SpecDecoding speculation) {
    /** Counts without speculative decoding. */
    public ImportedUsage(
            @Nullable Long promptTokens,
            @Nullable Long completionTokens,
            @Nullable Long cachedTokens,
            @Nullable Long reasoningTokens,
            boolean byClient) {
        this(promptTokens, completionTokens, cachedTokens, reasoningTokens, byClient, SpecDecoding.NONE);
    }

    /** Counts that a server reported in its answer. */
    public static ImportedUsage of(AnswerUsage usage) {
        return new ImportedUsage(
                usage.promptTokens(),
                usage.completionTokens(),
                usage.cachedTokens(),
                usage.reasoningTokens(),
                false,
                usage.speculation());
    }

    /** Counts that the server reported. */
    public static ImportedUsage ofServer(@Nullable Long prompt, @Nullable Long completion) {
        return new ImportedUsage(prompt, completion, null, null, false);
    }

    /** Counts of the tool's own tokenizer. */
    public static ImportedUsage ofClient(@Nullable Long prompt, @Nullable Long completion) {
        return new ImportedUsage(prompt, completion, null, null, true);
    }

    /** What is known of its speculative decoding, by the keys of a record's {@code usage}. */
    public Map<String, Object> speculationKeys() {
        Map<String, Object> keys = new LinkedHashMap<>();
        speculation.counts().forEach((key, count) -> keys.put(key.wireName(), count));
        if (!speculation.histogram().isEmpty()) {
            keys.put(Usage.SPEC_HISTOGRAM, speculation.histogram());
        }
        return keys;
    }

    /** Whether no count is known. */
    public boolean isEmpty() {
        return promptTokens == null
                && completionTokens == null
                && cachedTokens == null
                && reasoningTokens == null
                && speculation.counts().isEmpty();
    }
}
