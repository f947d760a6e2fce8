package io.metricsaggregator.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a model answered.
 *
 * @param output the visible text
 * @param reasoning the text of its reasoning, if it gave any
 * @param toolCalls the calls it asked for: maps or, streamed, lists of partial maps, as
 *     {@link io.metricsaggregator.codec.MsgpackTree} reads them
 */
public record TextModelOutput(
        ModelText output,
        @Nullable ModelText reasoning,
        @Nullable List<@Nullable Object> toolCalls) implements EventData {

    /** The first element on the wire. */
    public static final String TAG = "TextModelOutput";

    @Override
    public String tag() {
        return TAG;
    }
}
