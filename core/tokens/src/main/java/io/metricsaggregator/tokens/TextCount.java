package io.metricsaggregator.tokens;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.template.RenderLimits;
import io.metricsaggregator.template.TemplateException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the items of a batch. One instance per worker; not thread-safe. */
final class TextCount {
    /** Receives the progress of a worker on a batch, on the worker's thread. */
    interface Progress {
        /** Called before work on an item, by its index from 0. */
        void itemStarted(int item);

        /** Called periodically while an item is counted, as a heartbeat. */
        void progressed();

        /** Returns whether another worker has taken over the batch, so that further work is pointless. */
        boolean isAbandoned();

        /** Ignores all progress; never abandoned. */
        Progress IGNORED = new Progress() {
            @Override
            public void itemStarted(int item) {}

            @Override
            public void progressed() {}

            @Override
            public boolean isAbandoned() {
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
    /** Tokens of the template around an empty answer; negative until it is computed. */
    private long frame = -1;
    /** Whether the current item was counted without its template or cut within a word. */
    private boolean approximate;

    TextCount(TokenCounter counter, ChatFormat chat, TextMemory memory, TemplateTrouble trouble, Progress progress) {
        this.chat = chat;
        this.memory = memory;
        this.trouble = trouble;
        this.progress = progress;
        this.pieces = new TextPieces(counter, progress::progressed);
        this.limits = memory.limits(progress::progressed);
    }

    /**
     * Counts every unsettled item. A failure, even an {@code OutOfMemoryError}, costs only its own item.
     *
     * @return the first failure; null if every item was counted
     */
    @Nullable
    Throwable count(TextBatch batch) {
        Throwable first = null;
        int item = 0;
        batch.rewind();
        while (batch.next() && !progress.isAbandoned()) {
            if (item >= batch.settled()) {
                progress.itemStarted(item);
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
                memory.becomeLarge(progress::progressed);
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

    /** Counts a {@code [tag, text, token_ids, messages, tools, …]}: its text, or else its messages. */
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

    /** Counts a {@code [tag, output, reasoning, tool_calls]}. */
    private void countOutput(List<?> data, TextBatch batch) {
        Object output = element(data, 1);
        Object reasoning = element(data, 2);
        List<?> toolCalls = element(data, 3) instanceof List<?> calls ? calls : List.of();
        String text = join(output);
        // As in the reference, an output with reasoning or tool calls is rendered by the template, even where it is
        // only text.
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
        if (batch.countsParts()) {
            long answer = toolCalls.isEmpty() ? plain(text) : plain(PlainChat.output(text, "", toolCalls));
            batch.parts(plain(join(reasoning)), answer);
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
     * Counts the tokens after the first chunk of an output with reasoning or tool calls. The first chunk is that of the reasoning if
     * there is any, then of the output, then of the tool calls. A text in one piece is a single chunk, but whole tool calls always count.
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

    /** Counts the tokens of an output in the model's chat template, minus those of the template itself. */
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

    /** Returns the tokens of the template itself; 0 where it rejects an empty answer, as in the reference. */
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

    /** Returns whether a text or a chunk is present, even an empty one. */
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

    /** Joins the chunks after the first; returns an empty string for a text in one piece. */
    private static String rest(@Nullable Object text) {
        return text instanceof List<?> chunks && !chunks.isEmpty() ? join(chunks.subList(1, chunks.size())) : "";
    }
}
