package io.metricsaggregator.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EarlyStoppingTest {

    @ParameterizedTest
    @CsvSource({"0,0.99,459", "0,0.90,44", "1,0.99,661", "1,0.999,6635", "2,0.95,163"})
    void minimumQueryCountsEqualThoseOfLoadGen(long above, double p, long expected) {
        assertThat(EarlyStopping.minPassing(above, p)).isEqualTo(expected);
    }

    @Test
    void theSeventySeventhLargestOfTenThousandIsTheEstimateOfP99() {
        assertThat(EarlyStopping.order(10_000, 0.99)).isEqualTo(77);
        assertThat(EarlyStopping.order(661, 0.99)).isZero();
        assertThat(EarlyStopping.order(662, 0.99)).isEqualTo(1);
        assertThat(EarlyStopping.order(0, 0.5)).isZero();
        assertThat(EarlyStopping.order(1, 0.5)).isZero();
    }

    @Test
    void theOrderIsTheLargestWithAMinimumWithinTheCount() {
        for (double p : new double[] {0.5, 0.75, 0.8, 0.9, 0.95, 0.97, 0.99}) {
            long t = 0;
            for (int n = 1; n <= 3000; n++) {
                while (EarlyStopping.minPassing(t + 1, p) + t + 1 <= n) {
                    t++;
                }
                assertThat(EarlyStopping.order(n, p)).as("n %d, p %s", n, p).isEqualTo(t);
            }
        }
    }

    @Test
    void oddsAreTheBinomialTailSum() {
        for (double p : new double[] {0.5, 0.9, 0.99, 0.999}) {
            for (int n = 2; n <= 400; n += 7) {
                for (int t = 0; t < Math.min(n, 12); t++) {
                    assertThat(EarlyStopping.odds(n - t, t, p))
                            .as("n %d, t %d, p %s", n, t, p)
                            .isCloseTo(binomialTail(n, t, p), within(1e-12));
                }
            }
        }
    }

    /** P(Binomial(n, 1 − p) ≤ t), term by term in 40 digits. */
    private static double binomialTail(int n, int t, double p) {
        MathContext digits = new MathContext(40);
        BigDecimal pass = new BigDecimal(p);
        BigDecimal fail = BigDecimal.ONE.subtract(pass);
        BigDecimal sum = BigDecimal.ZERO;
        BigInteger choose = BigInteger.ONE;
        for (int k = 0; k <= t; k++) {
            sum = sum.add(
                    new BigDecimal(choose).multiply(fail.pow(k, digits)).multiply(pass.pow(n - k, digits)), digits);
            choose = choose.multiply(BigInteger.valueOf(n - k)).divide(BigInteger.valueOf(k + 1L));
        }
        return sum.doubleValue();
    }

    @Test
    void hundredsOfMillionsOfValuesTakeAFewEvaluations() {
        long t = EarlyStopping.order(300_000_000L, 0.5);
        assertThat(EarlyStopping.odds(300_000_000L - t, t, 0.5)).isLessThan(0.01);
        assertThat(EarlyStopping.odds(300_000_000L - t - 1, t + 1, 0.5)).isGreaterThanOrEqualTo(0.01);
    }
}
