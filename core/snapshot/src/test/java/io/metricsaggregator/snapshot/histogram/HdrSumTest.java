package io.metricsaggregator.snapshot.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.percentile.Linear;
import io.metricsaggregator.snapshot.percentile.MlcommonsRank;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.api.Test;

/** Sums of encoded histograms against HdrHistogram itself. */
class HdrSumTest {
    private static final long HOUR = 3_600_000_000_000L;

    private final Inflater inflater = new Inflater();
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);

    static byte[] encode(Histogram histogram) {
        ByteBuffer into = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        histogram.encodeIntoCompressedByteBuffer(into, Deflater.BEST_SPEED);
        return Arrays.copyOf(into.array(), into.position());
    }

    private static Histogram random(Random random, long highest, int figures) {
        Histogram histogram = new Histogram(1, highest, figures);
        int values = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(3000);
        for (int i = 0; i < values; i++) {
            long value = 1 + (long) (Math.exp(random.nextDouble() * Math.log((double) highest - 1)));
            long many = random.nextInt(50) == 0 ? 1L << random.nextInt(50) : 1 + random.nextInt(300);
            histogram.recordValueWithCount(Math.min(value, highest), many);
        }
        return histogram;
    }

    @Test
    void a_sum_of_random_histograms_has_the_bytes_and_percentiles_of_HdrHistogram() throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("HdrSumTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            int figures = 1 + random.nextInt(4);
            long highest = random.nextBoolean() ? HOUR : 10_000_000L;
            Histogram expected = new Histogram(1, highest, figures);
            HdrSum sum = new HdrSum(new HdrGrid(1, highest, figures));
            int parts = 1 + random.nextInt(5);
            for (int i = 0; i < parts; i++) {
                Histogram part = random(random, highest, figures);
                expected.add(part);
                HdrCounts counts = HdrCounts.read(encode(part), inflater);
                assertThat(counts.total()).isEqualTo(part.getTotalCount());
                sum.add(counts);
            }
            assertThat(sum.encode(deflater)).as("round %d", round).isEqualTo(encode(expected));
            if (expected.getTotalCount() > 0) {
                for (String key : List.of("99.9", "50.0", "1.0")) {
                    assertThat(sum.percentiles(List.of(key), expected.getTotalCount()))
                            .isEqualTo(Map.of(key, percentile(expected, Double.parseDouble(key))));
                    assertThat(sum.shown(List.of(key), expected.getTotalCount(), 0, highest))
                            .isEqualTo(Map.of(key, shown(expected, Double.parseDouble(key), highest)));
                }
            }
        }
    }

    private static double percentile(Histogram histogram, double percentile) {
        long rank = MlcommonsRank.ofHistogram(percentile, histogram.getTotalCount());
        for (HistogramIterationValue each : histogram.recordedValues()) {
            if (each.getTotalCountToThisValue() >= rank) {
                return (double) histogram.highestEquivalentValue(each.getValueIteratedTo());
            }
        }
        throw new AssertionError("no value of rank " + rank);
    }

    /** Linear interpolation between the middles of the buckets, but of the first and the last value. */
    private static double shown(Histogram histogram, double percentile, double max) {
        long count = histogram.getTotalCount();
        double place = Linear.place(percentile, count);
        double low = (long) place == 0 ? 0 : Math.min(max, middle(histogram, (long) place));
        double high = (long) place + 1 >= count - 1 ? max : Math.min(max, middle(histogram, (long) place + 1));
        return Linear.between(count == 1 ? 0 : low, count == 1 ? 0 : high, place - (long) place);
    }

    private static double middle(Histogram histogram, long place) {
        for (HistogramIterationValue each : histogram.recordedValues()) {
            if (each.getTotalCountToThisValue() > place) {
                return (double) histogram.medianEquivalentValue(each.getValueIteratedTo());
            }
        }
        throw new AssertionError("no value at " + place);
    }

    @Test
    void percentiles_take_the_value_whose_rank_is_reached_and_counts_of_any_size_are_read() throws Exception {
        Histogram one = new Histogram(1, HOUR, 3);
        for (long value : new long[] {10, 20, 30, 40}) {
            one.recordValue(value);
        }
        HdrSum sum = new HdrSum(new HdrGrid(1, HOUR, 3));
        sum.add(HdrCounts.read(encode(one), inflater));
        assertThat(sum.percentiles(List.of("75.0", "50.0", "25.0"), 4))
                .isEqualTo(Map.of("75.0", 30.0, "50.0", 20.0, "25.0", 10.0));
        for (int bits = 0; bits < 63; bits++) {
            Histogram large = new Histogram(1, HOUR, 3);
            large.recordValueWithCount(5, 1L << bits);
            assertThat(HdrCounts.read(encode(large), inflater).total()).isEqualTo(1L << bits);
            sum.clear();
            sum.add(HdrCounts.read(encode(large), inflater));
            assertThat(sum.encode(deflater)).isEqualTo(encode(large));
        }
    }

    @Test
    void a_cleared_sum_is_empty() throws Exception {
        Histogram one = new Histogram(1, HOUR, 3);
        one.recordValue(77);
        HdrSum sum = new HdrSum(new HdrGrid(1, HOUR, 3));
        sum.add(HdrCounts.read(encode(one), inflater));
        assertThat(sum.used()).isPositive();
        sum.clear();
        assertThat(sum.encode(deflater)).isEqualTo(encode(new Histogram(1, HOUR, 3)));
    }

    @Test
    void buckets_count_every_value_once() throws Exception {
        Histogram one = new Histogram(1, HOUR, 3);
        for (long value : new long[] {1, 5, 10, 99, 100, 1_000_000}) {
            one.recordValue(value);
        }
        HdrSum sum = new HdrSum(new HdrGrid(1, HOUR, 3));
        sum.add(HdrCounts.read(encode(one), inflater));
        assertThat(sum.buckets(6, 1, 1_000_000).stream()
                        .map(bucket -> bucket.count())
                        .toList())
                .containsExactly(2L, 2L, 1L, 0L, 0L, 1L);
    }

    @Test
    void histograms_of_another_precision_have_other_buckets_and_a_higher_range_only_more() {
        HdrGrid grid = new HdrGrid(1, HOUR, 3);
        assertThat(grid.sameBuckets(new HdrGrid(1, HOUR, 2))).isFalse();
        assertThat(grid.sameBuckets(new HdrGrid(1024, HOUR, 3))).isFalse();
        assertThat(grid.sameBuckets(new HdrGrid(1, 10 * HOUR, 3))).isTrue();
        assertThat(grid.upTo(10 * HOUR).highest()).isEqualTo(10 * HOUR);
        assertThat(grid.upTo(10)).isSameAs(grid);
    }

    @Test
    void a_damaged_histogram_is_refused_and_never_leaves_its_array() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("HdrSumTest seed: -Dtest.seed=" + seed);
        Random random = new Random(seed);
        byte[] good = encode(random(random, HOUR, 3));
        for (int length = 0; length < good.length; length += 7) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> HdrCounts.read(cut, inflater)).isInstanceOf(MalformedMessageException.class);
        }
        for (int round = 0; round < 20_000; round++) {
            Histogram small = new Histogram(1, 1000, 1);
            small.recordValueWithCount(1 + random.nextInt(1000), 1 + random.nextInt(1 << 20));
            ByteBuffer plain = ByteBuffer.allocate(small.getNeededByteBufferCapacity());
            int length = small.encodeIntoByteBuffer(plain);
            plain.array()[random.nextInt(length)] = (byte) random.nextInt(256);
            byte[] bytes = compressed(plain.array(), length);
            try {
                HdrCounts counts = HdrCounts.read(bytes, inflater);
                HdrSum sum = new HdrSum(counts.grid());
                sum.add(counts);
                assertThat(sum.used()).isLessThanOrEqualTo(counts.grid().length());
            } catch (MalformedMessageException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }
    }

    private byte[] compressed(byte[] plain, int length) {
        deflater.reset();
        deflater.setInput(plain, 0, length);
        deflater.finish();
        byte[] out = new byte[length + 200];
        int deflated = deflater.deflate(out, 8, out.length - 8);
        ByteBuffer.wrap(out).putInt(0x1c849314).putInt(deflated);
        return Arrays.copyOf(out, 8 + deflated);
    }
}
