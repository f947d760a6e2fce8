package io.metricsaggregator.steady;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The statistics against figures that MLCommons' own functions, or an independent script, computed. */
class StatisticsTest {
    private static final double[] LEVEL = {20.0, 20.2, 19.9, 20.1, 20.0, 19.8, 20.1, 20.0};
    private static final double[] STEEP =
            IntStream.range(0, 10).mapToDouble(i -> 20 + 0.2 * i).toArray();
    private static final double[] FLAT =
            IntStream.range(0, 10).mapToDouble(i -> 20 + 0.02 * i).toArray();
    private static final double[] HALVED = {10, 10.1, 9.9, 10, 10.1, 10, 20, 20.1, 19.9, 20, 20.2, 20};

    @Test
    void a_level_has_no_trend() {
        MannKendall test = MannKendall.hamedRao(LEVEL);
        assertEquals(-4, test.s());
        assertEquals(60.667, test.variance(), 0.0005);
        assertEquals(1, test.correction());
        assertEquals(-0.385, test.z(), 0.0005);
        assertEquals(0.700, test.p(), 0.0005);
        assertEquals(0.005826, Descriptive.cov(LEVEL), 5e-7);
        assertEquals(-0.00375, LinearFit.relativeDrift(LEVEL), 5e-6);
        assertEquals(TrendVerdict.STEADY, test.verdict());
    }

    @Test
    void a_rise_is_significant_with_the_variance_that_autocorrelation_inflates() {
        MannKendall test = MannKendall.hamedRao(STEEP);
        assertEquals(45, test.s());
        assertEquals(125, MannKendall.plain(STEEP).variance());
        assertEquals(1.98, test.correction(), 0.005);
        assertEquals(2.797, test.z(), 0.0005);
        assertEquals(0.00516, test.p(), 5e-6);
        assertEquals(TrendVerdict.UP, test.verdict());
        assertEquals(0.0861, LinearFit.relativeDrift(STEEP), 5e-5);
    }

    @Test
    void a_tenth_of_the_rise_is_as_significant_but_below_the_floor_of_five_percent() {
        assertEquals(MannKendall.hamedRao(STEEP).p(), MannKendall.hamedRao(FLAT).p());
        assertEquals(0.0090, LinearFit.relativeDrift(FLAT), 5e-5);
        assertTrue(Admissibility.MLCOMMONS.admits(FLAT));
        assertFalse(Admissibility.MLCOMMONS.admits(STEEP));
    }

    @Test
    void equal_values_have_no_variance_and_are_steady() {
        double[] constant = new double[8];
        Arrays.fill(constant, 20);
        assertEquals(0, MannKendall.plain(constant).variance());
        assertEquals(TrendVerdict.STEADY, MannKendall.hamedRao(constant).verdict());
    }

    @Test
    void a_change_of_level_is_found_in_the_middle() {
        ChangePoint change = ChangePoint.of(HALVED);
        assertEquals(6, change.position());
        assertEquals(36, change.k());
        assertEquals(0.0314, change.p(), 5e-5);
        MannKendall test = MannKendall.hamedRao(HALVED);
        assertEquals(39, test.s());
        assertEquals(204.33, test.variance(), 0.005);
        assertEquals(0.00785, test.p(), 5e-6);
    }

    @Test
    void four_rising_values_cannot_be_significant_and_five_can() {
        assertEquals(1.698, MannKendall.hamedRao(new double[] {1, 2, 3, 4}).z(), 0.0005);
        assertEquals(0.0894, MannKendall.hamedRao(new double[] {1, 2, 3, 4}).p(), 5e-5);
        assertEquals(0.0275, MannKendall.hamedRao(new double[] {1, 2, 3, 4, 5}).p(), 5e-5);
        double[] drifting = {20, 20.5, 21, 21.5};
        assertTrue(Admissibility.MLCOMMONS.admits(drifting));
        assertFalse(Admissibility.STRICT.admits(drifting));
    }

    @Test
    void batch_means_give_an_interval_by_students_t() {
        BatchMeans interval = BatchMeans.of(new double[] {300, 302, 304, 298});
        assertEquals(301, interval.mean());
        assertEquals(4.108, interval.halfWidth(), 0.0005);
        assertEquals(1.96, BatchMeans.t95(31));
    }

    @Test
    void each_test_of_the_diagnostics_sees_a_trend_and_none_in_a_level() {
        double[] rising =
                IntStream.range(0, 10).mapToDouble(i -> 20 + i + 0.1 * (i % 3)).toArray();
        double[] falling = Arrays.stream(rising).map(each -> 50 - each).toArray();
        for (TrendTest each : TrendTest.values()) {
            assertEquals(TrendVerdict.STEADY, each.verdict(LEVEL), each.wire());
            assertEquals(TrendVerdict.UP, each.verdict(rising), each.wire());
            assertEquals(TrendVerdict.DOWN, each.verdict(falling), each.wire());
            assertEquals(TrendVerdict.INSUFFICIENT, each.verdict(new double[] {1, 2, 3}), each.wire());
        }
        assertEquals("mk_hamed_rao", TrendTest.MK_HAMED_RAO.wire());
    }

    @Test
    void ranks_of_equal_values_are_by_position_or_shared() {
        double[] values = {3, 1, 3, 2};
        assertArrayEquals(new double[] {3, 1, 4, 2}, Ranks.ordinal(values));
        assertArrayEquals(new double[] {3.5, 1, 3.5, 2}, Ranks.averaged(values));
    }

    @Test
    void a_held_level_that_was_left_is_not_taken_for_warm_up() {
        assertEquals(6, Plateaus.warmup(HALVED));
        assertEquals(1, Plateaus.warmupKeepingPlateaus(HALVED));
        double[] rest = Descriptive.slice(HALVED, 1, HALVED.length);
        assertEquals(
                java.util.List.of(new Span(0, 5), new Span(5, 11)),
                Plateaus.find(Admissibility.STRICT, java.util.List.of(rest)));
        ChangePoint change = ChangePoint.of(rest);
        assertEquals(5, change.position());
        assertEquals(30, change.k());
        assertEquals(0.0485, change.p(), 5e-5);
    }
}
