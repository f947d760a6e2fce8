package io.metricsaggregator.report.plot;

import java.util.ArrayList;
import java.util.List;

/** Chooses the ticks of an axis. */
final class Ticks {
    private static final int MAX = 6;
    /** Steps of a clock in seconds. */
    private static final double[] CLOCK = {
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400
    };

    private static final double[][] DIGITS = {{1}, {1, 2, 5}, {1, 1.5, 2, 3, 5, 7}};
    private static final double[] NINES = {0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999};

    private Ticks() {}

    /**
     * The values with a tick.
     *
     * @param from lower end as a position on the scale ({@link Plot.Scale#place})
     * @param to upper end as a position
     */
    static List<Double> of(Plot.Axis axis, double from, double to) {
        return switch (axis.scale()) {
            case LINEAR -> linear(axis.unit(), from, to);
            case LOG -> log(from, to);
            case NINES -> nines(from, to);
        };
    }

    private static List<Double> linear(AxisUnit unit, double from, double to) {
        double step = step(to - from);
        if (unit.form() == AxisUnit.Form.CLOCK && step >= 1) {
            step = CLOCK[CLOCK.length - 1] * Math.ceil((to - from) / MAX / CLOCK[CLOCK.length - 1]);
            for (int i = CLOCK.length - 1; i >= 0 && (to - from) / CLOCK[i] <= MAX + 1; i--) {
                step = CLOCK[i];
            }
        }
        return multiples(step, from, to);
    }

    /** The smallest of 1, 2 and 5 times a power of ten that divides the length into at most {@value MAX} parts. */
    private static double step(double length) {
        double power = Math.pow(10, Math.floor(Math.log10(length / MAX)));
        for (double digit : new double[] {1, 2, 5}) {
            if (length / (digit * power) <= MAX) {
                return digit * power;
            }
        }
        return 10 * power;
    }

    private static List<Double> multiples(double step, double from, double to) {
        List<Double> ticks = new ArrayList<>();
        double first = Math.ceil(from / step - 1e-9);
        for (double i = first; i * step <= to + step * 1e-9 && ticks.size() <= 2 * MAX; i++) {
            ticks.add(i == 0 ? 0 : i * step);
        }
        return ticks;
    }

    /** Powers of ten; in a narrow range more digits, at last equal steps, so that at least two ticks stand. */
    private static List<Double> log(double from, double to) {
        for (double[] digits : DIGITS) {
            List<Double> ticks = new ArrayList<>();
            for (int decade = (int) Math.floor(from); decade <= to; decade++) {
                for (double digit : digits) {
                    double at = decade + Math.log10(digit);
                    if (at >= from - 1e-9 && at <= to + 1e-9) {
                        ticks.add(digit * Math.pow(10, decade));
                    }
                }
            }
            if (ticks.size() > 2) {
                return thinned(ticks);
            }
        }
        double low = Math.pow(10, from);
        double high = Math.pow(10, to);
        return multiples(step(high - low), low, high);
    }

    /** Every second or third tick of a scale with too many. */
    private static List<Double> thinned(List<Double> ticks) {
        int step = (ticks.size() + MAX) / (MAX + 1);
        List<Double> thinned = new ArrayList<>();
        for (int i = 0; i < ticks.size(); i += step) {
            thinned.add(ticks.get(i));
        }
        return thinned;
    }

    private static List<Double> nines(double from, double to) {
        List<Double> ticks = new ArrayList<>();
        for (double tick : NINES) {
            double at = Plot.Scale.NINES.place(tick);
            if (at >= from - 1e-9 && at <= to + 1e-9) {
                ticks.add(tick);
            }
        }
        return ticks;
    }
}
