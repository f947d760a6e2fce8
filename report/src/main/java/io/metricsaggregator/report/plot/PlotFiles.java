package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Report;
import java.util.LinkedHashMap;
import java.util.Map;

/** The plots of a report as files. */
public final class PlotFiles {
    private PlotFiles() {}

    /** SVG by file name. */
    public static Map<String, String> svg(Report report) {
        Map<String, String> files = new LinkedHashMap<>();
        for (Plot plot : Plots.of(report.snapshot())) {
            files.put(plot.key() + ".svg", SvgPlot.render(plot, true));
        }
        return files;
    }
}
