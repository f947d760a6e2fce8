package io.metricsaggregator.steady;

/** The kinds of values of a super-pass, in ns, and the lengths of their outputs. */
enum SuperPassValues {
    TTFT,
    TTFT_WARM,
    TPOT,
    LATENCY,
    LENGTHS;

    /** The ascending values of a block; not a copy. */
    double[] of(SuperPass block) {
        return switch (this) {
            case TTFT -> block.ttft();
            case TTFT_WARM -> block.ttftWarm();
            case TPOT -> block.tpot();
            case LATENCY -> block.latency();
            case LENGTHS -> block.lengths();
        };
    }
}
