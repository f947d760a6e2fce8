package io.metricsaggregator.synthetic;

/** Behaviours of servers for tests: fast ones by default, 20 ms to the first of 5 tokens, which are 2 ms apart. */
final class BehaviourBuilder {
    long firstTokenNanos = 20_000_000;
    long chunkIntervalNanos = 2_000_000;
    double jitter;
    int tokens = 5;
    int tokensPerChunk = 1;
    int reasoningTokens;
    double cachedShare;
    double errorShare;
    double abortShare;
    boolean earlyRole;
    int requestsMax = 16;
    long seed = 42;
    ServerQuirks quirks = ServerQuirks.NONE;

    ReportedTimes.Form serverTimes = ReportedTimes.Form.NONE;

    ServerBehaviour build() {
        return new ServerBehaviour(
                "test-model",
                firstTokenNanos,
                chunkIntervalNanos,
                jitter,
                tokens,
                tokensPerChunk,
                reasoningTokens,
                cachedShare,
                errorShare,
                abortShare,
                earlyRole,
                requestsMax,
                serverTimes,
                seed,
                quirks);
    }
}
