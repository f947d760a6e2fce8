package io.metricsaggregator.tokens;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.template.RenderLimits;
import io.metricsaggregator.template.TemplateException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the items of a batch. One for each worker. */
final class TextCount {
    /** Sees how a worker gets on with a batch. Called by that worker. */
    interface Progress {
        /** Work on an item begins. */
        void begins(int item);

        /** Work on it goes on. */
        void goesOn();

        /** Whether somebody else has taken the batch over, so that work on it is of no use. */
        boolean isGivenUp();

        /** Nobody looks. */
        Progress UNSEEN = new Progress() {
            @Override
            public void begins(int item) {}

            @Override
            public void goesOn() {}

            @Override
            public boolean isGivenUp() {
                return false;
            }
        };
    }

    private final ChatFormat chat;
    private final TextMemory memory;
    private final TemplateTrouble trouble;
    private final Progress progress;
    private final TextPieces pieces;
    private final RenderLimits limits;
    private final MsgpackTree msgpack = new MsgpackTree();
    /** Tokens of the frame around an answer; negative until it is known. */
    private long frame = -1;
    /** Whether the item being counted had to do without a template, or was cut within a word. */
    private boolean approximate;

    TextCount(TokenCounter counter, ChatFormat chat, TextMemory memory, TemplateTrouble trouble, Progress progress) {
        this.chat = chat;
        this.memory = memory;
        this.trouble = trouble;
        this.progress = progress;
        this.pieces = new TextPieces(counter, progress::goesOn);
        this.limits = memory.limits(progress::goesOn);
    }

    /**
     * Counts every item that is not settled yet; one that fails fails alone, even for want of memory.
     *
     * @return the first failure; null if there was none
     */
    @Nullable
    Throwable count(TextBatch batch) {
        Throwable first = null;
        int item = 0;
        batch.rewind();
        while (batch.next() && !progress.isGivenUp()) {
            if (item >= batch.settled()) {
                progress.begins(item);
                Throwable failure = countItem(batch);
                first = first == null ? failure : first;
            }
            item++;
        }
        return first;
    }

    private @Nullable Throwable countItem(TextBatch batch) {
        try {
            if (memory.isLarge(batch.data().remaining())) {
                memory.becomeLarge(progress::goesOn);
            }
            approximate = false;
            List<?> data = (List<?>) msgpack.read(batch.data());
            if (data == null) {
                batch.counted(TextBatch.Outcome.EMPTY, 0, 0);
            } else if (batch.isPrompt()) {
                countPrompt(data, batch);
            } else {
                countOutput(data, batch);
            }
            return null;
        } catch (MalformedMessageException
                | RuntimeException
                | LinkageError
                | StackOverflowError
                | OutOfMemoryError e) {
            return e;
        } finally {
            memory.release(Thread.currentThread());
        }
    }

    private static @Nullable Object element(List<?> data, int index) {
        return index < data.size() ? data.get(index) : null;
    }

    /** {@code [tag, text, token_ids, messages, tools, …]}: the text, or else the messages. */
    private void countPrompt(List<?> data, TextBatch batch) {
        String text = (String) element(data, 1);
        Object messages = element(data, 3);
        if (text != null && !text.isEmpty()) {
            long tokens = plain(text);
            batch.counted(outcome(), tokens, 0);
        } else if (messages != null) {
            long tokens = plain(prompt(data, (List<?>) messages));
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
        // With reasoning or tool calls everything goes through the template, as in the reference, be it text alone.
        boolean framed = isThere(reasoning) || !toolCalls.isEmpty();
        if (!framed && text.isEmpty()) {
            batch.counted(TextBatch.Outcome.EMPTY, 0, 0);
            return;
        }
        long tokens = framed ? framed(text, join(reasoning), toolCalls) : plain(text);
        long rest = 0;
        if (batch.hasFirstChunk()) {
            rest = framed ? afterFirst(output, reasoning, text, toolCalls) : plain(rest(output));
        }
        batch.counted(outcome(), tokens, rest);
    }

    private TextBatch.Outcome outcome() {
        return approximate ? TextBatch.Outcome.APPROXIMATE : TextBatch.Outcome.COUNTED;
    }

    private String prompt(List<?> data, List<?> messages) {
        Object tools = element(data, 4);
        try {
            String text =
                    chat.prompt(messages, tools, element(data, 5), (String) element(data, 6), element(data, 7), limits);
            if (text != null) {
                return text;
            }
            trouble.missing(chat);
        } catch (TemplateException e) {
            trouble.failed(element(data, 6) == null ? chat.source() : "of the request", e);
        }
        approximate = true;
        return PlainChat.prompt(messages, tools);
    }

    /**
     * Tokens of an output with reasoning or tool calls after its first chunk. The first chunk is the reasoning's if there is any,
     * then the output's, then that of the tool calls. What came in one piece is one chunk, but tool calls that did count whole.
     */
    private long afterFirst(@Nullable Object output, @Nullable Object reasoning, String text, List<?> toolCalls) {
        if (isThere(reasoning)) {
            boolean chunks = reasoning instanceof List<?> || output instanceof List<?>;
            return framed(chunks ? text : "", rest(reasoning), toolCalls);
        }
        if (!text.isEmpty()) {
            return framed(rest(output), "", toolCalls);
        }
        boolean streamed = toolCalls.get(0) instanceof List<?>;
        return framed("", "", streamed ? toolCalls.subList(1, toolCalls.size()) : toolCalls);
    }

    private long plain(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        long tokens = pieces.count(text);
        if (!pieces.isExact()) {
            approximate = true;
            trouble.cut(text.length());
        }
        return tokens;
    }

    /** Tokens of an output in the model's chat template, less those of the frame. */
    private long framed(String text, String thought, List<?> toolCalls) {
        if (text.isEmpty() && thought.isEmpty() && toolCalls.isEmpty()) {
            return 0;
        }
        try {
            String framed = chat.answer(text, thought, toolCalls, limits);
            if (framed != null) {
                return Math.max(0, plain(framed) - frame());
            }
            trouble.missing(chat);
        } catch (TemplateException e) {
            trouble.failed(chat.source(), e);
        }
        approximate = true;
        return plain(PlainChat.output(text, thought, toolCalls));
    }

    /** Tokens of the frame; 0 where the template refuses an empty answer, as in the reference. */
    private long frame() {
        if (frame < 0) {
            try {
                String empty = chat.frame(limits);
                frame = empty == null ? 0 : plain(empty);
            } catch (TemplateException e) {
                trouble.failed(chat.source(), e);
                frame = 0;
            }
        }
        return frame;
    }

    /** Whether there is a text or a chunk, be it an empty one. */
    private static boolean isThere(@Nullable Object text) {
        return text instanceof List<?> chunks ? !chunks.isEmpty() : text != null && !((String) text).isEmpty();
    }

    private static String join(@Nullable Object text) {
        if (text instanceof List<?> chunks) {
            StringBuilder joined = new StringBuilder();
            chunks.forEach(joined::append);
            return joined.toString();
        }
        return text == null ? "" : (String) text;
    }

    /** The chunks after the first; nothing for a text in one piece. */
    private static String rest(@Nullable Object text) {
        return text instanceof List<?> chunks && !chunks.isEmpty() ? join(chunks.subList(1, chunks.size())) : "";
    }
}
