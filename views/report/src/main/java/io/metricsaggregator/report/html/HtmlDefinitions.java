package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Quantity;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.markup.Markup;

/** The list of definitions at the end of an HTML report. */
final class HtmlDefinitions {
    private HtmlDefinitions() {}

    /** Appends the list to a page. */
    static void render(Report report, Markup out) {
        out.open("dl", "class", "definitions");
        for (Quantity each : Quantity.of(report.snapshot())) {
            define(out, each.title(), each.meaning());
        }
        define(
                out,
                "requests/s",
                report.byLoadgenWindow()
                        ? "completed samples by the time from the first issue to the completion of the sample issued last, less"
                                + " one sample (MLPerf LoadGen)"
                        : "completed samples by the time of the tracked windows, each from its start to the last completion"
                                + " among its samples");
        define(out, "percentiles", "value at index floor(p·(n − 1)) of the sorted values");
        define(out, "good", "completed without an error and within every objective");
        out.close();
    }

    private static void define(Markup out, String term, String meaning) {
        out.element("dt", term).element("dd", meaning);
    }
}
