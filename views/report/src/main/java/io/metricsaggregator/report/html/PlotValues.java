package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.report.plot.Readout;
import io.metricsaggregator.report.section.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The values of a plot as a table below it that opens: the same numbers that show under the pointer. */
final class PlotValues {
    private PlotValues() {}

    /** Appends the table; nothing for a plot without values. */
    static void render(Markup out, Plot plot, List<Readout> bands) {
        Section.Table table = plot.hasPoints() ? points(plot) : curves(plot, bands);
        if (table.rows().isEmpty()) {
            return;
        }
        out.open("details", "class", "values").element("summary", "Values");
        HtmlTable.render(out, table, "Values of " + plot.title());
        out.close();
    }

    private static Section.Table curves(Plot plot, List<Readout> bands) {
        List<Integer> shown = IntStream.range(0, plot.curves().size())
                .filter(i -> bands.stream()
                        .anyMatch(each -> i < each.values().size()
                                && !each.values().get(i).isEmpty()))
                .boxed()
                .toList();
        List<String> titles = new ArrayList<>(List.of(x(plot)));
        shown.forEach(i -> titles.add(
                plot.curves().get(i).name().isEmpty()
                        ? y(plot)
                        : plot.curves().get(i).name()));
        List<List<String>> rows = new ArrayList<>();
        for (Readout each : bands) {
            List<String> row = new ArrayList<>(List.of(each.at()));
            shown.forEach(i ->
                    row.add(each.values().get(i).isEmpty() ? "-" : each.values().get(i)));
            rows.add(row);
        }
        return Section.Table.ofNumbers(titles, rows);
    }

    private static Section.Table points(Plot plot) {
        List<List<String>> rows = new ArrayList<>();
        for (Plot.Curve curve : plot.curves()) {
            boolean points = curve.mark() == Plot.Mark.DOTS || curve.mark() == Plot.Mark.RINGS;
            for (int i = 0; points && i < curve.xs().length; i++) {
                String label = i < curve.labels().size() ? curve.labels().get(i) : "";
                rows.add(List.of(
                        label.isEmpty() ? "-" : label,
                        plot.x().unit().value(curve.xs()[i]),
                        plot.y().unit().value(curve.ys()[i])));
            }
        }
        return Section.Table.ofNumbers(List.of("point", x(plot), y(plot)), rows);
    }

    private static String x(Plot plot) {
        return plot.x().title().isEmpty() ? "at" : plot.x().title();
    }

    private static String y(Plot plot) {
        return plot.y().title().isEmpty() ? plot.title() : plot.y().title();
    }
}
