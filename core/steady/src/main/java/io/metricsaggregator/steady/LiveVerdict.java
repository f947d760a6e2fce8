package io.metricsaggregator.steady;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The live state after a number of closed blocks. Block numbers count from the first block of the run.
 *
 * @param state the state; not yet confirmed by a second closing
 * @param judged closed blocks in all
 * @param warmup initial blocks that are left out
 * @param since first block of the present level; for other states than {@code steady} and {@code shifted} the warm-up
 * @param closed closed blocks after the warm-up
 * @param cov coefficient of variation of the closed blocks after the warm-up; of the present level when steady; NaN for none
 * @param drift relative drift over the closed blocks after the warm-up; NaN for none
 * @param p p value of that drift by the Hamed-Rao test; NaN for fewer than four blocks
 * @param shift change of the level in percent; null unless {@code shifted}
 */
public record LiveVerdict(
        LiveState state,
        int judged,
        int warmup,
        int since,
        int closed,
        double cov,
        double drift,
        double p,
        @Nullable Double shift) {
    /** Share of the peak in flight below which a rising number in flight means warming up. */
    private static final double FULL = 0.95;

    private static final double SHIFT_MIN = 0.05;

    /**
     * Judges the closed blocks of a run.
     *
     * @param driver value of the driving metric per closed block, in order of time; NaN where the block has none
     * @param inFlight samples in flight at the end of each closed block, of the same length; empty if unknown
     */
    public static LiveVerdict of(double[] driver, double[] inFlight) {
        int warmup = driver.length == 0 ? 1 : Plateaus.warmupKeepingPlateaus(driver);
        double[] rest = Descriptive.slice(driver, Math.min(warmup, driver.length), driver.length);
        double cov = rest.length == 0 ? Double.NaN : Descriptive.cov(rest);
        double drift = rest.length == 0 ? Double.NaN : LinearFit.relativeDrift(rest);
        if (rest.length < Admissibility.BLOCKS_MIN || fills(inFlight)) {
            double p = rest.length < Admissibility.BLOCKS_MIN
                    ? Double.NaN
                    : MannKendall.hamedRao(rest).p();
            return new LiveVerdict(
                    LiveState.WARMING_UP, driver.length, warmup, warmup, rest.length, cov, drift, p, null);
        }
        MannKendall trend = MannKendall.hamedRao(rest);
        List<Span> plateaus = Plateaus.find(Admissibility.STRICT, List.of(rest));
        ChangePoint change = ChangePoint.of(rest);
        Double shift = change.isSignificant() ? shift(rest, plateaus) : null;
        if (shift != null) {
            int since = warmup + change.position();
            return new LiveVerdict(
                    LiveState.SHIFTED, driver.length, warmup, since, rest.length, cov, drift, trend.p(), shift);
        }
        if (trend.isSignificant() && Math.abs(drift) >= Admissibility.DRIFT_MAX) {
            LiveState state = drift > 0 ? LiveState.DRIFTING_UP : LiveState.DRIFTING_DOWN;
            return new LiveVerdict(state, driver.length, warmup, warmup, rest.length, cov, drift, trend.p(), null);
        }
        for (int from = 0; from + Admissibility.BLOCKS_MIN <= rest.length; from++) {
            double[] suffix = Descriptive.slice(rest, from, rest.length);
            if (Admissibility.STRICT.admits(suffix)) {
                double level = Descriptive.cov(suffix);
                return new LiveVerdict(
                        LiveState.STEADY,
                        driver.length,
                        warmup,
                        warmup + from,
                        rest.length,
                        level,
                        drift,
                        trend.p(),
                        null);
            }
        }
        return new LiveVerdict(
                LiveState.UNSTEADY, driver.length, warmup, warmup, rest.length, cov, drift, trend.p(), null);
    }

    /**
     * The verdict to show: the latest state that two closings in a row agree on, so that a single odd block changes nothing; warming up while no two agree.
     * Its figures are those of the last closing where that has the state, else of the later of these two, and of the blocks up to then.
     */
    public static LiveVerdict shown(double[] driver, double[] inFlight) {
        LiveVerdict last = after(driver, inFlight, driver.length);
        LiveVerdict later = last;
        for (int closed = driver.length - 1; closed >= 0; closed--) {
            LiveVerdict earlier = after(driver, inFlight, closed);
            if (earlier.state() == later.state()) {
                return last.state() == later.state() ? last : later;
            }
            later = earlier;
        }
        return later;
    }

    private static LiveVerdict after(double[] driver, double[] inFlight, int closed) {
        return of(Arrays.copyOf(driver, closed), Arrays.copyOf(inFlight, Math.min(closed, inFlight.length)));
    }

    /** Whether the number in flight still rises towards a maximum that the latest block has not reached. */
    private static boolean fills(double[] inFlight) {
        if (inFlight.length < Admissibility.BLOCKS_MIN) {
            return false;
        }
        double peak = 0;
        for (double each : inFlight) {
            peak = Math.max(peak, each);
        }
        return inFlight[inFlight.length - 1] < FULL * peak
                && MannKendall.hamedRao(inFlight).verdict() == TrendVerdict.UP;
    }

    /** The change in percent from the first plateau to the first later one that differs by more than 5 %; null if none does. */
    private static @Nullable Double shift(double[] values, List<Span> plateaus) {
        for (Span each : plateaus.subList(Math.min(1, plateaus.size()), plateaus.size())) {
            double before = mean(values, plateaus.get(0));
            double change = (mean(values, each) - before) / before;
            if (Math.abs(change) > SHIFT_MIN) {
                return 100 * change;
            }
        }
        return null;
    }

    private static double mean(double[] values, Span span) {
        return Descriptive.mean(Descriptive.slice(values, span.from(), span.to()));
    }
}
