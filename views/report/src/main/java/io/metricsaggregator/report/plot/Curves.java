package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The curves of one plot of telemetry, which share a quantity and a unit. */
final class Curves {
    /** Most curves of a plot: as many colours and dashes are distinguishable. */
    static final int MAX = 8;

    private final List<Plot.Curve> all = new ArrayList<>();

    /** Adds a line unless all its values are unmeasured. */
    void add(String name, double[] xs, double[] ys) {
        add(new Plot.Curve(name, Plot.Mark.LINE, xs, ys));
    }

    /** Adds a line that stands behind the others, unless all its values are unmeasured. */
    void addBehind(String name, double[] xs, double[] ys) {
        add(new Plot.Curve(name, Plot.Mark.BROAD, xs, ys));
    }

    private void add(Plot.Curve curve) {
        if (Arrays.stream(curve.ys()).anyMatch(Double::isFinite)) {
            all.add(curve);
        }
    }

    /** Whether there is nothing to see: no value, or only zeros. */
    boolean isEmpty() {
        return largest() == 0;
    }

    /** The largest value of all curves; 0 without one. */
    double largest() {
        double largest = 0;
        for (Plot.Curve each : all) {
            for (double y : each.ys()) {
                largest = Double.isFinite(y) ? Math.max(largest, Math.abs(y)) : largest;
            }
        }
        return largest;
    }

    /** What the title says of curves that {@link #drawn} combines or leaves out; empty if it shows each. */
    String note() {
        return all.size() <= MAX
                ? ""
                : haveSameTimes() ? " (" + all.size() + " series)" : " (" + MAX + " of " + all.size() + " series)";
    }

    /**
     * The curves to draw, with all values multiplied by a factor. More than {@value MAX} become the highest, the mean and the lowest of them at each
     * time; where their times differ, the first {@value MAX}.
     */
    List<Plot.Curve> drawn(double factor) {
        if (all.size() > MAX && haveSameTimes()) {
            return List.of(
                    combined("highest of " + all.size(), factor, Combined.HIGHEST),
                    combined("mean", factor, Combined.MEAN),
                    combined("lowest", factor, Combined.LOWEST));
        }
        return all.stream()
                .limit(MAX)
                .map(each -> new Plot.Curve(each.name(), each.mark(), each.xs(), scaled(each.ys(), factor)))
                .toList();
    }

    private boolean haveSameTimes() {
        return all.stream().allMatch(each -> Arrays.equals(each.xs(), all.get(0).xs()));
    }

    private enum Combined {
        HIGHEST,
        MEAN,
        LOWEST
    }

    private Plot.Curve combined(String name, double factor, Combined how) {
        double[] xs = all.get(0).xs();
        double[] ys = new double[xs.length];
        for (int i = 0; i < ys.length; i++) {
            int at = i;
            double[] values = all.stream()
                    .mapToDouble(each -> each.ys()[at])
                    .filter(Double::isFinite)
                    .toArray();
            ys[i] = factor
                    * switch (how) {
                        case HIGHEST -> Arrays.stream(values).max().orElse(Double.NaN);
                        case MEAN -> Arrays.stream(values).average().orElse(Double.NaN);
                        case LOWEST -> Arrays.stream(values).min().orElse(Double.NaN);
                    };
        }
        return new Plot.Curve(name, Plot.Mark.LINE, xs, ys);
    }

    private static double[] scaled(double[] values, double factor) {
        return Arrays.stream(values).map(each -> each * factor).toArray();
    }

    /** Values of a list, as many as there are times: NaN where the list is short, or has no number. */
    static double[] values(@Nullable Object list, int size) {
        List<?> values = Tree.list(list);
        double[] ys = new double[size];
        for (int i = 0; i < size; i++) {
            ys[i] = i < values.size() ? Tree.real(values.get(i)) : Double.NaN;
        }
        return ys;
    }
}
