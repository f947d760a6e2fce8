package io.metricsaggregator.steady;

import static io.metricsaggregator.steady.LiveState.DRIFTING_UP;
import static io.metricsaggregator.steady.LiveState.SHIFTED;
import static io.metricsaggregator.steady.LiveState.STEADY;
import static io.metricsaggregator.steady.LiveState.UNSTEADY;
import static io.metricsaggregator.steady.LiveState.WARMING_UP;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The live state, closing by closing. */
class LiveVerdictTest {
    private static final double[] STEPPED = {
        10, 10.1, 9.9, 10, 10.1, 10, 20, 20.1, 19.9, 20, 20.2, 20, 20.1, 19.9, 20, 20
    };

    @Test
    void a_run_that_settles_is_steady_since_the_first_block_at_its_level() {
        double[] values = {14, 18, 20, 20.2, 19.9, 20.1, 20, 19.8, 20.1, 20};
        assertEquals(WARMING_UP, after(values, 4).state());
        assertEquals(2, after(values, 4).closed());
        assertEquals(WARMING_UP, after(values, 5).state());
        for (int n = 6; n <= values.length; n++) {
            assertEquals(STEADY, after(values, n).state(), n + " blocks");
            assertEquals(2, after(values, n).since(), n + " blocks");
        }
    }

    @Test
    void a_drift_is_steady_until_it_exceeds_five_percent() {
        double[] values = IntStream.range(0, 10).mapToDouble(i -> 20 + 0.2 * i).toArray();
        double[] drifts = {0.0293, 0.0388, 0.0483, 0.0577};
        for (int n = 5; n <= 8; n++) {
            assertEquals(n < 8 ? STEADY : DRIFTING_UP, after(values, n).state(), n + " blocks");
            assertEquals(drifts[n - 5], after(values, n).drift(), 5e-5);
        }
        assertEquals(DRIFTING_UP, after(values, 10).state());
    }

    @Test
    void a_drift_below_five_percent_stays_steady() {
        double[] values = IntStream.range(0, 10).mapToDouble(i -> 20 + 0.02 * i).toArray();
        for (int n = 5; n <= 10; n++) {
            assertEquals(STEADY, after(values, n).state(), n + " blocks");
        }
    }

    @Test
    void a_change_of_level_passes_from_unsteady_to_shifted() {
        LiveState[] expected = {
            STEADY,
            STEADY,
            UNSTEADY,
            UNSTEADY,
            UNSTEADY,
            STEADY,
            DRIFTING_UP,
            SHIFTED,
            SHIFTED,
            SHIFTED,
            SHIFTED,
            SHIFTED
        };
        for (int n = 5; n <= 16; n++) {
            assertEquals(expected[n - 5], after(STEPPED, n).state(), n + " blocks");
        }
        assertEquals(0.318, after(STEPPED, 7).cov(), 0.0005);
        LiveVerdict shifted = after(STEPPED, 12);
        assertEquals(6, shifted.since());
        assertEquals(99.9, java.util.Objects.requireNonNull(shifted.shift()), 0.05);
    }

    @Test
    void a_state_is_shown_after_two_closings_in_a_row() {
        LiveState[] shown = new LiveState[STEPPED.length + 1];
        for (int n = 1; n <= STEPPED.length; n++) {
            shown[n] =
                    LiveVerdict.shown(Arrays.copyOf(STEPPED, n), new double[0]).state();
        }
        assertEquals(WARMING_UP, shown[5]);
        assertEquals(STEADY, shown[6]);
        assertEquals(STEADY, shown[7]);
        for (int n = 8; n <= 12; n++) {
            assertEquals(UNSTEADY, shown[n], n + " blocks");
        }
        assertEquals(SHIFTED, shown[13]);
    }

    @Test
    void the_figures_shown_are_those_of_the_closing_that_has_the_state() {
        LiveVerdict shown = LiveVerdict.shown(Arrays.copyOf(STEPPED, 12), new double[0]);
        assertEquals(UNSTEADY, shown.state());
        assertEquals(9, shown.judged(), "the last two closings in a row with the same state end after nine blocks");
        assertEquals(after(STEPPED, 9), shown);
        assertEquals(
                14, LiveVerdict.shown(Arrays.copyOf(STEPPED, 14), new double[0]).judged());
    }

    @Test
    void values_that_scatter_are_unsteady() {
        double[] values = {20, 26, 17, 25, 18, 27, 19, 26};
        for (int n = 6; n <= 8; n++) {
            assertEquals(UNSTEADY, after(values, n).state(), n + " blocks");
        }
    }

    @Test
    void a_steady_driver_warms_up_while_the_number_in_flight_rises() {
        double[] driver = {20, 20, 20, 20, 20, 20, 20, 20};
        double[] rising = {1, 10, 20, 30, 40, 50, 100, 90};
        assertEquals(WARMING_UP, LiveVerdict.of(driver, rising).state());
        double[] full = {1, 10, 20, 30, 40, 50, 100, 96};
        assertEquals(STEADY, LiveVerdict.of(driver, full).state());
    }

    @Test
    void no_block_at_all_is_warming_up() {
        assertEquals(WARMING_UP, after(STEPPED, 0).state());
        assertEquals(WARMING_UP, after(STEPPED, 1).state());
    }

    private static LiveVerdict after(double[] values, int closed) {
        return LiveVerdict.of(Arrays.copyOf(values, closed), new double[0]);
    }
}
