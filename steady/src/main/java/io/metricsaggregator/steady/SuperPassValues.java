package io.metricsaggregator.steady;

/** The kinds of values of a super-pass, in ns. */
enum SuperPassValues {
    TTFT,
    TTFT_WARM,
    TPOT,
    LATENCY;

    /** The ascending values of a block; not a copy. */
    double[] of(SuperPass block) {
        return switch (this) {
            case TTFT -> block.ttft();
            case TTFT_WARM -> block.ttftWarm();
            case TPOT -> block.tpot();
            case LATENCY -> block.latency();
        };
    }
}
