package io.metricsaggregator.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
    @Test
    void a_negative_time_has_one_sign() {
        assertThat(Figures.duration(-18_061_000_000_000L)).isEqualTo("-5:01:01");
        assertThat(Figures.duration(-90_000_000_000L)).isEqualTo("-0:01:30");
        assertThat(Figures.duration(90_000_000_000L)).isEqualTo("0:01:30");
        assertThat(StallText.clock(-90_000_000_000L)).isEqualTo("-1:30");
        assertThat(StallText.clock(3_661_000_000_000L)).isEqualTo("1:01:01");
    }

    @Test
    void milliseconds_below_a_microsecond_keep_their_nanoseconds() {
        assertThat(Figures.millis(50)).isEqualTo("0.000050");
        assertThat(Figures.millis(999)).isEqualTo("0.000999");
        assertThat(Figures.millis(27_000)).isEqualTo("0.0270");
        assertThat(Figures.millis(4_870_000)).isEqualTo("4.87");
        assertThat(Figures.millis(7_044_000_000.0)).isEqualTo("7,044");
    }

    @Test
    void what_is_unknown_is_a_dash() {
        assertThat(Figures.millis(Double.NaN)).isEqualTo("-");
        assertThat(Figures.count(Double.NaN)).isEqualTo("-");
        assertThat(Figures.moment(Double.NaN)).isEqualTo("-");
        assertThat(Figures.moment(12.34)).isEqualTo("12.3");
    }
}
