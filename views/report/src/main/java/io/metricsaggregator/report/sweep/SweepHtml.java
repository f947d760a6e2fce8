package io.metricsaggregator.report.sweep;

import io.metricsaggregator.report.html.HtmlPage;
import io.metricsaggregator.report.html.HtmlPlots;
import io.metricsaggregator.report.html.HtmlTable;
import io.metricsaggregator.report.html.PageBody;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.report.plot.PlotGroup;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Sweep;
import java.util.List;
import java.util.stream.Collectors;

/** A sweep as one HTML file without external resources: plots, tables and what follows from the points. */
final class SweepHtml {
    private static final String FOOTER =
            "Rendered by metrics-aggregator from final snapshots: tables and plots show the same numbers.";
    private static final String LEGEND =
            "Filled circles: points of complete runs whose verdict is not invalid. Rings: other points, and the Offline point; none is on the front,"
                    + " unless asked for. The front is drawn as steps and holds between points. Bars: smallest and largest value of repeats; circles: their median.";

    private SweepHtml() {}

    static String render(Sweep sweep) {
        PageBody body = new PageBody();
        for (Curve curve : sweep.curves()) {
            Markup out = body.section("Points" + of(curve));
            HtmlTable.render(out, PointTable.of(sweep, curve));
            out.open("ul");
            CurveLines.of(sweep, curve)
                    .forEach(each -> out.open("li")
                            .element("b", each.label())
                            .text(": " + each.text())
                            .close());
            out.close();
            body.end();
        }
        plots(body, sweep);
        for (Curve curve : sweep.curves()) {
            HtmlTable.render(body.folded("All figures" + of(curve), PointTable.FULL_LINE), PointTable.full(curve));
            body.endFolded();
        }
        List<String> notes = PointTable.notes(sweep);
        if (!notes.isEmpty()) {
            Markup out = body.section("Notes on the points").open("ul");
            notes.forEach(each -> out.element("li", each));
            out.close();
            body.end();
        }
        for (Curve curve : sweep.curves()) {
            rules(body, curve);
        }
        differences(body, sweep);
        Markup header = new Markup()
                .open("header")
                .element("h1", "Sweep")
                .element("p", count(sweep))
                .close();
        return HtmlPage.render("Sweep", header, body, FOOTER);
    }

    private static String of(Curve curve) {
        return curve.name().isEmpty() ? "" : " of " + CurveLines.title(curve);
    }

    private static String count(Sweep sweep) {
        return sweep.curves().stream()
                        .map(each ->
                                (each.name().isEmpty() ? "" : CurveLines.title(each) + ", ") + CurveLines.count(each))
                        .collect(Collectors.joining("; "))
                + "; " + sweep.options().y().title() + " over "
                + sweep.options().x().title();
    }

    private static void plots(PageBody body, Sweep sweep) {
        List<Plot> plots = SweepPlots.of(sweep);
        if (plots.isEmpty()) {
            return;
        }
        Markup out = body.section("Plots");
        HtmlPlots.drawings(out, new PlotGroup("Sweep", true, plots, List.of()));
        out.element("p", LEGEND, "class", "small");
        body.end();
    }

    private static void rules(PageBody body, Curve curve) {
        Markup out = body.folded(CurveLines.RULES + of(curve), CurveLines.rules(curve));
        HtmlTable.render(out, SweepText.rules(curve));
        String regions = CurveLines.regions(curve);
        if (regions != null) {
            out.element("p", regions, "class", "small");
        }
        body.endFolded();
    }

    private static void differences(PageBody body, Sweep sweep) {
        List<String> differences = SweepText.differences(sweep);
        if (differences.isEmpty()) {
            return;
        }
        Markup out = body.section("Differences between the runs").open("ul");
        differences.forEach(each -> out.element("li", each));
        out.close();
        body.end();
    }
}
