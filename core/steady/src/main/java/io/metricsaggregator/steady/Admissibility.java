package io.metricsaggregator.steady;

/**
 * Decides whether values of consecutive blocks hold one level: no drift that is both significant (Hamed-Rao, 5 %) and large (5 % of the median), and
 * a coefficient of variation of at most 8 %.
 */
enum Admissibility {
    /** The rule of MLCommons' diagnostics. With four values the trend test cannot reach significance, so only the variation counts. */
    MLCOMMONS {
        @Override
        boolean drifts(double[] values) {
            return isLarge(values) && MannKendall.hamedRao(values).isSignificant();
        }
    },
    /** The same, but with fewer than eight values any large drift counts, significant or not. */
    STRICT {
        @Override
        boolean drifts(double[] values) {
            return isLarge(values)
                    && (values.length < FEW || MannKendall.hamedRao(values).isSignificant());
        }
    };

    /** Largest relative drift that is taken for noise. */
    static final double DRIFT_MAX = 0.05;
    /** Largest coefficient of variation of a plateau. */
    static final double COV_MAX = 0.08;
    /** Fewest blocks of a plateau. */
    static final int BLOCKS_MIN = MannKendall.VALUES_MIN;

    private static final int FEW = 8;

    abstract boolean drifts(double[] values);

    /** Whether the values hold one level; false for fewer than {@value MannKendall#VALUES_MIN}, and if one is NaN (nothing was measured in the block). */
    boolean admits(double[] values) {
        if (values.length < BLOCKS_MIN) {
            return false;
        }
        for (double each : values) {
            if (Double.isNaN(each)) {
                return false;
            }
        }
        return Descriptive.cov(values) <= COV_MAX && !drifts(values);
    }

    private static boolean isLarge(double[] values) {
        return Math.abs(LinearFit.relativeDrift(values)) >= DRIFT_MAX;
    }
}
