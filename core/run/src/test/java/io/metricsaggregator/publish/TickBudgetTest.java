package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickBudgetTest {
    private static final long MILLI = 1_000_000L;

    private final TickBudget budget = new TickBudget(10 * MILLI, 0);

    @Test
    void threeConsecutiveSnapshotsAboveTheShareOfTheReceivingThreadDoubleTheInterval() {
        assertThat(budget.spent(MILLI, 0)).isFalse();
        assertThat(budget.spent(MILLI, 0)).isFalse();
        assertThat(budget.spent(MILLI, 0)).isTrue();
        assertThat(budget.intervalNanos()).isEqualTo(20 * MILLI);
        assertThat(budget.lengthened()).isEqualTo(1);
    }

    @Test
    void renderingForMoreThanHalfOfTheTimeDoublesTheInterval() {
        for (int i = 0; i < 3; i++) {
            budget.spent(0, 6 * MILLI);
        }
        assertThat(budget.intervalNanos()).isEqualTo(20 * MILLI);
    }

    @Test
    void aCostEqualToTheShareIsWithinTheBudget() {
        for (int i = 0; i < 10; i++) {
            // 5 % of the receiving thread, half of the rendering thread.
            assertThat(budget.spent(MILLI / 2, 5 * MILLI)).isFalse();
        }
        assertThat(budget.intervalNanos()).isEqualTo(10 * MILLI);
        assertThat(budget.lengthened()).isZero();
    }

    @Test
    void theIntervalHalvesAfterTwentyConsecutiveCheapSnapshots() {
        for (int i = 0; i < 3; i++) {
            budget.spent(MILLI, 0);
        }
        for (int i = 0; i < 100; i++) {
            // A quarter of the budget of 20 ms: after halving the interval it is half of the budget.
            budget.spent(MILLI / 4, 0);
        }
        assertThat(budget.intervalNanos()).isEqualTo(20 * MILLI);
        for (int i = 0; i < 19; i++) {
            assertThat(budget.spent(MILLI / 10, 0)).isFalse();
        }
        assertThat(budget.spent(MILLI / 10, 0)).isTrue();
        assertThat(budget.intervalNanos()).isEqualTo(10 * MILLI);
        for (int i = 0; i < 50; i++) {
            assertThat(budget.spent(MILLI / 100, 0)).isFalse();
        }
    }

    @Test
    void twoExpensiveSnapshotsAmongCheapOnesChangeNothing() {
        for (int i = 0; i < 30; i++) {
            budget.spent(i % 3 == 0 ? MILLI / 10 : MILLI, 0);
        }
        assertThat(budget.intervalNanos()).isEqualTo(10 * MILLI);
    }

    @Test
    void withCheapSnapshotsTheIntervalReturnsToTheRequestedOneAndNotBelow() {
        for (int i = 0; i < 6; i++) {
            budget.spent(3 * MILLI, 0);
        }
        assertThat(budget.intervalNanos()).isEqualTo(40 * MILLI);
        for (int i = 0; i < 200; i++) {
            budget.spent(MILLI / 100, 0);
        }
        assertThat(budget.intervalNanos()).isEqualTo(10 * MILLI);
        assertThat(budget.lengthened()).isEqualTo(2);
    }

    @Test
    void theIntervalNeverExceedsTenSecondsOrTheRequestedOne() {
        for (int i = 0; i < 100; i++) {
            budget.spent(1000_000 * MILLI, 0);
        }
        assertThat(budget.intervalNanos()).isEqualTo(10_000 * MILLI);
        assertThat(budget.lengthened()).as("10 ms doubled up to 10 s").isEqualTo(10);
        TickBudget slow = new TickBudget(60_000 * MILLI, 0);
        for (int i = 0; i < 100; i++) {
            slow.spent(1000_000 * MILLI, 0);
        }
        assertThat(slow.intervalNanos()).isEqualTo(60_000 * MILLI);
    }

    @Test
    void theFirstSnapshotsMayCostFourTimesAsMuchBecauseTheJvmIsCold() {
        TickBudget first = new TickBudget(10 * MILLI);
        for (int i = 0; i < TickBudget.COLD; i++) {
            assertThat(first.spent(2 * MILLI, 20 * MILLI)).as("snapshot %d", i).isFalse();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(first.spent(MILLI, 0)).isFalse();
        }
        assertThat(first.spent(MILLI, 0)).isTrue();
        TickBudget heavy = new TickBudget(10 * MILLI);
        for (int i = 0; i < 2; i++) {
            assertThat(heavy.spent(3 * MILLI, 0)).isFalse();
        }
        assertThat(heavy.spent(3 * MILLI, 0)).isTrue();
    }
}
