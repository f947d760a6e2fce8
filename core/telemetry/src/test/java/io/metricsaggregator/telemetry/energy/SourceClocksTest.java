package io.metricsaggregator.telemetry.energy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Clocks of sources on the clock of the producers; times in seconds. */
class SourceClocksTest {
    private static final long SECOND = 1_000_000_000L;

    private final SourceClocks clocks = new SourceClocks();

    @Test
    void a_source_of_the_producers_host_needs_no_offset_even_if_its_records_are_late() {
        clocks.received("a", 100 * SECOND, 104 * SECOND, 103 * SECOND);
        assertThat(clocks.offsetNanos("a")).isZero();
    }

    @Test
    void the_fastest_record_places_the_clock_of_another_host() {
        clocks.received("a", 5_100 * SECOND, 104 * SECOND, 103 * SECOND);
        clocks.received("a", 5_110 * SECOND, 111 * SECOND, 111 * SECOND);
        assertThat(clocks.offsetNanos("a")).isEqualTo(-4_999 * SECOND);
        assertThat(clocks.offsetNanos("unknown")).isZero();
    }

    @Test
    void producers_of_another_host_are_placed_likewise() {
        clocks.received("a", 100 * SECOND, 100 * SECOND, 900 * SECOND);
        // The same moment is 100 on the source's clock and 900 on the producers'.
        assertThat(clocks.offsetNanos("a")).isEqualTo(800 * SECOND);
    }
}
