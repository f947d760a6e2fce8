package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Report;
import java.util.LinkedHashMap;
import java.util.Map;

/** The plots of a report as SVG files. */
public final class PlotFiles {
    private PlotFiles() {}

    /** SVG documents by file name; empty without time slices, histograms and telemetry. */
    public static Map<String, String> svg(Report report) {
        Map<String, String> files = new LinkedHashMap<>();
        for (PlotGroup group : Plots.of(report.snapshot()).all()) {
            group.plots()
                    .forEach(each -> put(files, each.key(), SvgPlot.render(each).toString()));
            group.breakdowns()
                    .forEach(each ->
                            put(files, each.key(), SvgBreakdown.render(each).toString()));
        }
        return files;
    }

    /** Adds a file; series whose names differ in punctuation alone get numbers. */
    private static void put(Map<String, String> files, String key, String drawing) {
        String name = key + ".svg";
        for (int i = 2; files.containsKey(name); i++) {
            name = key + "-" + i + ".svg";
        }
        files.put(name, drawing);
    }
}
