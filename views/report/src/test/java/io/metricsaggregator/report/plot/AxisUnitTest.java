package io.metricsaggregator.report.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AxisUnitTest {
    @Test
    void durations_below_a_microsecond_are_readable() {
        assertThat(AxisUnit.MILLIS.value(0.00005)).isEqualTo("50 ns");
        assertThat(AxisUnit.MILLIS.value(0.0121)).isEqualTo("12.1 µs");
        assertThat(AxisUnit.MILLIS.value(1.25)).isEqualTo("1.25 ms");
        assertThat(AxisUnit.MILLIS.value(61_500)).isEqualTo("61.5 s");
        assertThat(AxisUnit.MILLIS.value(0)).isEqualTo("0");
    }

    @Test
    void a_value_carries_its_unit_and_a_tick_leaves_it_to_the_axis() {
        assertThat(AxisUnit.of("W").value(471.96)).isEqualTo("472 W");
        assertThat(AxisUnit.of("W").tick(471.96)).isEqualTo("472");
        assertThat(AxisUnit.of("W").title("power")).isEqualTo("power, W");
        assertThat(AxisUnit.PERCENT.value(99.9)).isEqualTo("99.9 %");
        assertThat(AxisUnit.of("tokens/s").value(1_234_567)).isEqualTo("1.235 M tokens/s");
    }

    @Test
    void times_of_the_run_are_minutes_and_seconds_and_may_lie_before_its_start() {
        assertThat(AxisUnit.CLOCK.tick(0)).isEqualTo("0:00");
        assertThat(AxisUnit.CLOCK.tick(75.5)).isEqualTo("1:15.5");
        assertThat(AxisUnit.CLOCK.tick(7384)).isEqualTo("2:03:04");
        assertThat(AxisUnit.CLOCK.tick(-90)).isEqualTo("-1:30");
        assertThat(AxisUnit.CLOCK.tick(59.96)).isEqualTo("1:00");
    }
}
