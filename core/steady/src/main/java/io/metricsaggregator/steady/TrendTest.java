package io.metricsaggregator.steady;

import java.util.Locale;

/** The five trend tests of MLCommons' steady-state diagnostics. Their order is that of {@code steady_state.json}. */
public enum TrendTest {
    /** Mann-Kendall with the variance corrected for autocorrelation. */
    MK_HAMED_RAO {
        @Override
        TrendVerdict test(double[] values) {
            return MannKendall.hamedRao(values).verdict();
        }
    },
    /** Mann-Kendall. */
    MANN_KENDALL {
        @Override
        TrendVerdict test(double[] values) {
            return MannKendall.plain(values).verdict();
        }
    },
    /** Slope of the least-squares line with the standard error of Newey and West. */
    NEWEY_WEST {
        @Override
        TrendVerdict test(double[] values) {
            LinearFit fit = LinearFit.of(values);
            double error = Math.sqrt(Math.max(0, neweyWestVariance(fit)));
            return error == 0
                    ? TrendVerdict.ofSign(fit.slope())
                    : TrendVerdict.ofSignificant(fit.slope(), MannKendall.twoSided(fit.slope() / error));
        }
    },
    /** Median of the slopes of all pairs: drift of at least 15 % of the median. */
    THEIL_SEN {
        @Override
        TrendVerdict test(double[] values) {
            double change = medianSlope(values) * (values.length - 1) / Descriptive.medianAboveZero(values);
            return Math.abs(change) < DRIFT_MIN ? TrendVerdict.STEADY : TrendVerdict.ofSign(change);
        }
    },
    /** Least-squares line: drift of at least 15 % of the median, and of at least twice the scatter around the line. */
    SLOPE_VS_SCATTER {
        @Override
        TrendVerdict test(double[] values) {
            LinearFit fit = LinearFit.of(values);
            double change = fit.slope() * (values.length - 1);
            double drift = change / Descriptive.medianAboveZero(values);
            double scatter = Descriptive.deviation(fit.residuals(), Descriptive.mean(fit.residuals()));
            boolean drifts =
                    Math.abs(drift) >= DRIFT_MIN && Math.abs(change) / (scatter + SCATTER_FLOOR) >= SCATTER_TIMES;
            return drifts ? TrendVerdict.ofSign(drift) : TrendVerdict.STEADY;
        }
    };

    private static final double DRIFT_MIN = 0.15;
    private static final double SCATTER_TIMES = 2;
    private static final double SCATTER_FLOOR = 1e-9;

    abstract TrendVerdict test(double[] values);

    /** The verdict over values in order of time; insufficient for fewer than four. */
    public TrendVerdict verdict(double[] values) {
        return values.length < MannKendall.VALUES_MIN ? TrendVerdict.INSUFFICIENT : test(values);
    }

    /** The name in {@code steady_state.json}, such as {@code mk_hamed_rao}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The variance of the slope by Newey and West (1987), lag max(1, ⌊4(n/100)^(2/9)⌋). */
    private static double neweyWestVariance(LinearFit fit) {
        int n = fit.residuals().length;
        double center = (n - 1) / 2.0;
        double[] scores = new double[n];
        double sum = 0;
        for (int i = 0; i < n; i++) {
            scores[i] = (i - center) * fit.residuals()[i];
            sum += scores[i] * scores[i];
        }
        int lags = Math.max(1, (int) Math.floor(4 * Math.pow(n / 100.0, 2.0 / 9)));
        for (int lag = 1; lag <= Math.min(lags, n - 1); lag++) {
            double products = 0;
            for (int i = lag; i < n; i++) {
                products += scores[i] * scores[i - lag];
            }
            sum += 2 * (1 - lag / (lags + 1.0)) * products;
        }
        return sum / (fit.squares() * fit.squares());
    }

    private static double medianSlope(double[] values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int next = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = i + 1; j < values.length; j++) {
                slopes[next++] = (values[j] - values[i]) / (j - i);
            }
        }
        return Descriptive.median(slopes);
    }
}
