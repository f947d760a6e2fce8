package io.metricsaggregator.synthetic;

import java.util.Objects;

/**
 * What a synthetic server does with each request.
 *
 * @param model name that {@code /v1/models} lists; requests may name any other
 * @param firstTokenNanos time from a request to its first token, in nanoseconds
 * @param chunkIntervalNanos time between chunks, in nanoseconds
 * @param jitter standard deviation of each of these times as a share of it, 0 to 2; the times are log-normal. 0: always equal
 * @param tokens tokens of a response whose request sets no limit below it, 1 to {@value #TOKENS_MAX}
 * @param tokensPerChunk tokens in each streamed chunk, as speculative decoding sends them, 1 to 64
 * @param reasoningTokens tokens at the start of a chat response that are sent as {@code reasoning_content}, 0 for none
 * @param cachedShare share of the prompt's tokens that the usage reports as cached, 0 to 1; at 0 the usage has no such details
 * @param errorShare share of requests that are answered with status 500, 0 to 1
 * @param abortShare share of responses whose connection is closed half way, 0 to 1
 * @param earlyRole whether a streamed chat response sends the chunk with the role at once, instead of with the first token
 * @param requestsMax requests that are answered at the same time, 1 to 4096; further ones wait
 * @param serverTimes how the server reports where a request spent its time
 * @param seed of the random numbers: requests that arrive in the same order get the same answers
 * @param quirks in what it differs from a plain server
 */
public record ServerBehaviour(
        String model,
        long firstTokenNanos,
        long chunkIntervalNanos,
        double jitter,
        int tokens,
        int tokensPerChunk,
        int reasoningTokens,
        double cachedShare,
        double errorShare,
        double abortShare,
        boolean earlyRole,
        int requestsMax,
        ReportedTimes.Form serverTimes,
        long seed,
        ServerQuirks quirks) {

    /** Maximum number of tokens in a response, and the context length that {@code /v1/models} claims. */
    public static final int TOKENS_MAX = 131_072;

    private static final long DELAY_MAX_NANOS = 3_600_000_000_000L;

    /** Checks the ranges. */
    public ServerBehaviour {
        Objects.requireNonNull(model, "model");
        Objects.requireNonNull(quirks, "quirks");
        if (model.isBlank() || model.length() > 200) {
            throw new IllegalArgumentException("model name '" + model + "' is not 1 to 200 characters");
        }
        requireRange("time to first token in ns", firstTokenNanos, 0, DELAY_MAX_NANOS);
        requireRange("chunk interval in ns", chunkIntervalNanos, 0, DELAY_MAX_NANOS);
        requireRange("tokens", tokens, 1, TOKENS_MAX);
        requireRange("tokens per chunk", tokensPerChunk, 1, 64);
        requireRange("reasoning tokens", reasoningTokens, 0, TOKENS_MAX);
        requireRange("concurrent requests", requestsMax, 1, 4096);
        requireShare("jitter", jitter, 2);
        requireShare("share of cached tokens", cachedShare, 1);
        requireShare("share of errors", errorShare, 1);
        requireShare("share of aborted responses", abortShare, 1);
    }

    private static void requireRange(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + ": " + value + " is not between " + min + " and " + max);
        }
    }

    private static void requireShare(String name, double value, double max) {
        if (!(value >= 0 && value <= max)) {
            throw new IllegalArgumentException(name + ": " + value + " is not between 0 and " + (long) max);
        }
    }
}
