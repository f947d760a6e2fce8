package io.metricsaggregator.snapshot;

/**
 * One bar of a series' histogram.
 *
 * @param low lower edge, inclusive
 * @param high upper edge, exclusive except in the last bucket
 * @param count values between them; the first bucket also takes what is below it
 */
public record HistogramBucket(double low, double high, long count) {}
