package io.metricsaggregator.steady;

import java.util.ArrayList;
import java.util.List;

/** Divides a run of blocks into plateaus, and finds the warm-up before the first. */
final class Plateaus {
    /** A block is off the level of the run if it differs by more than this share. */
    private static final double LEVEL_BAND = 0.05;

    private Plateaus() {}

    /**
     * The plateaus from left to right: from each start the span grows while every gated trajectory is admissible; the next plateau begins behind it.
     *
     * @param trajectories one array per gated metric, each with a value per block; NaN where a block has none
     */
    static List<Span> find(Admissibility rule, List<double[]> trajectories) {
        int blocks = trajectories.get(0).length;
        List<Span> plateaus = new ArrayList<>();
        for (int from = 0; from + Admissibility.BLOCKS_MIN <= blocks; ) {
            int to = from + Admissibility.BLOCKS_MIN;
            while (to <= blocks && admits(rule, trajectories, from, to)) {
                to++;
            }
            to--;
            if (to - from >= Admissibility.BLOCKS_MIN) {
                plateaus.add(new Span(from, to));
                from = to;
            } else {
                from++;
            }
        }
        return plateaus;
    }

    static boolean admits(Admissibility rule, List<double[]> trajectories, int from, int to) {
        for (double[] each : trajectories) {
            if (!rule.admits(Descriptive.slice(each, from, to))) {
                return false;
            }
        }
        return true;
    }

    /**
     * The number of initial blocks off the level of the run's second half, by more than 5 % on either side: at least 1, at most half. Rule of MLCommons'
     * diagnostics; with fewer than four values 1.
     *
     * @param driver a value per block; blocks without a value are left out by the caller, as there
     */
    static int warmup(double[] driver) {
        int blocks = driver.length;
        if (blocks < Admissibility.BLOCKS_MIN) {
            return 1;
        }
        double level = Descriptive.medianAboveZero(Descriptive.slice(driver, blocks / 2, blocks));
        int dropped = 0;
        while (dropped < Math.max(1, blocks / 2) && Math.abs(driver[dropped] - level) / level > LEVEL_BAND) {
            dropped++;
        }
        return Math.max(1, dropped);
    }

    /**
     * {@link #warmup}, but a level that was held and then left is not taken for warm-up: if the dropped blocks contain four in a row at one level, the
     * warm-up ends where they begin, after at least one block.
     */
    static int warmupKeepingPlateaus(double[] driver) {
        int dropped = warmup(driver);
        for (int from = 0; from + Admissibility.BLOCKS_MIN <= Math.min(dropped, driver.length); from++) {
            double[] quiet = Descriptive.slice(driver, from, from + Admissibility.BLOCKS_MIN);
            if (Descriptive.cov(quiet) <= Admissibility.COV_MAX
                    && Math.abs(LinearFit.relativeDrift(quiet)) < Admissibility.DRIFT_MAX) {
                return Math.max(1, from);
            }
        }
        return dropped;
    }
}
