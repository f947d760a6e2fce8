package io.metricsaggregator.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code data} of {@code sample.complete}: the answer of the model.
 *
 * @param output the visible text
 * @param reasoning the text of its reasoning; null for none
 * @param toolCalls the tool calls: maps or, if streamed, lists of partial maps, as
 *     {@link io.metricsaggregator.codec.MsgpackTree} reads them
 */
public record TextModelOutput(
        ModelText output,
        @Nullable ModelText reasoning,
        @Nullable List<@Nullable Object> toolCalls) implements EventData {

    /** The tag: the first element of the array on the wire. */
    public static final String TAG = "TextModelOutput";

    @Override
    public <X extends Exception> void accept(Visitor<X> visitor) throws X {
        visitor.output(this);
    }

    @Override
    public String tag() {
        return TAG;
    }
}
