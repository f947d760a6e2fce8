package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures.Composition;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures.Part;
import java.util.ArrayList;
import java.util.List;

/** Stacked bars of the time to first token: the mean of all samples, and of the slowest 1 %. */
final class ServerTimePlots {
    private static final double PERCENT = 100;

    private ServerTimePlots() {}

    /** At most one plot; none without server times. */
    static List<Breakdown> of(MetricsSnapshot snapshot) {
        ServerTimeFigures figures = snapshot.extensions().optional().serverTimes();
        Composition mean = figures == null ? null : figures.mean();
        Composition slowest = figures == null ? null : figures.slowest();
        if (figures == null || mean == null || slowest == null) {
            return List.of();
        }
        List<Part> parts = figures.parts();
        return List.of(new Breakdown(
                "server-times",
                "Time to first token by part",
                AxisUnit.PERCENT,
                Plot.Scale.LINEAR,
                parts.stream().map(Part::title).toList(),
                List.of(row("mean", mean, parts), row("slowest 1 %", slowest, parts))));
    }

    private static Breakdown.Row row(String name, Composition of, List<Part> parts) {
        List<Breakdown.Bar> bars = new ArrayList<>();
        double from = 0;
        for (int i = 0; i < parts.size(); i++) {
            double to = from + PERCENT * of.share(parts.get(i));
            bars.add(new Breakdown.Bar(i, from, to));
            from = to;
        }
        return new Breakdown.Row(
                name,
                bars,
                Figures.duration(of.ttftNanos()) + ", " + of.largest().title() + " "
                        + Figures.share(of.share(of.largest())));
    }
}
