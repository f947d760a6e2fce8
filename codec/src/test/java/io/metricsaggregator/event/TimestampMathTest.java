package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.Seed;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Differences and sums anywhere in 64 bits are those of unbounded numbers, or the nearest 64-bit number. */
class TimestampMathTest {
    private static final long[] EDGES = {
        Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1, 0, 1, 2, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    private final Random random = Seed.random(TimestampMathTest.class);

    private long any() {
        return random.nextBoolean()
                ? EDGES[random.nextInt(EDGES.length)]
                : random.nextLong() >> random.nextInt(Long.SIZE);
    }

    private static long nearest(BigInteger exact) {
        return exact.max(LEAST).min(MOST).longValueExact();
    }

    @Test
    void differences_and_sums_are_exact_or_saturate() {
        for (int i = 0; i < 20_000; i++) {
            long a = any();
            long b = any();
            BigInteger difference = BigInteger.valueOf(b).subtract(BigInteger.valueOf(a));
            BigInteger sum = BigInteger.valueOf(a).add(BigInteger.valueOf(b));
            assertThat(TimestampMath.fits(a, b)).as("%d to %d", a, b).isEqualTo(difference.bitLength() < Long.SIZE);
            assertThat(TimestampMath.saturatedBetween(a, b))
                    .as("%d to %d", a, b)
                    .isEqualTo(nearest(difference));
            assertThat(TimestampMath.saturatedSum(a, b)).as("%d + %d", a, b).isEqualTo(nearest(sum));
            if (a >= 0 && b >= 0) {
                assertThat(TimestampMath.saturatedAdd(a, b)).as("%d + %d", a, b).isEqualTo(nearest(sum));
            }
        }
    }
}
