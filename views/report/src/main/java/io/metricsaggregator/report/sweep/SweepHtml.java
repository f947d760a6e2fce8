package io.metricsaggregator.report.sweep;

import io.metricsaggregator.report.html.HtmlPage;
import io.metricsaggregator.report.html.HtmlPlots;
import io.metricsaggregator.report.html.HtmlTable;
import io.metricsaggregator.report.html.PageBody;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.report.plot.PlotGroup;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.sweep.Curve;
import io.metricsaggregator.sweep.Rules;
import io.metricsaggregator.sweep.Sweep;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A sweep as one HTML file without scripts and external resources: plots, tables and what follows from the points. */
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
            Markup out = body.section("Summary" + of(curve)).open("ul");
            CurveLines.of(sweep, curve).forEach(each -> out.element("li", each));
            out.close();
            body.end();
        }
        plots(body, sweep);
        for (Curve curve : sweep.curves()) {
            PointTable points = PointTable.of(curve);
            HtmlTable.render(body.section("Points" + of(curve)), Section.Table.ofNumbers(points.head(), points.rows()));
            body.end();
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
        int points =
                sweep.curves().stream().mapToInt(each -> each.points().size()).sum();
        int runs = sweep.curves().stream()
                .flatMap(each -> each.points().stream())
                .mapToInt(each -> each.runs().size())
                .sum();
        return points + (points == 1 ? " point" : " points") + " of " + runs + (runs == 1 ? " run" : " runs") + ", "
                + sweep.options().y().title() + " over " + sweep.options().x().title();
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
        List<List<String>> rows = new ArrayList<>();
        for (Rules.Check each : curve.rules().checks()) {
            rows.add(List.of(each.rule(), CurveLines.outcome(each.outcome()), each.evidence()));
        }
        Markup out = body.section("Rules of MLPerf Endpoints (draft of 2026-05-05)" + of(curve));
        HtmlTable.render(
                out,
                new Section.Table(
                        Stream.of("rule", "result", "found")
                                .map(each -> new Section.Column(each, Section.Align.LEFT))
                                .toList(),
                        rows));
        String regions = CurveLines.regions(curve);
        if (regions != null) {
            out.element("p", regions, "class", "small");
        }
        body.end();
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
