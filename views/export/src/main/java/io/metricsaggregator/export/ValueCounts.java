package io.metricsaggregator.export;

import java.nio.ByteBuffer;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Converts an HDR histogram to the buckets of a collector. A bucket of the histogram that crosses a bound counts on the side of its
 * midpoint, so results are exact within the histogram's precision.
 */
final class ValueCounts {
    private final Histogram histogram;
    private final double scale;

    private ValueCounts(Histogram histogram, double scale) {
        this.histogram = histogram;
        this.scale = scale;
    }

    /**
     * Decodes a histogram.
     *
     * @param scale factor from its unit to the exported one
     * @return null if {@code encoded} is null or damaged
     */
    static @Nullable ValueCounts of(byte @Nullable [] encoded, double scale) {
        if (encoded == null) {
            return null;
        }
        try {
            return new ValueCounts(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 1), scale);
        } catch (DataFormatException | RuntimeException e) {
            // A damaged histogram loses its metric, not the export.
            return null;
        }
    }

    long count() {
        return histogram.getTotalCount();
    }

    /** Number of values in the lowest bucket, which includes 0. */
    long zeros() {
        return histogram.getCountAtValue(0);
    }

    /**
     * Counts by upper bound, not cumulative; the last element counts the values above all bounds.
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
