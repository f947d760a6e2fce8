package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    @Test
    void aChangedIntervalCountsFromTheNextTickOn() {
        TickSchedule ticks = new TickSchedule(0, 100);
        ticks.changeInterval(40);
        assertThat(ticks.nanosUntilDue(0)).isEqualTo(100);
        ticks.take(100);
        assertThat(ticks.nanosUntilDue(100)).isEqualTo(40);
        // A tick that is asked for before it is due is not counted as skipped.
        ticks.take(60);
        assertThat(ticks.nanosUntilDue(60)).isEqualTo(120);
        assertThat(ticks.skipped()).isZero();
    }

    @Test
    void anIntervalOfZeroIsRefused() {
        assertThat(new TickSchedule(0, 1).nanosUntilDue(0)).isEqualTo(1);
        assertThatThrownBy(() -> new TickSchedule(0, 0)).hasMessage("tick interval 0 ns is below 1");
    }
}
