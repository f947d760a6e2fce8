package io.metricsaggregator.tokens;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.fold.TextSink;
import io.metricsaggregator.template.TemplateException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the items of a batch. One for each worker. */
final class TextCount {
    private static final Logger LOG = LoggerFactory.getLogger(TextCount.class);
    private static final AtomicBoolean LOGGED = new AtomicBoolean();

    private final TokenCounter counter;
    private final ChatFormat chat;
    private final MsgpackTree msgpack = new MsgpackTree();
    /** Tokens of the frame around an answer; negative until it is known. */
    private long frame = -1;
    /** Whether the item at hand had to do without a template. */
    private boolean approximate;

    TextCount(TokenCounter counter, ChatFormat chat) {
        this.counter = counter;
        this.chat = chat;
    }

    /** Counts every item; one that fails fails alone. Answers what the first failure was, or null. */
    @Nullable
    Throwable count(TextBatch batch) {
        Throwable first = null;
        batch.rewind();
        while (batch.next()) {
            try {
                approximate = false;
                List<?> data = (List<?>) msgpack.read(batch.data());
                if (data == null) {
                    batch.counted(TextBatch.Outcome.EMPTY, 0, 0);
                } else if (batch.isPrompt()) {
                    countPrompt(data, batch);
                } else {
                    countOutput(data, batch);
                }
            } catch (MalformedMessageException | RuntimeException | LinkageError | StackOverflowError e) {
                first = first == null ? e : first;
            }
        }
        return first;
    }

    private static @Nullable Object element(List<?> data, int index) {
        return index < data.size() ? data.get(index) : null;
    }

    /** {@code [tag, text, token_ids, messages, tools, …]}: the text, or else the messages. */
    private void countPrompt(List<?> data, TextBatch batch) {
        String text = (String) element(data, 1);
        Object messages = element(data, 3);
        if (text != null && !text.isEmpty()) {
            batch.counted(TextBatch.Outcome.COUNTED, counter.count(text), 0);
        } else if (messages != null) {
            long tokens = counter.count(prompt(data, (List<?>) messages));
            batch.counted(outcome(), tokens, 0);
        } else {
            batch.counted(TextBatch.Outcome.EMPTY, 0, 0);
        }
    }

    /** {@code [tag, output, reasoning, tool_calls]}. */
    private void countOutput(List<?> data, TextBatch batch) {
        Object output = element(data, 1);
        Object reasoning = element(data, 2);
        List<?> toolCalls = element(data, 3) instanceof List<?> calls ? calls : List.of();
        String text = join(output);
        String thought = join(reasoning);
        if (text.isEmpty() && thought.isEmpty() && toolCalls.isEmpty()) {
            batch.counted(TextBatch.Outcome.EMPTY, 0, 0);
            return;
        }
        long tokens = count(text, thought, toolCalls);
        long rest = batch.sinceFirstNanos() == TextSink.NO_FIRST_CHUNK
                ? 0
                : afterFirst(output, reasoning, text, thought, toolCalls);
        batch.counted(outcome(), tokens, rest);
    }

    private TextBatch.Outcome outcome() {
        return approximate ? TextBatch.Outcome.APPROXIMATE : TextBatch.Outcome.COUNTED;
    }

    private String prompt(List<?> data, List<?> messages) {
        Object tools = element(data, 4);
        try {
            String text = chat.prompt(messages, tools, element(data, 5), (String) element(data, 6), element(data, 7));
            if (text != null) {
                return text;
            }
        } catch (TemplateException e) {
            logOnce(e);
        }
        approximate = true;
        return PlainChat.prompt(messages, tools);
    }

    private static void logOnce(TemplateException failure) {
        if (LOGGED.compareAndSet(false, true)) {
            LOG.warn(
                    "a chat template failed ({}); texts are counted without it (texts_approximate from now on)",
                    failure.getMessage());
        }
    }

    private long afterFirst(
            @Nullable Object output, @Nullable Object reasoning, String text, String thought, List<?> toolCalls) {
        // The first chunk is the reasoning's if there is any, then the output's, then that of the tool calls.
        // What came in one piece is one chunk, but tool calls that did count whole.
        if (!thought.isEmpty()) {
            boolean chunks = reasoning instanceof List<?> || output instanceof List<?>;
            return count(chunks ? text : "", rest(reasoning), toolCalls);
        }
        if (!text.isEmpty()) {
            return count(rest(output), "", toolCalls);
        }
        boolean streamed = toolCalls.get(0) instanceof List<?>;
        return count("", "", streamed ? toolCalls.subList(1, toolCalls.size()) : toolCalls);
    }

    private long count(String text, String thought, List<?> toolCalls) {
        if (thought.isEmpty() && toolCalls.isEmpty()) {
            return text.isEmpty() ? 0 : counter.count(text);
        }
        try {
            String framed = chat.answer(text, thought, toolCalls);
            if (framed != null) {
                return Math.max(0, counter.count(framed) - frame());
            }
        } catch (TemplateException e) {
            logOnce(e);
        }
        approximate = true;
        return counter.count(PlainChat.output(text, thought, toolCalls));
    }

    private long frame() {
        if (frame < 0) {
            String empty = chat.answer("", "", List.of());
            frame = empty == null ? 0 : counter.count(empty);
        }
        return frame;
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
