package io.metricsaggregator.proxy;

import org.jspecify.annotations.Nullable;

/** A request that was relayed and its answer. Written by the thread of the request and read by that of the answer, or vice versa, where volatile. */
final class Exchange {
    private final String method;
    private final @Nullable Sample sample;
    private final boolean upgrade;
    private volatile boolean answerBegun;
    private volatile boolean upgradeDecided;

    /**
     * Creates an exchange whose head was read.
     *
     * @param sample null if the request is not measured
     * @param upgrade whether the connection may change its protocol after it
     */
    Exchange(String method, @Nullable Sample sample, boolean upgrade) {
        this.method = method;
        this.sample = sample;
        this.upgrade = upgrade;
        this.upgradeDecided = !upgrade;
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    @Nullable
    Sample sample() {
        return sample;
    }

    boolean isUpgrade() {
        return upgrade;
    }

    /** Whether the answer's head has come, so that the protocol of the bytes behind the request is known. */
    boolean isUpgradeDecided() {
        return upgradeDecided;
    }

    void decideUpgrade() {
        upgradeDecided = true;
    }

    /** Whether bytes of the answer may have been sent to the client. */
    boolean hasAnswerBegun() {
        return answerBegun;
    }

    void beginAnswer() {
        answerBegun = true;
    }
}
