package io.metricsaggregator.steady;

/**
 * Whether an open-loop run overloads its server: samples in flight and times to first token grow together. A monitor that decides nothing else.
 *
 * <p>Rules of GuideLLM's over-saturation constraint ({@code saturation.py}), applied to points at equal distances of time.
 *
 * @param alert whether the run is overloaded
 * @param inFlightSlope change of the samples in flight per second; NaN with fewer than two points
 * @param ttftSlope change of the time to first token per second, in its unit; NaN with fewer than two points
 */
public record Saturation(boolean alert, double inFlightSlope, double ttftSlope) {
    /** Longest part of the run's end that is looked at. */
    private static final double WINDOW_SECONDS = 120;

    private static final double WINDOW_SHARE = 0.75;
    private static final double ELAPSED_MIN_SECONDS = 30;
    private static final int POINTS_MIN = 5;
    /** A slope is positive if its 95 % margin is below this multiple of it. */
    private static final double MARGIN_MAX = 2;
    /** Median time to first token from which a growth matters, in ns. */
    private static final double TTFT_MIN_NANOS = 2.5e9;

    /**
     * Judges a run.
     *
     * @param inFlight samples in flight at each point of time
     * @param ttft median times to first token in ns at the same points, NaN where none was measured; empty if the run has none
     * @param stepSeconds seconds from one point to the next
     */
    public static Saturation of(double[] inFlight, double[] ttft, double stepSeconds) {
        double elapsed = inFlight.length * stepSeconds;
        int points = (int) Math.min(Math.ceil(WINDOW_SECONDS / stepSeconds), WINDOW_SHARE * inFlight.length);
        Slope load = Slope.of(inFlight, inFlight.length - points, stepSeconds, elapsed);
        Slope first = ttft.length == 0 ? Slope.NONE : Slope.of(ttft, ttft.length - points, stepSeconds, elapsed);
        boolean slow = first.n == 0;
        if (!slow) {
            int above = 0;
            for (int i = ttft.length - points; i < ttft.length; i++) {
                above += ttft[i] > TTFT_MIN_NANOS ? 1 : 0;
            }
            slow = 2 * above >= first.n && first.isPositive();
        }
        boolean alert = elapsed >= ELAPSED_MIN_SECONDS && load.n >= POINTS_MIN && load.isPositive() && slow;
        return new Saturation(alert, load.slope, first.slope);
    }

    /** A least-squares slope per second, and its margin: t · standard error, with as many degrees of freedom as seconds allow. */
    private record Slope(double slope, double margin, int n) {
        static final Slope NONE = new Slope(Double.NaN, Double.NaN, 0);

        static Slope of(double[] values, int from, double stepSeconds, double elapsedSeconds) {
            int n = 0;
            double meanX = 0;
            double meanY = 0;
            for (int i = Math.max(0, from); i < values.length; i++) {
                if (!Double.isNaN(values[i])) {
                    n++;
                    meanX += i * stepSeconds;
                    meanY += values[i];
                }
            }
            if (n < 2) {
                return new Slope(Double.NaN, Double.NaN, n);
            }
            meanX /= n;
            meanY /= n;
            double xx = 0;
            double xy = 0;
            double yy = 0;
            for (int i = Math.max(0, from); i < values.length; i++) {
                if (!Double.isNaN(values[i])) {
                    double x = i * stepSeconds - meanX;
                    double y = values[i] - meanY;
                    xx += x * x;
                    xy += x * y;
                    yy += y * y;
                }
            }
            double slope = xy / xx;
            int effective = (int) Math.min(elapsedSeconds, n);
            double residuals = Math.max(0, yy - slope * xy);
            double margin = effective <= 2
                    ? Double.POSITIVE_INFINITY
                    : BatchMeans.t95(effective - 2) * Math.sqrt(residuals / (effective - 2) / xx);
            return new Slope(slope, margin, n);
        }

        boolean isPositive() {
            return slope > 0 && margin / slope < MARGIN_MAX;
        }
    }
}
