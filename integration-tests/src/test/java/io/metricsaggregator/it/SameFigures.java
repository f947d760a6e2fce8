package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Compares the figures of a fleet with those of one daemon that received all events, or of a fleet of another shape. */
final class SameFigures {
    /** Counters of samples, which add up; those of records and frames depend on how the events were sent. */
    static final List<CounterName> SAMPLES = List.of(
            CounterName.TOTAL_SAMPLES_ISSUED,
            CounterName.TOTAL_SAMPLES_COMPLETED,
            CounterName.TOTAL_SAMPLES_FAILED,
            CounterName.TRACKED_SAMPLES_ISSUED,
            CounterName.TRACKED_SAMPLES_COMPLETED,
            CounterName.TRACKED_SAMPLES_FAILED);

    private SameFigures() {}

    /** Counters of samples, and every series: count, sum, extremes, every percentile, buckets and histogram; the deviation within 1e-12. */
    static void assertSame(MetricsSnapshot fleet, MetricsSnapshot whole) throws DataFormatException {
        for (CounterName each : SAMPLES) {
            assertThat(fleet.counter(each)).as(each.wire()).isEqualTo(whole.counter(each));
        }
        assertThat(fleet.series().stream().map(SeriesMetric::name))
                .containsAll(whole.series().stream().map(SeriesMetric::name).toList());
        for (SeriesMetric expected : whole.series()) {
            SeriesMetric series = fleet.series(expected.name());
            String name = expected.name();
            assertThat(series.count()).as(name).isEqualTo(expected.count());
            if (expected.count() == 0) {
                continue;
            }
            assertThat(series.total()).as(name).isEqualTo(expected.total());
            assertThat(series.min()).as(name).isEqualTo(expected.min());
            assertThat(series.max()).as(name).isEqualTo(expected.max());
            assertThat(series.percentiles()).as(name).isEqualTo(expected.percentiles());
            assertThat(series.histogram().stream().map(HistogramBucket::count))
                    .as(name)
                    .containsExactlyElementsOf(expected.histogram().stream()
                            .map(HistogramBucket::count)
                            .toList());
            assertNear(name, series.sumSq().doubleValue(), expected.sumSq().doubleValue());
            assertThat(histogram(series)).as(name).isEqualTo(histogram(expected));
            Double deviation = expected.detail().stdDev();
            if (deviation != null) {
                assertNear(name, series.detail().stdDev(), deviation);
            }
        }
    }

    private static void assertNear(String name, double value, double expected) {
        assertThat(value).as(name).isCloseTo(expected, within(Math.abs(expected) * 1e-12));
    }

    private static Histogram histogram(SeriesMetric series) throws DataFormatException {
        SeriesDetail detail = series.detail();
        assertThat(detail).isNotNull();
        return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(detail.hdr()), 0);
    }
}
