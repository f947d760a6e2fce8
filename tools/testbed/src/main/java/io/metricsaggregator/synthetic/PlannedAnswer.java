package io.metricsaggregator.synthetic;

import java.util.SplittableRandom;

/**
 * The answer to one request, decided when it arrives: whether it fails, how many tokens it has, and, drawn one after another, its words and
 * the times between its chunks. Used by the thread that answers the request.
 */
final class PlannedAnswer {
    private static final String[] STARTS = {
        "b", "br", "d", "f", "fl", "g", "gr", "k", "kl", "l", "m", "n", "p", "pr", "r", "s", "st", "t", "tr", "v"
    };
    private static final String[] VOWELS = {"a", "e", "i", "o", "u", "ai", "ou"};
    private static final String[] ENDS = {"", "", "l", "m", "n", "r", "s", "t"};
    private static final long STEP = 0x9E3779B97F4A7C15L;

    private final ServerBehaviour behaviour;
    private final SplittableRandom random;
    private final double logMean;
    private final double logDeviation;
    private final Outcome outcome;
    private final int tokens;
    private final boolean cut;
    private final boolean call;

    /** How the server ends the request. */
    enum Outcome {
        ANSWERED,
        REFUSED,
        ABORTED
    }

    /**
     * Decides the answer.
     *
     * @param number of the request in the order of arrival, which selects its random numbers
     */
    PlannedAnswer(ServerBehaviour behaviour, CompletionRequest request, long number) {
        this.behaviour = behaviour;
        this.random = new SplittableRandom(behaviour.seed() + number * STEP);
        double variance = Math.log1p(behaviour.jitter() * behaviour.jitter());
        this.logDeviation = Math.sqrt(variance);
        this.logMean = -variance / 2;
        if (random.nextDouble() < behaviour.errorShare()) {
            this.outcome = Outcome.REFUSED;
        } else {
            this.outcome = random.nextDouble() < behaviour.abortShare() ? Outcome.ABORTED : Outcome.ANSWERED;
        }
        this.call = request.tool() != null;
        int wanted = Math.max(behaviour.tokens(), request.tokensMin());
        Integer limit = request.tokensMax();
        if (limit == null) {
            this.tokens = wanted;
            this.cut = false;
        } else {
            this.tokens = request.ignoreEnd() ? limit : Math.min(wanted, limit);
            this.cut = request.ignoreEnd() || wanted > limit;
        }
    }

    Outcome outcome() {
        return outcome;
    }

    /** Number of tokens of the answer, at least 1. */
    int tokens() {
        return tokens;
    }

    /** Why the answer ends: {@code length} if the request's limit cuts it, else {@code tool_calls} or {@code stop}. */
    String finishReason() {
        return cut ? "length" : call ? "tool_calls" : "stop";
    }

    /** Number of leading tokens that are reasoning: all but the last one at most. */
    int reasoningTokens(boolean chat) {
        return chat ? Math.min(behaviour.reasoningTokens(), tokens - 1) : 0;
    }

    /** The next time from a request to its first token, in nanoseconds. */
    long firstTokenNanos() {
        return jittered(behaviour.firstTokenNanos());
    }

    /** The next time between two chunks, in nanoseconds. */
    long chunkIntervalNanos() {
        return jittered(behaviour.chunkIntervalNanos());
    }

    private long jittered(long nanos) {
        return behaviour.jitter() == 0
                ? nanos
                : Math.round(nanos * Math.exp(logMean + logDeviation * random.nextGaussian()));
    }

    /**
     * Appends a part of the answer: its text, or the JSON of the call's arguments, which is cut where the answer is.
     *
     * @param first whether the part begins the answer or arguments
     * @param last whether the part ends them
     */
    void append(StringBuilder text, int count, boolean first, boolean last) {
        if (call && first) {
            text.append("{\"query\":\"");
        }
        appendWords(text, count);
        if (call && last && !cut) {
            text.append("\"}");
        }
    }

    /** Appends made-up words, one per token, each with a space before it. */
    void appendWords(StringBuilder text, int count) {
        for (int i = 0; i < count; i++) {
            text.append(' ').append(pick(STARTS)).append(pick(VOWELS)).append(pick(ENDS));
        }
    }

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }
}
