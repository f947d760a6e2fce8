package io.metricsaggregator.snapshot.percentile;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.Percentile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertaintyTest {
    @Test
    void the_least_numbers_of_values_are_those_of_early_stopping() {
        assertThat(Certainty.least(50)).isEqualTo(11);
        assertThat(Certainty.least(99)).isEqualTo(662);
        assertThat(Certainty.least(99.9)).isEqualTo(6636);
    }

    @Test
    void a_low_percentile_needs_as_many_values_as_the_high_one_opposite() {
        assertThat(Certainty.least(10)).isEqualTo(Certainty.least(90));
        assertThat(Certainty.least(1)).isEqualTo(Certainty.least(99));
    }

    @Test
    void the_mark_depends_on_the_number_of_values_alone() {
        assertThat(Certainty.mark(Percentile.P99, 661)).isEqualTo("?");
        assertThat(Certainty.mark(Percentile.P99, 662)).isEmpty();
        assertThat(Certainty.mark(Percentile.P50, 1)).isEqualTo("?");
        assertThat(Certainty.missing(99, 600)).isEqualTo(62);
        assertThat(Certainty.missing(99, 1000)).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 100, -1, 101, 99.999999999999986, 1e300, Double.NaN, Double.POSITIVE_INFINITY})
    void a_number_that_is_no_percentile_is_certain_of_no_number_of_values(double percent) {
        assertThat(Certainty.least(percent)).isGreaterThan(1L << 40);
        assertThat(Certainty.isCertain(percent, 1_000_000)).isFalse();
        assertThat(Certainty.missing(percent, 3)).isPositive();
    }
}
