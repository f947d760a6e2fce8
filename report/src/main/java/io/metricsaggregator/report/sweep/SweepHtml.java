package io.metricsaggregator.report.sweep;

import io.metricsaggregator.report.html.HtmlPage;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.report.plot.SvgPlot;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Rules;
import io.metricsaggregator.sweep.Sweep;
import java.util.ArrayList;
import java.util.List;

/** A sweep as one HTML file without scripts and external resources: plots, tables and what follows from the points. */
final class SweepHtml {
    private static final String FOOTER =
            "Rendered by metrics-aggregator from final snapshots: tables and plots show the same numbers.";
    private static final String LEGEND =
            "Filled circles: points of complete runs whose verdict is not invalid. Rings: other points, and the Offline point; none is on the front,"
                    + " unless asked for. The front is drawn as steps and holds between points. Bars: smallest and largest value of repeats; circles: their median.";

    private SweepHtml() {}

    static String render(Sweep sweep) {
        Markup main = new Markup();
        for (Curve curve : sweep.curves()) {
            main.open("section").element("h2", "Summary" + of(curve)).open("ul");
            CurveLines.of(sweep, curve).forEach(each -> main.element("li", each));
            main.close().close();
        }
        plots(main, sweep);
        for (Curve curve : sweep.curves()) {
            PointTable points = PointTable.of(curve);
            main.open("section").element("h2", "Points" + of(curve));
            HtmlPage.table(main, points.head(), points.rows());
            main.close();
        }
        for (Curve curve : sweep.curves()) {
            rules(main, curve);
        }
        differences(main, sweep);
        Markup header = new Markup()
                .open("header")
                .element("h1", "Sweep")
                .element("p", count(sweep))
                .close();
        return HtmlPage.render("Sweep", header, main, FOOTER);
    }

    private static String of(Curve curve) {
        return curve.name().isEmpty() ? "" : " of " + CurveLines.title(curve);
    }

    private static String count(Sweep sweep) {
        int points =
                sweep.curves().stream().mapToInt(each -> each.points().size()).sum();
        int runs = sweep.curves().stream()
                .flatMap(each -> each.points().stream())
                .mapToInt(each -> each.runs().size())
                .sum();
        return points + (points == 1 ? " point" : " points") + " of " + runs + (runs == 1 ? " run" : " runs") + ", "
                + sweep.options().y().title() + " over " + sweep.options().x().title();
    }

    private static void plots(Markup main, Sweep sweep) {
        List<Plot> plots = SweepPlots.of(sweep);
        if (plots.isEmpty()) {
            return;
        }
        main.open("section").element("h2", "Plots").open("div", "class", "plots");
        plots.forEach(
                each -> main.open("figure").add(SvgPlot.render(each, false)).close());
        main.close().element("p", LEGEND, "class", "small").close();
    }

    private static void rules(Markup main, Curve curve) {
        main.open("section").element("h2", "Rules of MLPerf Endpoints (draft of 2026-05-05)" + of(curve));
        List<List<String>> rows = new ArrayList<>();
        for (Rules.Check each : curve.rules().checks()) {
            rows.add(List.of(each.rule(), CurveLines.outcome(each.outcome()), each.evidence()));
        }
        HtmlPage.table(main, List.of("rule", "", "found"), rows);
        String regions = CurveLines.regions(curve);
        if (regions != null) {
            main.element("p", regions, "class", "small");
        }
        main.close();
    }

    private static void differences(Markup main, Sweep sweep) {
        List<String> differences = SweepText.differences(sweep);
        if (differences.isEmpty()) {
            return;
        }
        main.open("section").element("h2", "Differences between the runs").open("ul");
        differences.forEach(each -> main.element("li", each));
        main.close().close();
    }
}
