package io.metricsaggregator.report.html;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.AxisUnit;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.report.plot.PlotGroup;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.runs.History;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Renders a history of runs as one HTML page: what changed, the levels, and a plot for each figure. */
public final class HtmlHistory {
    private static final int NAME_MAX = 60;

    private HtmlHistory() {}

    /** The complete page. */
    public static String render(
            String title,
            Section.Table table,
            List<String> changes,
            List<String> leftOut,
            List<History.Track> tracks,
            String method) {
        PageBody body = new PageBody();
        Markup out = body.section("Changes of level");
        if (changes.isEmpty()) {
            out.element("p", "No figure changed its level.");
        }
        list(out, changes);
        body.end();
        HtmlTable.render(body.section("Levels"), table);
        body.end();
        HtmlPlots.drawings(
                body.section("Runs"),
                new PlotGroup(
                        "Runs", true, tracks.stream().map(HtmlHistory::plot).toList(), List.of()));
        body.end();
        if (!leftOut.isEmpty()) {
            list(body.folded("Left out", leftOut.size() + (leftOut.size() == 1 ? " run" : " runs")), leftOut);
            body.endFolded();
        }
        body.section("Method").element("p", method, "class", "small");
        body.end();
        Markup header = new Markup()
                .open("header")
                .element("h1", "History of runs")
                .element("p", title)
                .close();
        return HtmlPage.render(
                "History", header, body, "Rendered by metrics-aggregator from the final snapshots of the runs.");
    }

    private static void list(Markup out, List<String> lines) {
        out.open("ul");
        lines.forEach(each -> out.element("li", each));
        out.close();
    }

    private static Plot plot(History.Track track) {
        int count = track.values().size();
        double[] xs = IntStream.rangeClosed(1, count).mapToDouble(i -> i).toArray();
        double[] ys = track.values().stream().mapToDouble(each -> each).toArray();
        List<String> names = track.runs().stream()
                .map(each -> Printable.escape(each.name(), NAME_MAX))
                .toList();
        List<Plot.Curve> curves = new ArrayList<>();
        curves.add(new Plot.Curve("runs", Plot.Mark.LINE, xs, ys));
        curves.add(new Plot.Curve("", Plot.Mark.DOTS, xs, ys, count > 30 ? List.of() : blanks(names, track)));
        curves.add(levels(track, count));
        return new Plot(
                track.figure().replace('.', '_'),
                (track.group().isEmpty() ? "" : Printable.escape(track.group(), NAME_MAX) + ": ") + track.figure(),
                new Plot.Axis("run", AxisUnit.of(""), Plot.Scale.LINEAR),
                new Plot.Axis("", AxisUnit.of(track.unit()), Plot.Scale.LINEAR),
                curves);
    }

    /** The names of the runs that began a level; the others would lie over each other. */
    private static List<String> blanks(List<String> names, History.Track track) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int at = i;
            shown.add(track.changes().stream().anyMatch(each -> each.at() == at) ? names.get(i) : "");
        }
        return shown;
    }

    private static Plot.Curve levels(History.Track track, int count) {
        List<History.Change> changes = track.changes();
        double[] xs = new double[2 * changes.size() + 2];
        double[] ys = new double[xs.length];
        for (int i = 0; i <= changes.size(); i++) {
            xs[2 * i] = i == 0 ? 1 : changes.get(i - 1).at() + 1;
            xs[2 * i + 1] = i == changes.size() ? count : changes.get(i).at();
            ys[2 * i] = ys[2 * i + 1] = track.levels().get(i);
        }
        return new Plot.Curve("level", Plot.Mark.SEGMENTS, xs, ys);
    }
}
