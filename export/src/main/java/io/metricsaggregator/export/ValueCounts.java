package io.metricsaggregator.export;

import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a histogram, in whatever buckets a collector wants. Where a bucket of the histogram lies across an edge, its middle says to
 * which side it goes: within its precision.
 */
final class ValueCounts {
    private final Histogram histogram;
    private final double scale;

    private ValueCounts(Histogram histogram, double scale) {
        this.histogram = histogram;
        this.scale = scale;
    }

    /**
     * Counts of an encoded histogram.
     *
     * @param scale from its unit to the exported one
     * @return null if there is none, or it is damaged
     */
    static @Nullable ValueCounts of(byte @Nullable [] encoded, double scale) {
        if (encoded == null) {
            return null;
        }
        try {
            return new ValueCounts(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 1), scale);
        } catch (DataFormatException | RuntimeException e) {
            // A damaged histogram costs its metric, not the scrape.
            return null;
        }
    }

    long count() {
        return histogram.getTotalCount();
    }

    /** How many values are in the lowest bucket of the histogram's unit, which stands for 0 too. */
    long zeros() {
        return histogram.getCountAtValue(0);
    }

    /**
     * Counts by upper bound, not added up; the last is for all that are above.
     *
     * @param bounds ascending
     */
    long[] by(double[] bounds) {
        long[] counts = new long[bounds.length + 1];
        for (var step : histogram.recordedValues()) {
            double value = (double) histogram.medianEquivalentValue(step.getValueIteratedTo()) * scale;
            int bucket = 0;
            while (bucket < bounds.length && value > bounds[bucket]) {
                bucket++;
            }
            counts[bucket] += step.getCountAddedInThisIterationStep();
        }
        return counts;
    }

    /**
     * Counts of positive values by exponential buckets: index i holds values above 2^((i−1)/2^schema) and up to 2^(i/2^schema), as
     * Prometheus counts them; OpenTelemetry's index is one less.
     */
    NavigableMap<Integer, Long> exponential(int schema) {
        TreeMap<Integer, Long> counts = new TreeMap<>();
        double perOctave = Math.scalb(1.0, schema);
        for (var step : histogram.recordedValues()) {
            if (step.getValueIteratedTo() <= 0) {
                continue;
            }
            double value = (double) histogram.medianEquivalentValue(step.getValueIteratedTo()) * scale;
            int index = (int) Math.ceil(Math.log(value) / Math.log(2) * perOctave - 1e-9);
            counts.merge(index, step.getCountAddedInThisIterationStep(), Long::sum);
        }
        return counts;
    }
}
