package io.metricsaggregator.steady;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The percentiles that are followed from super-pass to super-pass, in the order of {@code steady_state.json}. */
enum SuperPassMetric {
    TTFT_P50(SuperPassValues.TTFT, 0.5),
    TTFT_P90(SuperPassValues.TTFT, 0.9),
    TPOT_P50(SuperPassValues.TPOT, 0.5),
    TPOT_P90(SuperPassValues.TPOT, 0.9),
    TTFT_P99(SuperPassValues.TTFT, 0.99),
    TPOT_P99(SuperPassValues.TPOT, 0.99),
    LATENCY_P50(SuperPassValues.LATENCY, 0.5),
    LATENCY_P90(SuperPassValues.LATENCY, 0.9),
    TTFT_WARM_P50(SuperPassValues.TTFT_WARM, 0.5),
    TTFT_WARM_P90(SuperPassValues.TTFT_WARM, 0.9);

    /** The metrics that a steady window must hold level. */
    static final List<SuperPassMetric> GATED = List.of(TPOT_P50, TPOT_P90);
    /** The metrics whose trend from the window to the end of the run is reported. */
    static final List<SuperPassMetric> WATCHED = List.of(TTFT_P50, TTFT_P90, TPOT_P50, TPOT_P90);

    private final SuperPassValues values;
    private final double p;

    SuperPassMetric(SuperPassValues values, double p) {
        this.values = values;
        this.p = p;
    }

    /** The name in {@code steady_state.json}, such as {@code tpot_p50}. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The percentile of a block in ns; NaN if the block has no value. */
    double of(SuperPass block) {
        return Descriptive.percentile(values.of(block), p);
    }

    /** The percentile per block, NaN where a block has no value. */
    double[] perBlock(List<SuperPass> blocks) {
        return blocks.stream().mapToDouble(this::of).toArray();
    }

    /** The percentiles of the blocks that have values. */
    double[] trajectory(List<SuperPass> blocks) {
        return Arrays.stream(perBlock(blocks))
                .filter(each -> !Double.isNaN(each))
                .toArray();
    }
}
