package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickScheduleTest {

    @Test
    void ticksKeepTheirScheduleWhenSlightlyLate() {
        TickSchedule ticks = new TickSchedule(1000, 100);
        assertThat(ticks.nanosUntilDue(1000)).isEqualTo(100);
        assertThat(ticks.nanosUntilDue(1130)).isEqualTo(-30);
        ticks.take(1130);
        assertThat(ticks.nanosUntilDue(1130)).isEqualTo(70);
        assertThat(ticks.skipped()).isZero();
    }

    @Test
    void aPauseCausesOneLateTickAndNoBurst() {
        TickSchedule ticks = new TickSchedule(0, 100);
        ticks.take(100);
        // A pause of ten seconds: one tick now, missed ticks are skipped, and the next one is a full interval later.
        ticks.take(10_250);
        assertThat(ticks.nanosUntilDue(10_250)).isEqualTo(50);
        assertThat(ticks.skipped()).isEqualTo(100);
    }
}
