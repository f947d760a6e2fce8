package io.metricsaggregator.tokens;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.fold.TextSink;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the items of a batch. One for each worker. */
final class TextCount {
    private final TokenCounter counter;
    private final MsgpackTree msgpack = new MsgpackTree();

    TextCount(TokenCounter counter) {
        this.counter = counter;
    }

    /** Counts every item; one that fails fails alone. Answers what the first failure was, or null. */
    @Nullable
    Throwable count(TextBatch batch) {
        Throwable first = null;
        for (int i = 0; i < batch.items; i++) {
            try {
                ByteBuffer bytes = ByteBuffer.wrap(batch.bytes, batch.starts[i], batch.lengths[i]);
                List<?> data = (List<?>) msgpack.read(bytes);
                if (data == null) {
                    batch.outcomes[i] = TextBatch.Outcome.EMPTY;
                } else if (batch.prompt[i]) {
                    countPrompt(data, batch, i);
                } else {
                    countOutput(data, batch, i);
                }
            } catch (MalformedMessageException | RuntimeException | LinkageError | StackOverflowError e) {
                batch.outcomes[i] = TextBatch.Outcome.FAILED;
                first = first == null ? e : first;
            }
        }
        return first;
    }

    private static @Nullable Object element(List<?> data, int index) {
        return index < data.size() ? data.get(index) : null;
    }

    /** {@code [tag, text, token_ids, messages, tools, …]}: the text, or else the messages. */
    private void countPrompt(List<?> data, TextBatch batch, int item) {
        String text = (String) element(data, 1);
        Object messages = element(data, 3);
        if (text != null && !text.isEmpty()) {
            batch.tokens[item] = counter.count(text);
            batch.outcomes[item] = TextBatch.Outcome.COUNTED;
        } else if (messages != null) {
            batch.tokens[item] = counter.count(PlainChat.prompt((List<?>) messages, element(data, 4)));
            batch.outcomes[item] = TextBatch.Outcome.APPROXIMATE;
        } else {
            batch.outcomes[item] = TextBatch.Outcome.EMPTY;
        }
    }

    /** {@code [tag, output, reasoning, tool_calls]}. */
    private void countOutput(List<?> data, TextBatch batch, int item) {
        Object output = element(data, 1);
        Object reasoning = element(data, 2);
        List<?> toolCalls = element(data, 3) instanceof List<?> calls ? calls : List.of();
        String text = join(output);
        String thought = join(reasoning);
        if (text.isEmpty() && thought.isEmpty() && toolCalls.isEmpty()) {
            batch.outcomes[item] = TextBatch.Outcome.EMPTY;
            return;
        }
        batch.tokens[item] = count(text, thought, toolCalls);
        boolean plain = thought.isEmpty() && toolCalls.isEmpty();
        batch.outcomes[item] = plain ? TextBatch.Outcome.COUNTED : TextBatch.Outcome.APPROXIMATE;
        batch.tokensAfterFirst[item] = 0;
        if (batch.sinceFirstNanos[item] == TextSink.NO_FIRST_CHUNK) {
            return;
        }
        // The first chunk is the reasoning's if there is any, then the output's, then that of the tool calls. What came
        // in one
        // piece is one chunk, but tool calls that did count whole.
        if (!thought.isEmpty()) {
            batch.tokensAfterFirst[item] = count(
                    reasoning instanceof List<?> || output instanceof List<?> ? text : "", rest(reasoning), toolCalls);
        } else if (!text.isEmpty()) {
            batch.tokensAfterFirst[item] = count(rest(output), "", toolCalls);
        } else {
            boolean streamed = toolCalls.get(0) instanceof List<?>;
            batch.tokensAfterFirst[item] = count("", "", streamed ? toolCalls.subList(1, toolCalls.size()) : toolCalls);
        }
    }

    private long count(String text, String thought, List<?> toolCalls) {
        String all = thought.isEmpty() && toolCalls.isEmpty() ? text : PlainChat.output(text, thought, toolCalls);
        return all.isEmpty() ? 0 : counter.count(all);
    }

    private static String join(@Nullable Object text) {
        if (text instanceof List<?> chunks) {
            StringBuilder joined = new StringBuilder();
            chunks.forEach(joined::append);
            return joined.toString();
        }
        return text == null ? "" : (String) text;
    }

    /** What comes after the first chunk; nothing for what came in one piece. */
    private static String rest(@Nullable Object text) {
        return text instanceof List<?> chunks && !chunks.isEmpty() ? join(chunks.subList(1, chunks.size())) : "";
    }
}
