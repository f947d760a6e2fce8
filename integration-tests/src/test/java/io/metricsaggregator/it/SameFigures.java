package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

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

    /** Extremes that failures share are estimates in one daemon, and exact in a node without failures. */
    private static void assertSuccesses(SeriesMetric series, SeriesMetric expected) {
        String name = expected.name();
        assertThat(series.count()).as(name).isEqualTo(expected.count());
        assertThat(series.total()).as(name).isEqualTo(expected.total());
        assertNear(name, series.sumSq().doubleValue(), expected.sumSq().doubleValue());
        assertThat(series.histogram().stream().mapToLong(HistogramBucket::count).sum())
                .as(name)
                .isEqualTo(expected.count());
        for (String each : expected.percentiles().keySet()) {
            assertThat(series.percentiles().get(each))
                    .as(name + " p" + each)
                    .isCloseTo(expected.percentiles().get(each), withinPercentage(0.2));
        }
    }

    /** Counters of samples, and every series: count, sum, extremes, every percentile, buckets and histogram; the deviation within 1e-12. */
    static void assertSame(MetricsSnapshot fleet, MetricsSnapshot whole) throws DataFormatException {
        for (CounterName each : SAMPLES) {
            assertThat(fleet.counter(each)).as(each.wire()).isEqualTo(whole.counter(each));
        }
        assertThat(fleet.series().stream().map(SeriesMetric::name))
                .containsAll(whole.series().stream()
                        .map(SeriesMetric::name)
                        .filter(each -> !each.equals("succeeded_ttft_ns"))
                        .toList());
        for (SeriesMetric expected : whole.series()) {
            SeriesMetric series = fleet.series(expected.name());
            String name = expected.name();
            if (series == null) {
                // A node without failures has first chunks of samples that never ended among those of all.
                continue;
            }
            if (name.startsWith("succeeded_")) {
                assertSuccesses(series, expected);
                continue;
            }
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
