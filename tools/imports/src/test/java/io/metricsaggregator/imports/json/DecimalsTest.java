package io.metricsaggregator.imports.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class DecimalsTest {
    @Test
    void seconds_become_the_nearest_nanosecond_and_halves_the_even_one() {
        assertThat(Decimals.nanos(new BigDecimal("0.0000000005"), 9)).isZero();
        assertThat(Decimals.nanos(new BigDecimal("0.0000000015"), 9)).isEqualTo(2);
        assertThat(Decimals.nanos(new BigDecimal("-0.0000000015"), 9)).isEqualTo(-2);
        assertThat(Decimals.nanos(new BigDecimal("1700000000.123456789"), 9)).isEqualTo(1_700_000_000_123_456_789L);
        assertThat(Decimals.nanos(new BigDecimal("310.0"), 6)).isEqualTo(310_000_000L);
    }

    @Test
    void numbers_of_any_exponent_are_refused_or_zero_at_once() {
        assertThat(Decimals.nanos(new BigDecimal("1e999999999"), 9)).isNull();
        assertThat(Decimals.nanos(new BigDecimal("1e-999999999"), 9)).isZero();
        assertThat(Decimals.nanos(new BigDecimal("9223372036.854775807"), 9)).isEqualTo(Long.MAX_VALUE);
        assertThat(Decimals.nanos(new BigDecimal("9223372036.854775808"), 9)).isNull();
        assertThat(Decimals.plain(new BigDecimal("1e-999999999"))).isZero();
    }
}
