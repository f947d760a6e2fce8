package io.metricsaggregator.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.snapshot.figures.ClockOffset;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HostClocksTest {
    private static final long BOOT = 1_700_000_000_000_000_000L;

    @Test
    void the_offset_comes_from_the_closest_pair_of_readings_and_is_within_its_uncertainty() {
        AtomicLong now = new AtomicLong(1_000);
        AtomicInteger reading = new AtomicInteger();
        // Each reading takes longer before than after the wall clock is read; the seventh pair is the closest.
        ClockOffset offset = HostClocks.offset(now::get, () -> {
            long length = reading.incrementAndGet() == 7 ? 30 : 1_000 * reading.get();
            now.addAndGet(length * 2 / 3);
            long wall = BOOT + now.get();
            now.addAndGet(length - length * 2 / 3);
            return wall;
        });
        assertThat(offset.uncertaintyNanos()).isEqualTo(15);
        assertThat(offset.wallMinusMonotonicNanos()).isBetween(BOOT - 15, BOOT + 15);
    }

    @Test
    void an_odd_distance_is_halved_upwards_so_that_the_true_offset_is_within_it() {
        AtomicLong now = new AtomicLong();
        ClockOffset offset = HostClocks.offset(now::get, () -> BOOT + now.addAndGet(5));
        assertThat(offset).isEqualTo(new ClockOffset(BOOT + 3, 3));
    }

    @Test
    void the_offset_of_this_host_maps_the_monotonic_clock_to_the_wall_clock() {
        ClockOffset offset = HostClocks.offset(System::nanoTime);
        long before = System.currentTimeMillis();
        long mapped = (System.nanoTime() + offset.wallMinusMonotonicNanos()) / 1_000_000;
        long after = System.currentTimeMillis();
        long slack = 1_000 + offset.uncertaintyNanos() / 1_000_000;
        assertThat(mapped).isBetween(before - slack, after + slack);
        assertThat(offset.uncertaintyNanos()).isNotNegative();
    }
}
