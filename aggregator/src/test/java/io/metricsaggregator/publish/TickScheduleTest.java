package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickScheduleTest {

    @Test
    void ticksKeepTheirRhythmWhenTheyAreALittleLate() {
        TickSchedule ticks = new TickSchedule(1000, 100);
        assertThat(ticks.nanosUntilDue(1000)).isEqualTo(100);
        assertThat(ticks.nanosUntilDue(1130)).isEqualTo(-30);
        ticks.take(1130);
        assertThat(ticks.nanosUntilDue(1130)).isEqualTo(70);
        assertThat(ticks.skipped()).isZero();
    }

    @Test
    void aFreezeCostsOneLateTickAndNoBurst() {
        TickSchedule ticks = new TickSchedule(0, 100);
        ticks.take(100);
        // Ten seconds of freeze: one tick now, the rest is skipped, and the next is a full step of the rhythm away.
        ticks.take(10_250);
        assertThat(ticks.nanosUntilDue(10_250)).isEqualTo(50);
        assertThat(ticks.skipped()).isEqualTo(100);
    }
}
