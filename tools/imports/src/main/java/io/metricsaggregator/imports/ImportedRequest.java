package io.metricsaggregator.imports;

import io.metricsaggregator.answer.Answer;
import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.server.ServerTimes;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request of a file: its times in nanoseconds on one clock, how it ended, and what else the file has of it. A format builds it with
 * {@link #issuedAt} and the setters, then hands it to {@link ImportSink#request}, which owns it from then on. Not thread-safe.
 */
public final class ImportedRequest {
    /** How a request ended. */
    public enum Outcome {
        /** It completed. */
        SUCCEEDED,
        /** It failed, at a known or unknown time. */
        FAILED,
        /** The tool cancelled it, usually because the run ended: it has no end. */
        OPEN
    }

    private static final long[] NO_CHUNKS = {};

    private final long issuedNanos;
    private final boolean startsItsClock;
    private boolean startUnknown;
    private Outcome outcome = Outcome.OPEN;
    private @Nullable Long endNanos;
    private @Nullable Long streamEndNanos;
    private @Nullable ErrorData error;
    private @Nullable String id;
    private @Nullable String sourceId;
    private String conversationId = "";
    private @Nullable Long turn;
    private @Nullable Long scheduledNanos;
    private long[] chunkNanos = NO_CHUNKS;
    private List<ChunkPart> chunkParts = List.of();
    private long unreadableMessages;
    private boolean warmup;
    private @Nullable PromptData prompt;
    private @Nullable TextModelOutput output;
    private @Nullable String finishReason;
    private @Nullable ImportedUsage usage;
    private @Nullable ServerTimes server;

    private ImportedRequest(long issuedNanos, boolean startsItsClock) {
        this.issuedNanos = issuedNanos;
        this.startsItsClock = startsItsClock;
    }

    /**
     * Starts a request, without an end.
     *
     * @param nanos issue time; 0 if it is unknown
     */
    public static ImportedRequest issuedAt(long nanos) {
        return new ImportedRequest(nanos, false);
    }

    /**
     * Starts a request on a clock that starts with the run or the request, so that 0 is a time like any other.
     *
     * @param nanos issue time; 0 in a file of kind {@link SourceKind#DURATIONS}
     */
    public static ImportedRequest issuedAfter(long nanos) {
        return new ImportedRequest(nanos, true);
    }

    /**
     * Ends the request successfully.
     *
     * @param nanos the time at which the tool's own latency ends
     */
    public ImportedRequest succeededAt(long nanos) {
        outcome = Outcome.SUCCEEDED;
        endNanos = nanos;
        return this;
    }

    /**
     * Ends the request with an error.
     *
     * @param nanos null if the file does not say when
     * @param type class of the error; empty if unknown
     */
    public ImportedRequest failedAt(@Nullable Long nanos, String type, String message) {
        outcome = Outcome.FAILED;
        endNanos = nanos;
        error = new ErrorData(type, message);
        return this;
    }

    /** Takes back the end of a failed request: it failed at an unknown time. */
    public void endUnknown() {
        endNanos = null;
        streamEndNanos = null;
    }

    /** Takes back the issue time of a failed request, and with it all others. */
    public void startUnknown() {
        startUnknown = true;
        scheduledNanos = null;
        chunkNanos = NO_CHUNKS;
        endUnknown();
    }

    /** Sets the end of the response stream where the tool's latency ends earlier; {@code --end stream} takes it. */
    public ImportedRequest streamEndedAt(@Nullable Long nanos) {
        streamEndNanos = nanos;
        return this;
    }

    /** Sets the id that the tool gave the request; null or a repeated one is replaced by {@code FORMAT-NUMBER}. */
    public ImportedRequest id(@Nullable String toolId) {
        id = toolId;
        return this;
    }

    /** Sets the worker of the tool that sent the request. */
    public ImportedRequest source(@Nullable String worker) {
        sourceId = worker;
        return this;
    }

    /** Sets the conversation and the place in it; null for none. */
    public ImportedRequest conversation(@Nullable String conversation, @Nullable Long place) {
        conversationId = conversation == null ? "" : conversation;
        turn = place;
        return this;
    }

    /** Sets the time at which the request was due. */
    public ImportedRequest scheduledAt(@Nullable Long nanos) {
        scheduledNanos = nanos;
        return this;
    }

    /** Sets the time of the first chunk with content, the only one known; null for none. */
    public ImportedRequest firstChunkAt(@Nullable Long nanos) {
        chunkNanos = nanos == null ? NO_CHUNKS : new long[] {nanos};
        return this;
    }

    /** Sets the times of all chunks with content, in order; copied. */
    public ImportedRequest chunksAt(long... nanos) {
        chunkNanos = nanos.clone();
        return this;
    }

    /** Sets the times of the first {@code count} elements of {@code nanos} as all chunks with content; copied. */
    public ImportedRequest chunksAt(long[] nanos, int count) {
        chunkNanos = Arrays.copyOf(nanos, count);
        return this;
    }

    /** Sets which part of the answer each chunk belongs to, in the order of the chunks; copied. */
    public ImportedRequest partsOfChunks(List<ChunkPart> parts) {
        chunkParts = List.copyOf(parts);
        return this;
    }

    /** Sets what the answer's body says of the request: output, finish reason, the server's token counts; not its outcome. */
    public ImportedRequest answered(Answer answer) {
        finishReason = answer.finishReason();
        unreadableMessages = answer.unreadable();
        server = answer.server();
        return usage(ImportedUsage.of(answer.usage())).output(answer.output(chunkNanos.length));
    }

    /** Sets whether the tool leaves the request out of its figures as warm-up. */
    public ImportedRequest warmup(boolean isWarmup) {
        warmup = isWarmup;
        return this;
    }

    /** Sets the prompt; null for none. Left out with {@code --text drop}. */
    public ImportedRequest prompt(@Nullable PromptData data) {
        prompt = data;
        return this;
    }

    /** Sets the answer; null for none. Left out with {@code --text drop}. */
    public ImportedRequest output(@Nullable TextModelOutput data) {
        output = data;
        return this;
    }

    /** Sets the token counts; null for none. */
    public ImportedRequest usage(@Nullable ImportedUsage counts) {
        usage = counts == null || counts.isEmpty() ? null : counts;
        return this;
    }

    /** Sets the times in the server; null for none. */
    public ImportedRequest server(@Nullable ServerTimes times) {
        server = times;
        return this;
    }

    /** Issue time; of no meaning if {@link #isStartUnknown}. */
    public long issuedNanos() {
        return issuedNanos;
    }

    /** Whether 0 is a time like any other. */
    public boolean startsItsClock() {
        return startsItsClock;
    }

    /** Whether the file does not say when the request was issued. */
    public boolean isStartUnknown() {
        return startUnknown;
    }

    /** How the request ended. */
    public Outcome outcome() {
        return outcome;
    }

    /** The end of the tool's latency; null if there is none or it is unknown. */
    public @Nullable Long endNanos() {
        return endNanos;
    }

    /** The end of the response stream; null if unknown. */
    public @Nullable Long streamEndNanos() {
        return streamEndNanos;
    }

    /** The error of a failed request, else null. */
    public @Nullable ErrorData error() {
        return error;
    }

    /** The tool's id; null if it gave none. */
    public @Nullable String id() {
        return id;
    }

    /** The tool's worker; null if unknown. */
    public @Nullable String sourceId() {
        return sourceId;
    }

    /** The conversation; empty for none. */
    public String conversationId() {
        return conversationId;
    }

    /** The place in the conversation; null for none. */
    public @Nullable Long turn() {
        return turn;
    }

    /** Due time; null if unknown. */
    public @Nullable Long scheduledNanos() {
        return scheduledNanos;
    }

    /** Number of chunks with content whose time is known. */
    public int chunks() {
        return chunkNanos.length;
    }

    /** Time of chunk {@code index}, from 0. */
    public long chunkNanos(int index) {
        return chunkNanos[index];
    }

    /** Which part of the answer chunk {@code index} belongs to; null if unknown. */
    public @Nullable ChunkPart chunkPart(int index) {
        return index < chunkParts.size() ? chunkParts.get(index) : null;
    }

    /** Number of messages of the answer that could not be read. */
    public long unreadableMessages() {
        return unreadableMessages;
    }

    /** Whether the tool leaves the request out of its figures as warm-up. */
    public boolean isWarmup() {
        return warmup;
    }

    /** The prompt; null if unknown. */
    public @Nullable PromptData prompt() {
        return prompt;
    }

    /** The answer; null if unknown. */
    public @Nullable TextModelOutput output() {
        return output;
    }

    /** Why the output ended; null if unknown. */
    public @Nullable String finishReason() {
        return finishReason;
    }

    /** The times in the server; null if unknown. */
    public @Nullable ServerTimes server() {
        return server;
    }

    /** The token counts; null if unknown. */
    public @Nullable ImportedUsage usage() {
        return usage;
    }
}
