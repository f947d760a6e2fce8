package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Report;
import java.util.LinkedHashMap;
import java.util.Map;

/** The plots of a report as SVG files. */
public final class PlotFiles {
    private PlotFiles() {}

    /** SVG documents by file name; empty without time slices and histograms. */
    public static Map<String, String> svg(Report report) {
        Map<String, String> files = new LinkedHashMap<>();
        for (Plot plot : Plots.of(report.snapshot())) {
            files.put(plot.key() + ".svg", SvgPlot.render(plot, true).toString());
        }
        return files;
    }
}
