package io.metricsaggregator.sweep;

/**
 * The regions of concurrency in which MLPerf Endpoints demands points, by the reference algorithm of its rules: three equal parts of the range in
 * logarithmic space, with bounds rounded half to even.
 *
 * @param from smallest concurrency of the sweep, Cmin
 * @param lowTo last concurrency of the low region, which starts at Cmin + 1
 * @param mediumTo last concurrency of the medium region
 * @param to largest concurrency of the sweep, Cmax, the end of the high region
 * @param marginTo last concurrency of the margin for points that are added later
 */
public record Regions(long from, long lowTo, long mediumTo, long to, long marginTo) {
    /** The largest concurrency of the ultra-low region, which starts at 1. */
    public static final long ULTRA_LOW_TO = 32;

    private static final double MARGIN = 1.10;

    /**
     * Computes the regions.
     *
     * @throws IllegalArgumentException unless 1 ≤ {@code from} &lt; {@code to}
     */
    public static Regions of(long from, long to) {
        if (from < 1 || to <= from) {
            throw new IllegalArgumentException("no regions from concurrency " + from + " to " + to);
        }
        double third = Math.log((double) (to - from)) / Math.log(2) / 3;
        return new Regions(
                from,
                (long) Math.rint(from + Math.pow(2, third)),
                (long) Math.rint(from + Math.pow(2, 2 * third)),
                to,
                (long) Math.ceil(MARGIN * to));
    }

    /** Whether the rules define regions for this range: Cmin of 1 to 32, and Cmax above 32. */
    public boolean isRegular() {
        return from <= ULTRA_LOW_TO && to > ULTRA_LOW_TO;
    }
}
