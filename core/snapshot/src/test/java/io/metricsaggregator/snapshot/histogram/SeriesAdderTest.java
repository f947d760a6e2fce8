package io.metricsaggregator.snapshot.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** Sums of series in any order and grouping. */
class SeriesAdderTest {
    private static final long HOUR = 3_600_000_000_000L;

    private final Inflater inflater = new Inflater();
    private final Deflater deflater = new Deflater();

    private static SeriesMetric series(long[] values, int figures) {
        Histogram histogram = new Histogram(1, HOUR, figures);
        Arrays.stream(values).forEach(histogram::recordValue);
        double mean = Arrays.stream(values).average().orElse(0);
        double spread = Arrays.stream(values)
                .mapToDouble(each -> Math.pow(each - mean, 2))
                .sum();
        Map<String, Double> percentiles = new LinkedHashMap<>();
        for (String key : List.of("99.9", "90.0", "50.0", "1.0")) {
            percentiles.put(key, 0.0);
        }
        boolean empty = values.length == 0;
        return new SeriesMetric(
                "ttft_ns",
                values.length,
                Arrays.stream(values).sum(),
                Arrays.stream(values).min().orElse(0),
                Arrays.stream(values).max().orElse(0),
                Arrays.stream(values).mapToDouble(each -> (double) each * each).sum(),
                percentiles,
                empty ? List.of() : Collections.nCopies(30, new HistogramBucket(1, 2, 0)),
                null,
                new SeriesDetail(
                        empty,
                        empty ? 0 : values[0] % 3,
                        0,
                        values.length < 2 ? null : (Double) Math.sqrt(spread / (values.length - 1)),
                        Map.of(),
                        empty ? null : HdrSumTest.encode(histogram)));
    }

    private SeriesMetric sum(List<SeriesMetric> parts) throws MalformedMessageException {
        SeriesAdder sum = new SeriesAdder("ttft_ns");
        List<SeriesPart> read = new ArrayList<>();
        for (SeriesMetric each : parts) {
            read.add(SeriesPart.of(each, null, inflater));
        }
        sum.addAll(read);
        return sum.sum((what, a, b) -> a + b, deflater);
    }

    /** Sums of sums, down to parts of which each has one or more. */
    private SeriesMetric nested(List<SeriesMetric> parts, Random random) throws MalformedMessageException {
        if (parts.size() < 3) {
            return sum(parts);
        }
        int cut = 1 + random.nextInt(parts.size() - 1);
        return sum(List.of(nested(parts.subList(0, cut), random), nested(parts.subList(cut, parts.size()), random)));
    }

    @Test
    void sums_in_any_order_and_grouping_are_equal() throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("SeriesAdderTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            List<SeriesMetric> parts = new ArrayList<>();
            int size = 1 + random.nextInt(8);
            for (int i = 0; i < size; i++) {
                long[] values = random.longs(random.nextInt(4) == 0 ? 0 : random.nextInt(300), 1, HOUR)
                        .map(value -> 1 + (value >> random.nextInt(40)))
                        .toArray();
                parts.add(series(values, round % 2 == 0 ? 3 : 1 + random.nextInt(4)));
            }
            SeriesMetric expected = sum(parts);
            Collections.shuffle(parts, random);
            SeriesMetric sum = nested(parts, random);
            assertThat(sum)
                    .usingRecursiveComparison()
                    .ignoringFields("sumSq", "detail.stdDev")
                    .as("round %d", round)
                    .isEqualTo(expected);
            double squares = expected.sumSq().doubleValue();
            assertThat(sum.sumSq().doubleValue()).isCloseTo(squares, within(1e-12 * squares));
            Double deviation = expected.detail().stdDev();
            if (deviation == null) {
                assertThat(sum.detail().stdDev()).isNull();
            } else {
                assertThat(sum.detail().stdDev()).isCloseTo(deviation, within(1e-9 * deviation));
            }
        }
    }

    @Test
    void histograms_of_several_precisions_add_up_at_the_lowest() throws Exception {
        SeriesMetric fine = series(new long[] {1, 1_000, 123_456_789}, 4);
        SeriesMetric coarse = series(new long[] {2_000_000}, 2);
        Histogram expected = new Histogram(1, HOUR, 2);
        for (long value : new long[] {1, 1_000, 123_456_789, 2_000_000}) {
            expected.recordValue(value);
        }
        for (List<SeriesMetric> order : List.of(List.of(fine, coarse), List.of(coarse, fine))) {
            byte[] bytes = sum(order).detail().hdr();
            assertThat(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 1))
                    .isEqualTo(expected);
        }
    }

    @Test
    void a_histogram_with_another_number_of_values_than_its_series_is_refused() {
        SeriesMetric two = series(new long[] {5, 6}, 3);
        SeriesMetric one = series(new long[] {5}, 3);
        SeriesMetric wrong = new SeriesMetric(
                "ttft_ns",
                2,
                two.total(),
                two.min(),
                two.max(),
                two.sumSq(),
                two.percentiles(),
                two.histogram(),
                null,
                one.detail());
        assertThatThrownBy(() -> SeriesPart.of(wrong, null, inflater))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("series ttft_ns has 2 values and its histogram 1");
    }
}
