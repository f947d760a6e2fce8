package io.metricsaggregator.config;

/**
 * How the steady state of a run is judged.
 *
 * @param superPassSize tracked samples of a super-pass, usually the size of the dataset; 0 for as the session announces it
 * @param minNanos shortest steady window that is certified, in ns
 * @param warmupPasses super-passes to leave out at the start; {@link #AUTO} to find them
 */
public record SteadySettings(long superPassSize, long minNanos, int warmupPasses) {
    /** The warm-up is found from the data. */
    public static final int AUTO = -1;
    /** MLCommons' shortest window, 600 s; super-passes as announced; the warm-up found. */
    public static final SteadySettings DEFAULT = new SteadySettings(0, 600_000_000_000L, AUTO);

    public SteadySettings {
        RunConfig.require(superPassSize >= 0, "superpass size " + superPassSize + " is negative");
        RunConfig.require(minNanos >= 0, "shortest steady window " + minNanos + " ns is negative");
        RunConfig.require(warmupPasses >= AUTO, "warm-up of " + warmupPasses + " super-passes is negative");
    }

    /** Shortest steady window that is certified, in seconds. */
    public double minSeconds() {
        return minNanos / 1e9;
    }
}
