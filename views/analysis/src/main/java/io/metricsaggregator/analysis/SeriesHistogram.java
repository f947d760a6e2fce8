package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.percentile.HistogramPercentiles;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/** Decodes the HdrHistogram that a snapshot carries with a series, and estimates percentiles from it. */
public final class SeriesHistogram {
    private SeriesHistogram() {}

    /**
     * Decodes the histogram of a series.
     *
     * @param series the series; may be null
     * @return a new histogram of the recorded values; null if the snapshot has none, or if its bytes are damaged
     */
    public static @Nullable Histogram of(@Nullable SeriesMetric series) {
        SeriesDetail detail = series == null ? null : series.detail();
        byte[] bytes = detail == null ? null : detail.hdr();
        if (bytes == null) {
            return null;
        }
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 1);
        } catch (DataFormatException | RuntimeException e) {
            // A damaged histogram costs its part of a report, not the report.
            return null;
        }
    }

    /** Estimates percentiles between 0 and 100 from a histogram; the estimate has their order. */
    public static HistogramPercentiles estimate(Histogram histogram, double... percentiles) {
        HistogramPercentiles estimate = new HistogramPercentiles(percentiles, histogram.getTotalCount());
        for (HistogramIterationValue step : histogram.recordedValues()) {
            estimate.add(
                    (double) histogram.medianEquivalentValue(step.getValueIteratedTo()),
                    step.getCountAddedInThisIterationStep());
        }
        return estimate;
    }
}
