package io.metricsaggregator.registry.sum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.registry.Seed;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LongSummaryStatistics;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactSumsTest {

    @Test
    void integerSumsEqualUnboundedArithmetic() {
        long seed = Seed.next(ExactSumsTest.class);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            ExactSums sums = new ExactSums();
            BigInteger total = BigInteger.ZERO;
            BigInteger squares = BigInteger.ZERO;
            // Every third round stays below 2^31, where a block is added up in another way.
            long mask = round % 3 == 0 ? Integer.MAX_VALUE : -1;
            long[] block = new long[500];
            int size = 0;
            for (int i = 0; i < block.length; i++) {
                long value = switch (random.nextInt(6)) {
                            case 0 -> Long.MAX_VALUE;
                            case 1 -> Long.MIN_VALUE;
                            case 2 -> random.nextInt(3) - 1;
                            default -> random.nextLong() >> random.nextInt(64);
                        }
                        & mask;
                block[size++] = value;
                if (random.nextInt(20) == 0) {
                    add(sums, block, size);
                    size = 0;
                }
                total = total.add(BigInteger.valueOf(value));
                squares = squares.add(BigInteger.valueOf(value).pow(2));
            }
            add(sums, block, size);
            assertThat(sums.total()).isEqualTo(total);
            assertThat(sums.squares()).isEqualTo(squares);
        }
    }

    private static void add(ExactSums sums, long value) {
        add(sums, new long[] {value}, 1);
    }

    private static void add(ExactSums sums, long[] values, int size) {
        LongSummaryStatistics bounds = Arrays.stream(values, 0, size).summaryStatistics();
        sums.add(values, size, bounds.getMin(), bounds.getMax());
    }

    @Test
    void addedSumsEqualTheSumOfAllValues() {
        Random random = new Random(Seed.next(ExactSumsTest.class));
        ExactSums a = new ExactSums();
        ExactSums b = new ExactSums();
        ExactSums all = new ExactSums();
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong();
            add(i % 3 == 0 ? a : b, value);
            add(all, value);
        }
        a.add(b);
        assertThat(a.total()).isEqualTo(all.total());
        assertThat(a.squares()).isEqualTo(all.squares());
    }

    @Test
    void theDeviationOfLargeNearlyEqualValuesIsExact() {
        // The reference answers 0 here, because its sum of squares is a rounded double.
        ExactSums sums = new ExactSums();
        long base = 300_000_000_000_000_000L;
        for (int i = 0; i < 5; i++) {
            add(sums, base + i);
        }
        assertThat(sums.standardDeviation(5)).isCloseTo(Math.sqrt(2.5), within(1e-12));
        assertThat(new ExactSums().standardDeviation(1)).isNull();
    }

    @Test
    void realSumsAreCompensatedAndTheirDeviationIsStable() {
        RealSums sums = new RealSums();
        RealSums first = new RealSums();
        RealSums second = new RealSums();
        Random random = new Random(Seed.next(ExactSumsTest.class));
        java.math.BigDecimal total = java.math.BigDecimal.ZERO;
        int n = 100_000;
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            values[i] = 1e9 + random.nextGaussian();
            sums.add(values[i]);
            (i < n / 3 ? first : second).add(values[i]);
            total = total.add(new java.math.BigDecimal(values[i]));
        }
        double mean = total.doubleValue() / n;
        double spread = 0;
        for (double value : values) {
            spread += (value - mean) * (value - mean);
        }
        double deviation = Math.sqrt(spread / (n - 1));
        assertThat(sums.total()).isCloseTo(total.doubleValue(), within(total.doubleValue() * 1e-15));
        assertThat(sums.standardDeviation()).isCloseTo(deviation, within(deviation * 1e-6));
        first.add(second);
        assertThat(first.standardDeviation()).isCloseTo(deviation, within(deviation * 1e-6));
        assertThat(first.total()).isCloseTo(total.doubleValue(), within(total.doubleValue() * 1e-15));
    }
}
