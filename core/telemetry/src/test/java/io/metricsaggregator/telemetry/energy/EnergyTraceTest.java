package io.metricsaggregator.telemetry.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.telemetry.fold.Allowance;
import org.junit.jupiter.api.Test;

/** The worked numbers of counters and gauges over windows; times in seconds. */
class EnergyTraceTest {
    private static final double NO_WRAP = Double.NaN;

    private static EnergyTrace trace() {
        return new EnergyTrace(Allowance.unlimited());
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
    }

    private static EnergySpan over(EnergyTrace trace, double from, double to) {
        return trace.over(nanos(from), nanos(to));
    }

    private static EnergyTrace counter(double... joules) {
        EnergyTrace trace = trace();
        for (int i = 0; i < joules.length; i++) {
            trace.count(nanos(i), joules[i], NO_WRAP);
        }
        return trace;
    }

    @Test
    void the_edges_of_a_window_are_interpolated_between_the_samples_around_them() {
        EnergySpan energy = over(counter(1000, 1400, 1800, 2300), 0.5, 2.5);
        assertThat(energy.joules()).isCloseTo(850, within(1e-9));
        assertThat(energy.coveredNanos()).isEqualTo(nanos(2));
        assertThat(energy.joules() / (energy.coveredNanos() / 1e9)).isCloseTo(425, within(1e-9));
    }

    @Test
    void a_window_beyond_the_samples_covers_only_the_time_between_them() {
        EnergySpan energy = over(counter(1000, 1400, 1800, 2300), -5, 10);
        assertThat(energy.joules()).isEqualTo(1300);
        assertThat(energy.coveredNanos()).isEqualTo(nanos(3));
        assertThat(energy.samples()).isEqualTo(4);
    }

    @Test
    void an_edge_between_samples_more_than_three_intervals_apart_moves_to_the_sample_inside() {
        EnergyTrace trace = counter(0, 100, 200, 300, 400, 500);
        trace.count(nanos(9), 900, NO_WRAP);
        trace.count(nanos(10), 1000, NO_WRAP);
        EnergySpan late = over(trace, 7, 10);
        assertThat(late.joules()).isEqualTo(100);
        assertThat(late.coveredNanos()).isEqualTo(nanos(1));
        assertThat(over(trace, 6, 8)).isEqualTo(EnergySpan.NONE);
        // Between two edges the growth of a counter is known however far its samples are apart.
        assertThat(over(trace, 4, 10).joules()).isEqualTo(600);
    }

    @Test
    void the_time_around_a_reset_is_not_covered_and_the_reset_is_counted() {
        EnergySpan energy = over(counter(1000, 1400, 50, 450, 850), 0, 4);
        assertThat(energy.joules()).isEqualTo(1200);
        assertThat(energy.coveredNanos()).isEqualTo(nanos(3));
        assertThat(energy.resets()).isEqualTo(1);
    }

    @Test
    void a_counter_with_a_known_range_wraps() {
        EnergyTrace trace = trace();
        double wrap = 262_143_328_850L * 1e-6;
        trace.count(0, 262_100_000_000L * 1e-6, wrap);
        trace.count(nanos(1), 1_500_000 * 1e-6, wrap);
        EnergySpan energy = over(trace, 0, 1);
        assertThat(energy.joules()).isCloseTo(44.828850, within(1e-6));
        assertThat(energy.resets()).isZero();
    }

    @Test
    void repeated_values_of_a_counter_are_no_samples() {
        EnergyTrace trace = trace();
        // An exporter that reads the device every 3 s and is scraped every second.
        for (int i = 0; i <= 30; i++) {
            trace.count(nanos(i), 100.0 * 3 * (i / 3), NO_WRAP);
        }
        assertThat(trace.points()).isEqualTo(11);
        assertThat(over(trace, 4, 10).joules()).isCloseTo(600, within(1e-9));
    }

    @Test
    void a_counter_that_never_moves_measures_nothing() {
        assertThat(counter(0, 0, 0, 0).isMeasured()).isFalse();
    }

    @Test
    void a_jump_that_no_device_can_take_counts_as_a_reset() {
        EnergySpan energy = over(counter(0, 400, 1e15, 1e15 + 400), 0, 3);
        assertThat(energy.joules()).isCloseTo(800, within(1.0));
        assertThat(energy.resets()).isEqualTo(1);
    }

    @Test
    void a_gauge_is_integrated_by_trapezoids_with_its_edges() {
        EnergyTrace trace = trace();
        trace.power(0, 100);
        trace.power(nanos(1), 300);
        trace.power(nanos(2), 500);
        assertThat(over(trace, 0, 2).joules()).isCloseTo(600, within(1e-9));
        // Power is 200 W at 0.5 s and 400 W at 1.5 s.
        assertThat(over(trace, 0.5, 1.5).joules()).isCloseTo(300, within(1e-9));
        assertThat(over(trace, 0, 0.5).joules()).isCloseTo(75, within(1e-9));
    }

    @Test
    void a_gauge_does_not_cover_a_hole_of_more_than_three_intervals() {
        EnergyTrace trace = trace();
        for (int i = 0; i < 5; i++) {
            trace.power(nanos(i), 100);
        }
        trace.power(nanos(10), 100);
        EnergySpan energy = over(trace, 0, 10);
        assertThat(energy.joules()).isEqualTo(400);
        assertThat(energy.coveredNanos()).isEqualTo(nanos(4));
    }

    @Test
    void thinning_keeps_sums_and_bounds_the_error_at_edges() {
        EnergyTrace all = new EnergyTrace(Allowance.unlimited(), 1 << 20);
        EnergyTrace thinned = new EnergyTrace(Allowance.unlimited(), 64);
        double joules = 0;
        for (int i = 0; i <= 10_000; i++) {
            all.count(nanos(i), joules, NO_WRAP);
            thinned.count(nanos(i), joules, NO_WRAP);
            joules += 400 + 300 * Math.sin(i / 50.0);
        }
        assertThat(thinned.points()).isLessThanOrEqualTo(64);
        assertThat(over(thinned, 0, 10_000).joules())
                .isCloseTo(over(all, 0, 10_000).joules(), within(1e-3));
        assertThat(over(thinned, 0, 10_000).samples()).isEqualTo(10_001);
        // Points are at most 10,000 / 32 s apart, and the power between them ranges over 600 W.
        double bound = 2 * (10_000 / 32.0) / 4 * 600;
        for (double from = 3; from < 5000; from += 371.3) {
            double difference = over(thinned, from, from + 4000).joules()
                    - over(all, from, from + 4000).joules();
            assertThat(Math.abs(difference)).as("from %s", from).isLessThan(bound);
        }
    }

    @Test
    void a_trace_without_memory_counts_what_it_leaves_out() {
        EnergyTrace trace = new EnergyTrace(new Allowance(10));
        trace.count(0, 1, NO_WRAP);
        trace.count(nanos(1), 2, NO_WRAP);
        assertThat(trace.isMeasured()).isFalse();
        assertThat(trace.leftOut()).isPositive();
    }
}
