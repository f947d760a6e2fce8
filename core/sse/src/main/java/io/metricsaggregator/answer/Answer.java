package io.metricsaggregator.answer;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.server.ServerTimes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server answers to one request, with its texts: an {@link AnswerReader} that keeps them. Its memory grows with the answer; a reader
 * of endless streams uses the former alone. Mutable while messages are added; one owner.
 */
public final class Answer {
    private final List<String> contents = new ArrayList<>();
    private final List<String> reasonings = new ArrayList<>();
    private @Nullable List<@Nullable Object> toolCalls;

    private final AnswerReader reader = new AnswerReader(new AnswerReader.Texts() {
        @Override
        public void output(String piece) {
            contents.add(piece);
        }

        @Override
        public void reasoning(String piece) {
            reasonings.add(piece);
        }

        @Override
        public void toolCalls(List<?> calls) {
            if (toolCalls == null) {
                toolCalls = new ArrayList<>();
            }
            toolCalls.addAll(calls);
        }
    });

    /** Reads a whole body: server-sent events, or one JSON object. Another text has no messages. */
    public static Answer of(@Nullable String body) {
        Answer answer = new Answer();
        if (body == null) {
            return answer;
        }
        if (AnswerReader.isJson(body)) {
            answer.message(body);
        } else {
            EventStream events = new EventStream((event, feed) -> answer.event(event), AnswerReader.MESSAGE_BYTES_MAX);
            events.feed(body);
            events.end();
            answer.addUnreadable(events.skipped());
        }
        return answer;
    }

    /** Adds an event as {@link AnswerReader#event} does. */
    public @Nullable ChunkPart event(ServerSentEvent event) {
        return reader.event(event);
    }

    /** Adds a message as {@link AnswerReader#message(String)} does. */
    public @Nullable ChunkPart message(String json) {
        return reader.message(json);
    }

    /**
     * The answer; null if there was no content.
     *
     * @param chunks number of chunks whose times are known: the text is kept in pieces if there are as many
     */
    public @Nullable TextModelOutput output(int chunks) {
        if (contents.isEmpty() && reasonings.isEmpty() && toolCalls == null) {
            return null;
        }
        return new TextModelOutput(
                pieces(contents, chunks), reasonings.isEmpty() ? null : pieces(reasonings, chunks), toolCalls);
    }

    private static ModelText pieces(List<String> texts, int chunks) {
        return texts.size() > 1 && texts.size() <= chunks
                ? new ModelText.Chunks(texts)
                : new ModelText.Whole(String.join("", texts));
    }

    /** What {@link AnswerReader#finishReason()} says. */
    public @Nullable String finishReason() {
        return reader.finishReason();
    }

    /** What {@link AnswerReader#usage()} says. */
    public AnswerUsage usage() {
        return reader.usage();
    }

    /** The times in the server that the answer says; null if it says none. */
    public @Nullable ServerTimes server() {
        return reader.server().times();
    }

    /** What {@link AnswerReader#error()} says. */
    public @Nullable ErrorData error() {
        return reader.error();
    }

    /** Counts further messages as {@link AnswerReader#addUnreadable} does. */
    public void addUnreadable(long messages) {
        reader.addUnreadable(messages);
    }

    /** What {@link AnswerReader#unreadable()} says. */
    public long unreadable() {
        return reader.unreadable();
    }
}
