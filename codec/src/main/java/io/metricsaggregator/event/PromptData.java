package io.metricsaggregator.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a sample asked. Every part may be absent; containers are values as {@link io.metricsaggregator.codec.MsgpackTree} reads
 * them.
 *
 * @param text the prompt as text
 * @param tokenIds the prompt as token ids: {@link Long} or, above 2^63 − 1, {@link java.math.BigInteger}
 * @param messages the prompt as chat messages
 * @param tools the tools offered
 * @param chatTemplateKwargs what the chat template gets besides
 * @param chatTemplate a template of the request's own
 * @param toolChoice which tool to use
 */
public record PromptData(
        @Nullable String text,
        @Nullable List<Number> tokenIds,
        @Nullable List<@Nullable Object> messages,
        @Nullable Object tools,
        @Nullable Object chatTemplateKwargs,
        @Nullable String chatTemplate,
        @Nullable Object toolChoice)
        implements EventData {

    /** The first element on the wire. */
    public static final String TAG = "PromptData";

    /** A prompt of token ids alone. */
    public static PromptData ofTokenIds(List<Number> tokenIds) {
        return new PromptData(null, List.copyOf(tokenIds), null, null, null, null, null);
    }

    /** A prompt of text alone. */
    public static PromptData ofText(String text) {
        return new PromptData(text, null, null, null, null, null, null);
    }

    @Override
    public String tag() {
        return TAG;
    }
}
