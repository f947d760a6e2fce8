package io.metricsaggregator.report.plot;

import java.util.List;

/** Builds plots over time. */
final class TimePlot {
    private static final Plot.Axis TIME =
            new Plot.Axis("time since the start of the session", AxisUnit.CLOCK, Plot.Scale.LINEAR);

    private TimePlot() {}

    /** A plot from 0 on. */
    static Plot linear(String key, String title, AxisUnit unit, List<Plot.Curve> curves) {
        return new Plot(key, title, TIME, new Plot.Axis("", unit, Plot.Scale.LINEAR), curves);
    }

    /** A plot with a logarithmic axis. */
    static Plot logarithmic(String key, String title, AxisUnit unit, List<Plot.Curve> curves) {
        return new Plot(key, title, TIME, new Plot.Axis("", unit, Plot.Scale.LOG), curves);
    }

    /** A plot of telemetry, with the unit of its series. */
    static Plot of(String key, String title, SeriesUnit unit, Curves curves) {
        return linear(key, title + curves.note(), unit.axis(), curves.drawn(unit.factor()));
    }
}
