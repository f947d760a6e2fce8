package io.metricsaggregator.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Fast ways to write numbers and to read percentiles")
class DecimalsTest {
    @Test
    void numbers_read_as_string_format_writes_them() {
        long seed = 7;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            double size = Math.pow(10, random.nextInt(24) - 8);
            double value = (random.nextDouble() - 0.5) * size;
            // Every fourth has few decimals, so that many are in the middle between two results.
            assertEqual(i % 4 == 0 ? Math.rint(value * 1000) / 1000 : value, random.nextInt(11), seed);
        }
    }

    @Test
    void middles_signs_and_extremes_read_as_string_format_writes_them() {
        double[] values = {
            0,
            -0.0,
            0.05,
            0.15,
            0.25,
            -0.25,
            0.35,
            1.005,
            2.675,
            0.04,
            -0.04,
            0.95,
            999.95,
            999.5,
            1000,
            999_999.5,
            1_234_567.891,
            1e11,
            1e12,
            1e15,
            1e300,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY
        };
        for (double value : values) {
            for (int digits = 0; digits <= 10; digits++) {
                assertEqual(value, digits, 0);
            }
        }
    }

    private static void assertEqual(double value, int digits, long seed) {
        assertThat(Decimals.fixed(value, digits))
                .as("%s with %d decimals, seed %d", value, digits, seed)
                .isEqualTo(String.format(Locale.ROOT, "%." + digits + "f", value));
        assertThat(Decimals.grouped(value, digits))
                .as("%s with %d decimals and commas, seed %d", value, digits, seed)
                .isEqualTo(String.format(Locale.ROOT, "%,." + digits + "f", value));
    }
}
