package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.registry.raw.RawBudget;
import io.metricsaggregator.registry.raw.RawValues;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.Certificate;
import io.metricsaggregator.snapshot.HistogramBucket;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.percentile.Linear;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SeriesTest {
    private static final double[] GRID = {99.9, 99, 97, 95, 90, 80, 75, 50, 25, 10, 5, 1};

    /** Distributions that are difficult in different ways. */
    enum Shape {
        ONE,
        FEW,
        ALL_EQUAL,
        SMALL_INTEGERS,
        UNIFORM,
        LOG_UNIFORM,
        NEGATIVE_AND_HUGE,
        ONE_BUCKET,
        MANY_NEGATIVE,
        ASCENDING;

        LongSupplier values(Random random) {
            long[] next = {0};
            return switch (this) {
                case ONE, ALL_EQUAL -> () -> 123_456_789L;
                case FEW, SMALL_INTEGERS -> () -> random.nextInt(30);
                case UNIFORM -> () -> 1 + (random.nextLong() >>> 1) % 1_000_000_000L;
                case LOG_UNIFORM -> () -> (long) Math.exp(random.nextDouble() * 28);
                case NEGATIVE_AND_HUGE -> () -> random.nextLong() >> random.nextInt(64);
                case MANY_NEGATIVE -> () -> 300 - (long) random.nextInt(1 << 30);
                case ONE_BUCKET -> () -> 1_000_000_000_000L + random.nextInt(1000);
                case ASCENDING -> () -> next[0]++;
            };
        }

        int count() {
            return switch (this) {
                case ONE -> 1;
                case FEW -> 5;
                // More values than fit one slab, all in one bucket of the histogram.
                case ALL_EQUAL, ONE_BUCKET, MANY_NEGATIVE -> (1 << 20) + 4321;
                default -> 50_000;
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void boundsEqualTheirOrderStatisticAtTheEndAndAreNotBelowItLive(Shape shape) {
        Random random = new Random(Seed.next(SeriesTest.class));
        LongSupplier source = shape.values(random);
        Registry registry = registry(Long.MAX_VALUE);
        LongSeries series = registry.longSeries("s", HdrRange.DURATION_NANOS);
        series.certify();
        long[] values = new long[shape.count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = source.getAsLong();
            series.record(values[i]);
        }
        SeriesMetric exact = find(registry.renderExact(registry.newCopy(), true, () -> false), "s");
        SeriesMetric live = live(registry, "s");
        Arrays.sort(values);
        for (double percentile : Arrays.copyOf(GRID, PercentileGrid.STANDARD.bounded())) {
            String key = Double.toString(percentile);
            long t = EarlyStopping.order(values.length, percentile / 100);
            Certificate atEnd = exact.detail().certification().get(key);
            Certificate before = live.detail().certification().get(key);
            assertThat(exact.earlyStopping().get(key)).isEqualTo(atEnd.upperBound());
            assertThat(before.valuesMissing()).isEqualTo(atEnd.valuesMissing());
            if (t == 0) {
                assertThat(atEnd.upperBound())
                        .as("p%s of %s", percentile, shape)
                        .isNull();
                assertThat(before.upperBound())
                        .as("p%s of %s", percentile, shape)
                        .isNull();
                assertThat(EarlyStopping.order(values.length + atEnd.valuesMissing(), percentile / 100))
                        .isEqualTo(1);
                assertThat(EarlyStopping.order(values.length + atEnd.valuesMissing() - 1, percentile / 100))
                        .isZero();
            } else {
                long bound = values[values.length - (int) t];
                assertThat(atEnd.upperBound())
                        .as("p%s of %s", percentile, shape)
                        .isEqualTo((double) bound);
                assertThat(atEnd.valuesMissing()).isZero();
                long held = Math.max(1, Math.min(bound, 3_600_000_000_000L));
                assertThat(before.upperBound())
                        .as("live p%s of %s", percentile, shape)
                        .isBetween((double) held, held * 1.001 + 1);
            }
        }
        assertThat(live.earlyStopping()).isNull();
        assertThat(exact(registry, "s").earlyStopping()).isNull();
    }

    @Test
    void aSeriesCanBeReadAfterAnyNumberOfValues() {
        Random random = new Random(Seed.next(SeriesTest.class));
        LongSeries series = registry(Long.MAX_VALUE).longSeries("s", HdrRange.TOKENS);
        LongSeries whole = registry(Long.MAX_VALUE).longSeries("s", HdrRange.TOKENS);
        long sum = 0;
        long largest = 0;
        long above = 0;
        for (int count = 1; count <= 3 * LongSeries.BLOCK; count++) {
            long value = random.nextInt(20_000_000);
            series.record(value);
            sum += value;
            largest = Math.max(largest, Math.min(value, 10_000_000));
            above += value > 10_000_000 || value < 1 ? 1 : 0;
            if (random.nextInt(5) == 0) {
                int reading = random.nextInt(6);
                long read = switch (reading) {
                    case 0 -> series.count();
                    case 1 -> series.total().longValueExact();
                    case 2 -> series.raw().size();
                    case 3 -> series.clamped();
                    case 4 -> series.statistics().count();
                    default -> series.histogram().getTotalCount();
                };
                assertThat(read)
                        .as("read %s after %s values", reading, count)
                        .isEqualTo(reading == 1 ? sum : reading == 3 ? above : count);
            }
        }
        series.record(7);
        whole.record(5);
        whole.add(series);
        assertThat(whole.total().longValueExact()).isEqualTo(sum + 12);
        assertThat(whole.raw().size()).isEqualTo(3 * LongSeries.BLOCK + 2);
        assertThat(whole.histogramPercentile(100)).isGreaterThanOrEqualTo(largest);
    }

    @Test
    void anEmptySeriesHasNoCertificateAndOnlyDurationsHaveCertificates() {
        Registry registry = registry(Long.MAX_VALUE);
        registry.doubleSeries("real", HdrRange.DURATION_NANOS).certify();
        registry.longSeries("plain", HdrRange.TOKENS);
        List<Metric> metrics = registry.renderExact(registry.newCopy(), true, () -> false);
        SeriesMetric real = find(metrics, "real");
        assertThat(real.earlyStopping()).hasSize(8).containsKeys("99.9", "50.0");
        assertThat(real.earlyStopping().values()).containsOnlyNulls();
        assertThat(real.detail().certification().get("99.0")).isEqualTo(new Certificate(null, 662));
        SeriesMetric plain = find(metrics, "plain");
        assertThat(plain.earlyStopping()).isNull();
        assertThat(plain.detail().certification()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void exactPercentilesEqualThoseOfSortedValues(Shape shape) {
        Random random = new Random(Seed.next(SeriesTest.class));
        LongSupplier source = shape.values(random);
        Registry registry = registry(Long.MAX_VALUE);
        LongSeries series = registry.longSeries("s", HdrRange.DURATION_NANOS);
        long[] values = new long[shape.count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = source.getAsLong();
            series.record(values[i]);
        }
        SeriesMetric metric = exact(registry, "s");
        Arrays.sort(values);
        for (double percentile : GRID) {
            int index = (int) Math.floor(percentile / 100.0 * (values.length - 1));
            assertThat(metric.percentiles().get(Double.toString(percentile)))
                    .as("p%s of %s", percentile, shape)
                    .isEqualTo((double) values[index]);
            assertThat(metric.percentile(Double.toString(percentile)))
                    .as("interpolated p%s of %s", percentile, shape)
                    .isEqualTo(Linear.of(Arrays.stream(values).asDoubleStream().toArray(), percentile));
        }
        assertThat(metric.detail().exact()).isTrue();
        assertThat(metric.min()).isEqualTo(values[0]);
        assertThat(metric.max()).isEqualTo(values[values.length - 1]);
        assertBucketsHold(metric, values);
    }

    /** Verifies that each bucket counts exactly the values in its range. */
    private static void assertBucketsHold(SeriesMetric metric, long[] values) {
        List<HistogramBucket> buckets = metric.histogram();
        long[] counts = new long[buckets.size()];
        for (long value : values) {
            int bucket = buckets.size() - 1;
            while (bucket > 0 && value < buckets.get(bucket).low()) {
                bucket--;
            }
            counts[bucket]++;
        }
        assertThat(buckets.stream().mapToLong(HistogramBucket::count))
                .containsExactly(Arrays.stream(counts).boxed().toArray(Long[]::new));
    }

    @Test
    void exactPercentilesOfRealsEqualThoseOfSortedValues() {
        Random random = new Random(Seed.next(SeriesTest.class));
        Registry registry = registry(Long.MAX_VALUE);
        DoubleSeries series = registry.doubleSeries("s", HdrRange.DURATION_NANOS);
        double[] values = new double[30_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i % 7 == 0 ? random.nextDouble() - 0.5 : Math.exp(random.nextDouble() * 32);
            series.record(values[i]);
        }
        SeriesMetric metric = exact(registry, "s");
        Arrays.sort(values);
        for (double percentile : GRID) {
            int index = (int) Math.floor(percentile / 100.0 * (values.length - 1));
            assertThat(metric.percentiles().get(Double.toString(percentile))).isEqualTo(values[index]);
            assertThat(metric.percentile(Double.toString(percentile))).isEqualTo(Linear.of(values, percentile));
        }
        assertThat(metric.histogram().stream().mapToLong(HistogramBucket::count).sum())
                .isEqualTo(values.length);
        assertThat(metric.total()).isInstanceOf(Double.class);
        assertThatThrownBy(() -> series.record(Double.NaN)).hasMessageContaining("NaN");
    }

    @Test
    void livePercentilesOfMlcommonsAreTheUpperEdgesOfTheirBucketsAndThoseOfPeopleInterpolatedEstimates() {
        Registry registry = registry(Long.MAX_VALUE);
        LongSeries series = registry.longSeries("s", HdrRange.DURATION_NANOS);
        Histogram histogram = new Histogram(1, HdrRange.DURATION_NANOS.highest(), 3);
        Random random = new Random(Seed.next(SeriesTest.class));
        double[] values = new double[1000];
        for (int i = 0; i < values.length; i++) {
            long value = 1 + (long) Math.exp(random.nextDouble() * 25);
            values[i] = (double) value;
            series.record(value);
            histogram.recordValue(value);
        }
        Arrays.sort(values);
        SeriesMetric metric = live(registry, "s");
        for (double percentile : GRID) {
            // Java's own percentile rounds its rank up where the reference rounds to the nearest: one rank apart at
            // most.
            double own = histogram.getValueAtPercentile(percentile);
            double below = histogram.getValueAtPercentile(Math.max(0, percentile - 0.1));
            assertThat(metric.percentiles().get(Double.toString(percentile))).isBetween(below, own);
            double exact = Linear.of(values, percentile);
            assertThat(metric.percentile(Double.toString(percentile)))
                    .as("estimate of p%s", percentile)
                    .isCloseTo(exact, within(0.0005 * exact + 1))
                    .isBetween(values[0], values[values.length - 1]);
        }
        assertThat(metric.detail().exact()).isFalse();
    }

    @Test
    void valuesOutsideTheRangeAreClampedOnlyInTheHistogram() {
        Registry registry = registry(Long.MAX_VALUE);
        LongSeries series = registry.longSeries("s", HdrRange.TOKENS);
        series.record(-5);
        series.record(0);
        series.record(1);
        series.record(10_000_000);
        series.record(10_000_001);
        series.record(Long.MAX_VALUE);
        SeriesMetric metric = exact(registry, "s");
        assertThat(metric.detail().clamped()).isEqualTo(4);
        assertThat(metric.detail().negative()).isEqualTo(1);
        assertThat(metric.min()).isEqualTo(-5L);
        assertThat(metric.max()).isEqualTo(Long.MAX_VALUE);
        assertThat(metric.percentiles().get("99.9")).isEqualTo(10_000_001.0);
        assertThat(registry.clamped()).isEqualTo(4);
    }

    @Test
    void beyondTheBudgetForValuesPercentilesComeFromTheHistogramAndAreMarked() {
        // Room for two series' first array, and for one slab.
        Registry registry = registry(2 * 8 * RawValues.BLOCK + SlabStore.SLAB_BYTES);
        LongSeries small = registry.longSeries("small", HdrRange.DURATION_NANOS);
        LongSeries large = registry.longSeries("large", HdrRange.DURATION_NANOS);
        small.record(5);
        for (int i = 1; i <= 400_000; i++) {
            large.record(i);
        }
        assertThat(exact(registry, "small").detail().exact()).isTrue();
        SeriesMetric metric = exact(registry, "large");
        assertThat(metric.detail().exact()).isFalse();
        assertThat(metric.count()).isEqualTo(400_000);
        assertThat(metric.percentiles().get("50.0")).isBetween(200_000.0, 200_200.0);
        // Memory that one series released is available to the others.
        for (int i = 0; i < 100_000; i++) {
            small.record(i);
        }
        assertThat(exact(registry, "small").detail().exact()).isTrue();
    }

    @Test
    void hdrHistogramReadsAndMergesTheEncodedHistogram() throws DataFormatException {
        Registry registry = registry(Long.MAX_VALUE);
        LongSeries a = registry.longSeries("a", HdrRange.DURATION_NANOS);
        LongSeries b = registry.longSeries("b", HdrRange.DURATION_NANOS);
        for (int i = 1; i <= 1000; i++) {
            a.record(i * 1_000_000L);
            b.record(i * 1_000_000_000L);
        }
        Histogram merged = decode(exact(registry, "a"));
        merged.add(decode(exact(registry, "b")));
        assertThat(merged.getTotalCount()).isEqualTo(2000);
        assertThat(merged.getValueAtPercentile(50)).isBetween(999_000_000L, 1_001_000_000L);
    }

    private static Histogram decode(SeriesMetric metric) throws DataFormatException {
        return Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(metric.detail().hdr()), 1);
    }

    @Test
    void addedSeriesEqualOneSeriesWithAllValues() {
        Random random = new Random(Seed.next(SeriesTest.class));
        Registry parts = registry(Long.MAX_VALUE);
        LongSeries a = parts.longSeries("s", HdrRange.DURATION_NANOS);
        LongSeries b = parts.longSeries("other", HdrRange.DURATION_NANOS);
        Registry whole = registry(Long.MAX_VALUE);
        LongSeries all = whole.longSeries("s", HdrRange.DURATION_NANOS);
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong() >> random.nextInt(60);
            (i % 3 == 0 ? a : b).record(value);
            all.record(value);
        }
        a.add(b);
        assertThat(exact(parts, "s")).usingRecursiveComparison().isEqualTo(exact(whole, "s"));
    }

    @Test
    void series_of_different_ranges_or_kinds_cannot_be_added() {
        Registry parts = registry(0);
        LongSeries durations = parts.longSeries("s", HdrRange.DURATION_NANOS);
        LongSeries tokens = parts.longSeries("tokens", HdrRange.TOKENS);
        assertThatThrownBy(() -> durations.add(tokens)).hasMessageContaining("series tokens cannot be added to s");
        Registry other = registry(0);
        other.doubleSeries("s", HdrRange.DURATION_NANOS);
        assertThatThrownBy(() -> RegistrySum.of(List.of(parts, other), new RawBudget(0)))
                .hasMessage("series s is of two kinds");
    }

    @Test
    void recordingAllocatesNothingButSlabs() {
        Registry registry = registry(0);
        LongSeries series = registry.longSeries("s", HdrRange.DURATION_NANOS);
        series.record(1);
        var threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        for (int i = 0; i < 20_000; i++) {
            series.record(i);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000_000; i++) {
            series.record(i * 1000L);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    }

    private static Registry registry(long budget) {
        return new Registry(3, 30, new RawBudget(budget));
    }

    private static SeriesMetric exact(Registry registry, String name) {
        return find(registry.renderExact(registry.newCopy(), false, new TwoThreads(), () -> false), name);
    }

    private static SeriesMetric live(Registry registry, String name) {
        RegistryCopy copy = registry.newCopy();
        registry.copyInto(copy);
        return find(copy.render(), name);
    }

    private static SeriesMetric find(List<Metric> metrics, String name) {
        return metrics.stream()
                .filter(metric -> metric.name().equals(name))
                .map(SeriesMetric.class::cast)
                .findFirst()
                .orElseThrow();
    }
}
