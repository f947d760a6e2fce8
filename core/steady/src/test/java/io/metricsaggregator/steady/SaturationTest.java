package io.metricsaggregator.steady;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SaturationTest {
    private static double[] values(int n, IntToDoubleFunction value) {
        return IntStream.range(0, n).mapToDouble(value).toArray();
    }

    @Test
    void growth_of_load_and_of_the_time_to_first_token_is_an_alert() {
        Saturation saturation = Saturation.of(values(40, i -> 10 + 2 * i), values(40, i -> 3e9 + 1e8 * i), 1);
        assertTrue(saturation.alert());
        assertEquals(2, saturation.inFlightSlope(), 1e-9);
        assertEquals(1e8, saturation.ttftSlope(), 1e-3);
        assertEquals(
                1, Saturation.of(values(40, i -> 10 + 2 * i), new double[0], 2).inFlightSlope(), 1e-9);
    }

    @Test
    void each_condition_alone_is_none() {
        double[] growing = values(40, i -> 10 + 2 * i);
        double[] slower = values(40, i -> 3e9 + 1e8 * i);
        assertFalse(Saturation.of(values(40, i -> 50), slower, 1).alert());
        assertFalse(Saturation.of(growing, values(40, i -> 3e9), 1).alert());
        assertFalse(Saturation.of(growing, values(40, i -> 1e9 + 1e7 * i), 1).alert());
        assertFalse(Saturation.of(values(29, i -> 10 + 2 * i), values(29, i -> 3e9 + 1e8 * i), 1)
                .alert());
        assertFalse(Saturation.of(values(4, i -> 10 + 2 * i), new double[0], 10).alert());
    }

    @Test
    void without_times_to_first_token_the_load_alone_decides() {
        assertTrue(Saturation.of(values(40, i -> 10 + 2 * i), new double[0], 1).alert());
        double[] unknown = new double[40];
        Arrays.fill(unknown, Double.NaN);
        assertTrue(Saturation.of(values(40, i -> 10 + 2 * i), unknown, 1).alert());
    }

    @Test
    void a_slope_within_its_noise_is_none() {
        // Slope 0.0033 a second and margin 0.0446 over the last 30 of 40 points, by an independent script.
        double[] noisy = values(40, i -> 50 + 0.01 * i + (i % 2 == 0 ? 1 : -1));
        assertFalse(Saturation.of(noisy, new double[0], 1).alert());
        double[] clear = values(40, i -> 50 + 0.05 * i + (i % 2 == 0 ? 1 : -1));
        assertTrue(Saturation.of(clear, new double[0], 1).alert());
    }

    @Test
    void only_the_last_two_minutes_count() {
        double[] settled = values(400, i -> i < 280 ? i : 280);
        assertEquals(0, Saturation.of(settled, new double[0], 1).inFlightSlope(), 1e-9);
        assertFalse(Saturation.of(settled, new double[0], 1).alert());
    }
}
