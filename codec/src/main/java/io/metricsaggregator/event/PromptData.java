package io.metricsaggregator.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code data} of {@code sample.issued}: the prompt. Every component may be null; containers are values as {@link io.metricsaggregator.codec.MsgpackTree} reads
 * them.
 *
 * @param text the prompt as text
 * @param tokenIds the prompt as token ids: {@link Long} or, above 2^63 − 1, {@link java.math.BigInteger}
 * @param messages the prompt as chat messages
 * @param tools the tools offered
 * @param chatTemplateKwargs further variables of the chat template
 * @param chatTemplate the chat template that the request brings
 * @param toolChoice the tool that the answer must use
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

    /** The tag: the first element of the array on the wire. */
    public static final String TAG = "PromptData";

    /** Creates a prompt that has only token ids. */
    public static PromptData ofTokenIds(List<Number> tokenIds) {
        return new PromptData(null, List.copyOf(tokenIds), null, null, null, null, null);
    }

    /** Creates a prompt that has only a text. */
    public static PromptData ofText(String text) {
        return new PromptData(text, null, null, null, null, null, null);
    }

    @Override
    public <X extends Exception> void accept(Visitor<X> visitor) throws X {
        visitor.prompt(this);
    }

    @Override
    public String tag() {
        return TAG;
    }
}
