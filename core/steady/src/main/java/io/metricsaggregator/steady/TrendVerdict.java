package io.metricsaggregator.steady;

import java.util.Locale;

/** The direction of a trend. For times and latencies, {@link #UP} means slower. */
public enum TrendVerdict {
    UP,
    DOWN,
    STEADY,
    /** Fewer than {@value MannKendall#VALUES_MIN} values: no test applies. */
    INSUFFICIENT;

    /** The name in files and snapshots, such as {@code up}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The sign of {@code effect}: up, down, or steady for zero. */
    static TrendVerdict ofSign(double effect) {
        return effect > 0 ? UP : effect < 0 ? DOWN : STEADY;
    }

    /** The sign of {@code effect} if its p value is below 5 %, otherwise steady. */
    static TrendVerdict ofSignificant(double effect, double p) {
        return p < MannKendall.ALPHA ? ofSign(effect) : STEADY;
    }
}
