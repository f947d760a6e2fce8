package io.metricsaggregator.snapshot.percentile;

/**
 * The rank of a percentile in MLCommons endpoints, for {@code percentiles} of snapshots and the files of its formats: one rule for histograms and one for
 * raw values. People see {@link Linear}. Daemon and merge use the same rules, so merged histograms give the percentiles that one daemon would have given.
 */
public final class MlcommonsRank {
    private MlcommonsRank() {}

    /**
     * The rank of a percentile in a histogram, from 1: max(1, ⌊p·n/100 + ½⌋), in doubles. The percentile is the highest value equivalent
     * to the one of that rank.
     *
     * @param percentile between 0 and 100
     * @param count values in the histogram, at least 1
     */
    public static long ofHistogram(double percentile, long count) {
        return Math.max(1, (long) (percentile * count / 100 + 0.5));
    }

    /**
     * The place of a percentile among sorted values, from 0: ⌊p/100·(n − 1)⌋, in doubles.
     *
     * @param percentile between 0 and 100
     * @param count values, at least 1
     */
    public static long ofValues(double percentile, long count) {
        return (long) Math.floor(percentile / 100.0 * (count - 1));
    }
}
