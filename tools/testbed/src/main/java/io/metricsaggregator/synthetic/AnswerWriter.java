package io.metricsaggregator.synthetic;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.http.HttpExchange;
import io.metricsaggregator.http.ResponseStream;
import io.metricsaggregator.synthetic.ServerStatistics.End;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends the answer to one request at its planned times, streamed or whole. Each interval counts from when the chunk before was sent, as an
 * engine computes one token after the other: a late chunk delays the following ones. Used by the thread that answers the request.
 */
final class AnswerWriter {
    private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END_OF_EVENT = "\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.US_ASCII);

    private final HttpExchange exchange;
    private final ServerBehaviour behaviour;
    private final CompletionRequest request;
    private final OpenAiMessages messages;
    private final PlannedAnswer answer;
    private final ServerStatistics statistics;
    private final ReportedTimes times;
    private final long arrivedNanos;
    private final long epochNanos;
    private final ChunkLog chunks = new ChunkLog();
    private long startedNanos;
    private long readyNanos;
    private long sentNanos;
    private int sent;
    private long firstSentNanos;
    private long endedNanos;
    private End end = End.ABORT;

    AnswerWriter(
            HttpExchange exchange,
            ServerBehaviour behaviour,
            OpenAiMessages messages,
            PlannedAnswer answer,
            ServerStatistics statistics,
            long arrivedNanos,
            long epochNanos) {
        this.exchange = exchange;
        this.behaviour = behaviour;
        this.request = messages.request();
        this.messages = messages;
        this.answer = answer;
        this.statistics = statistics;
        this.times = new ReportedTimes(behaviour.serverTimes());
        this.arrivedNanos = arrivedNanos;
        this.epochNanos = epochNanos;
    }

    /**
     * Sends the answer. Returns normally when it is complete, or was refused with status 500.
     *
     * @throws IOException if the client has gone, or the plan aborts the answer; the caller must close the connection
     */
    void send() throws IOException {
        startedNanos = System.nanoTime();
        times.queued(startedNanos - arrivedNanos);
        statistics.begun(request, startedNanos - arrivedNanos);
        if (behaviour.quirks().closing()) {
            exchange.set("Connection", "close");
        }
        try {
            if (answer.outcome() == PlannedAnswer.Outcome.REFUSED) {
                end = End.ERROR;
                awaitFirstToken();
                SyntheticServer.json(exchange, 500, OpenAiMessages.error(500, "synthetic error, set by --error-share"));
            } else {
                if (request.stream() && !behaviour.quirks().whole()) {
                    stream();
                } else {
                    whole();
                }
                end = answer.finishReason().equals("length") ? End.LENGTH : End.STOP;
            }
        } finally {
            endedNanos = endedNanos == 0 ? System.nanoTime() : endedNanos;
            statistics.ended(request, sent, endedNanos - arrivedNanos, end);
        }
    }

    /** What was done for the request, after its end. */
    Map<String, ?> done() {
        Map<String, Object> done = new LinkedHashMap<>();
        done.put("arrived_ns", arrivedNanos);
        done.put("ttft_ns", sent == 0 ? 0L : firstSentNanos - arrivedNanos);
        done.put("latency_ns", endedNanos - arrivedNanos);
        times.log(done);
        done.put("prompt_tokens", request.promptTokens());
        done.put("tokens", sent);
        boolean gone = end == End.ABORT && answer.outcome() != PlannedAnswer.Outcome.ABORTED;
        done.put("end", gone ? "gone" : end.name().toLowerCase(Locale.ROOT));
        done.put("chunks", chunks.toList());
        return done;
    }

    private void awaitFirstToken() throws IOException {
        await(startedNanos, startedNanos + answer.firstTokenNanos());
        firstTokenReady();
    }

    private void firstTokenReady() {
        readyNanos = System.nanoTime();
        times.firstToken(readyNanos - startedNanos);
    }

    private void awaitNextChunk() throws IOException {
        await(sentNanos, sentNanos + answer.chunkIntervalNanos());
    }

    /** Waits for the next chunk with text, and sends those without text that come before it. */
    private void awaitChunk(ResponseStream out) throws IOException {
        long begun = sent == 0 ? startedNanos : sentNanos;
        long interval = sent == 0 ? answer.firstTokenNanos() : answer.chunkIntervalNanos();
        int empty = behaviour.quirks().emptyChunks();
        for (int i = 1; i <= empty; i++) {
            await(begun, begun + interval * i / (empty + 1));
            write(out, messages.text("", false, null), sent);
            chunks.add(System.nanoTime() - arrivedNanos, 0, ChunkLog.Kind.EMPTY);
        }
        await(begun, begun + interval);
    }

    private void await(long begunNanos, long plannedNanos) throws IOException {
        await(epochNanos + behaviour.quirks().frozenUntil(begunNanos - epochNanos, plannedNanos - epochNanos));
    }

    private void await(long dueNanos) throws IOException {
        for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            if (Thread.currentThread().isInterrupted()) {
                throw new IOException("the server is being closed");
            }
        }
    }

    private void stream() throws IOException {
        exchange.set("Cache-Control", "no-cache");
        if (times.isHeader()) {
            // Real servers know no more when they send the header; this one waits, so that the header has the first
            // token.
            awaitFirstToken();
            exchange.set("Server-Timing", times.header());
        }
        // Ended only if the answer is complete: that writes the end of the chunked encoding.
        ResponseStream out = exchange.stream("text/event-stream; charset=utf-8", true);
        if (request.chat() && behaviour.earlyRole()) {
            role(out);
        }
        if (!times.isHeader()) {
            awaitChunk(out);
            firstTokenReady();
        }
        if (request.chat() && !behaviour.earlyRole()) {
            role(out);
        }
        int reasoning = answer.reasoningTokens(request.chat());
        int abortAfter = answer.outcome() == PlannedAnswer.Outcome.ABORTED ? answer.tokens() / 2 : Integer.MAX_VALUE;
        String finish = answer.finishReason();
        while (sent < answer.tokens()) {
            if (sent > 0) {
                awaitChunk(out);
            }
            if (sent >= abortAfter) {
                throw new IOException("response aborted by the plan");
            }
            boolean isReasoning = sent < reasoning;
            int count = Math.min(behaviour.tokensPerChunk(), (isReasoning ? reasoning : answer.tokens()) - sent);
            boolean last = sent + count == answer.tokens();
            String reason = last && finish.equals("length") ? finish : null;
            Map<String, Object> piece = piece(count, isReasoning, sent == reasoning, last, reason);
            boolean ends = reason != null && !request.includeUsage();
            byte[] event = event(ends ? decoded(piece, false) : piece, sent + count);
            if (sent == 0) {
                countChunk(count, writeOut(out, event));
            } else {
                send(out, event);
                countChunk(count, System.nanoTime());
            }
            chunks.add(sentNanos - arrivedNanos, count, isReasoning ? ChunkLog.Kind.REASONING : ChunkLog.Kind.CONTENT);
        }
        if (!finish.equals("length")) {
            Map<String, Object> text = messages.text("", false, finish);
            write(out, request.includeUsage() ? text : decoded(text, false), sent);
        }
        if (request.includeUsage() && behaviour.quirks().usage() != ServerQuirks.Usage.ABSENT) {
            write(out, decoded(messages.usageChunk(usage(sent, reasoning)), true), 0);
        }
        endedNanos = writeOut(out, DONE);
        out.end();
    }

    private void role(ResponseStream out) throws IOException {
        write(out, messages.role(), 0);
        chunks.add(System.nanoTime() - arrivedNanos, 0, ChunkLog.Kind.ROLE);
    }

    private Map<String, @Nullable Object> usage(int tokens, int reasoning) {
        return messages.usage(
                behaviour.quirks().usage() == ServerQuirks.Usage.DOUBLED ? 2 * tokens : tokens, reasoning);
    }

    /** Adds the times to the last message, now that the last token is computed. */
    private Map<String, Object> decoded(Map<String, Object> message, boolean hasUsage) {
        times.decoded(System.nanoTime() - readyNanos);
        return times.in(message, hasUsage);
    }

    private Map<String, Object> piece(
            int count, boolean isReasoning, boolean first, boolean last, @Nullable String finishReason) {
        StringBuilder words = new StringBuilder();
        if (isReasoning) {
            answer.appendWords(words, count);
        } else {
            answer.append(words, count, first, last);
        }
        return isReasoning || request.tool() == null
                ? messages.text(words.toString(), isReasoning, finishReason)
                : messages.call(words.toString(), first, finishReason);
    }

    private void countChunk(int tokens, long now) {
        if (sent == 0) {
            firstSentNanos = now;
            statistics.firstChunk(request, now - arrivedNanos, tokens);
        } else {
            statistics.chunk(now - sentNanos, tokens);
        }
        sentNanos = now;
        sent += tokens;
    }

    private void write(ResponseStream out, Map<String, Object> chunk, int tokensSoFar) throws IOException {
        send(out, event(chunk, tokensSoFar));
    }

    private byte[] event(Map<String, Object> chunk, int tokensSoFar) {
        Map<String, Object> message = chunk;
        if (request.usageInEveryChunk()
                && !chunk.containsKey("usage")
                && behaviour.quirks().usage() != ServerQuirks.Usage.ABSENT) {
            message = new LinkedHashMap<>(chunk);
            message.put("usage", usage(tokensSoFar, Math.min(tokensSoFar, reasoningTokens())));
        }
        ByteArrayOutputStream event = new ByteArrayOutputStream(512);
        event.writeBytes(DATA);
        event.writeBytes(JsonTree.writeLine(message));
        event.writeBytes(END_OF_EVENT);
        return event.toByteArray();
    }

    private static void send(ResponseStream out, byte[] piece) throws IOException {
        try {
            out.write(piece);
        } catch (InterruptedException e) {
            throw new IOException("the server is being closed", e);
        }
    }

    /** Sends a piece and returns when it was with the operating system. */
    private static long writeOut(ResponseStream out, byte[] piece) throws IOException {
        try {
            return out.writeOut(piece);
        } catch (InterruptedException e) {
            throw new IOException("the server is being closed", e);
        }
    }

    private int reasoningTokens() {
        return answer.reasoningTokens(request.chat());
    }

    private void whole() throws IOException {
        awaitFirstToken();
        int reasoning = reasoningTokens();
        StringBuilder thoughts = new StringBuilder();
        answer.appendWords(thoughts, reasoning);
        StringBuilder words = new StringBuilder();
        answer.append(words, answer.tokens() - reasoning, true, true);
        int first = Math.min(behaviour.tokensPerChunk(), answer.tokens());
        countChunk(first, System.nanoTime());
        while (sent < answer.tokens()) {
            awaitNextChunk();
            countChunk(Math.min(behaviour.tokensPerChunk(), answer.tokens() - sent), System.nanoTime());
        }
        if (answer.outcome() == PlannedAnswer.Outcome.ABORTED) {
            throw new IOException("response aborted by the plan");
        }
        Map<String, Object> body =
                messages.whole(thoughts.toString(), words.toString(), answer.finishReason(), usage(sent, reasoning));
        if (behaviour.quirks().usage() == ServerQuirks.Usage.ABSENT) {
            body.remove("usage");
        }
        body = decoded(body, true);
        if (times.isHeader()) {
            exchange.set("Server-Timing", times.header());
        }
        SyntheticServer.json(exchange, 200, body);
        chunks.add(System.nanoTime() - arrivedNanos, sent, ChunkLog.Kind.CONTENT);
    }
}
