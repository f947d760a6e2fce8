package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.plot.Breakdown;
import io.metricsaggregator.report.plot.CurvePath;
import io.metricsaggregator.report.plot.Decimals;
import io.metricsaggregator.report.plot.Plot;
import io.metricsaggregator.report.plot.PlotGroup;
import io.metricsaggregator.report.plot.PlotScale;
import io.metricsaggregator.report.plot.Readout;
import java.util.List;

/**
 * Draws plots as part of a page. Curves are SVG that stretches with the page; titles, ticks, legends and values are text of the page, so that they have
 * its size at any width. Values show while the pointer is over a band of the plot, by style rules alone, and stand in a table below; {@link PlotScript} moves
 * along them by keyboard.
 */
public final class HtmlPlots {
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 400;
    /** Number of colours and dashes in the stylesheet. */
    private static final int STYLES = 8;

    private HtmlPlots() {}

    /** Appends groups that a reader can fold; a single group without a fold. */
    static void groups(Markup out, List<PlotGroup> groups) {
        for (PlotGroup group : groups) {
            if (groups.size() == 1 && group.open()) {
                drawings(out, group);
                continue;
            }
            String[] open =
                    group.open() ? new String[] {"class", "group", "open", ""} : new String[] {"class", "group"};
            out.open("details", open).open("summary").text(group.title() + " ");
            out.element("span", group.size() == 1 ? "1 plot" : group.size() + " plots", "class", "small");
            out.close();
            drawings(out, group);
            out.close();
        }
    }

    /** Appends the plots of a group. */
    public static void drawings(Markup out, PlotGroup group) {
        out.open("div", "class", "plots");
        group.plots().forEach(each -> plot(out, each));
        group.breakdowns().forEach(each -> breakdown(out, each));
        out.close();
    }

    private static void plot(Markup out, Plot plot) {
        PlotScale scale = new PlotScale(plot);
        out.open("figure", "class", "plot", "id", "plot-" + plot.key());
        out.open("figcaption").element("b", plot.title());
        out.element("span", plot.y().title(), "class", "unit").close();
        out.open("div", "class", "frame");
        for (double tick : scale.yTicks()) {
            out.element("span", plot.y().unit().tick(tick), "class", "y", "style", "bottom:" + percent(scale.y(tick)));
        }
        curves(out, plot, scale);
        for (double tick : scale.xTicks()) {
            out.element("span", plot.x().unit().tick(tick), "class", "x", "style", "left:" + percent(scale.x(tick)));
        }
        List<Readout> bands = Readout.of(plot, scale);
        for (Readout each : bands) {
            String place = "left:" + percent(each.from()) + ";width:" + percent(each.to() - each.from());
            readout(out, each.from() > 0.5 ? "h r" : "h", place, each.lines());
        }
        points(out, plot, scale);
        out.close();
        if (!plot.x().title().isEmpty()) {
            out.element("p", plot.x().title(), "class", "axis");
        }
        legend(out, plot);
        PlotValues.render(out, plot, bands);
        out.close();
    }

    /** A place with values that show while the pointer is over it. */
    private static void readout(Markup out, String kind, String place, List<String> lines) {
        out.open("i", "class", kind, "style", place, "tabindex", "-1")
                .open("span")
                .element("b", lines.get(0));
        lines.stream().skip(1).forEach(line -> out.empty("br").text(line));
        out.close().close();
    }

    /** Appends dots and rings, which would be ellipses in a drawing that stretches. */
    private static void points(Markup out, Plot plot, PlotScale scale) {
        for (int number = 0; number < plot.curves().size(); number++) {
            Plot.Curve curve = plot.curves().get(number);
            if (curve.mark() != Plot.Mark.DOTS && curve.mark() != Plot.Mark.RINGS) {
                continue;
            }
            String style = (curve.mark() == Plot.Mark.DOTS ? "dot k" : "dot ring k")
                    + plot.styles().get(number) % STYLES;
            for (int i = 0; i < curve.xs().length; i++) {
                double x = curve.xs()[i];
                double y = curve.ys()[i];
                if (!scale.isDrawn(x, y)) {
                    continue;
                }
                String place = "left:" + percent(scale.x(x)) + ";bottom:" + percent(scale.y(y));
                String label = i < curve.labels().size() ? curve.labels().get(i) : "";
                if (!label.isEmpty()) {
                    out.element("span", label, "class", scale.x(x) > 0.9 ? "label end" : "label", "style", place);
                }
                readout(out, scale.x(x) > 0.5 ? style + " r" : style, place, plot.point(curve, i));
            }
        }
    }

    private static void curves(Markup out, Plot plot, PlotScale scale) {
        out.open(
                "svg",
                "viewBox",
                "0 0 " + WIDTH + " " + HEIGHT,
                "preserveAspectRatio",
                "none",
                "role",
                "img",
                "aria-label",
                plot.title());
        StringBuilder grid = new StringBuilder();
        for (double tick : scale.yTicks()) {
            grid.append('M')
                    .append("0 ")
                    .append(CurvePath.fixed(HEIGHT - scale.y(tick) * HEIGHT))
                    .append('h')
                    .append(WIDTH);
        }
        for (double tick : scale.xTicks()) {
            grid.append('M')
                    .append(CurvePath.fixed(scale.x(tick) * WIDTH))
                    .append(" 0v")
                    .append(HEIGHT);
        }
        out.empty("path", "class", "g", "d", grid.toString());
        CurvePath path = new CurvePath(scale, 0, HEIGHT, WIDTH, HEIGHT);
        for (int i : plot.drawingOrder()) {
            Plot.Curve curve = plot.curves().get(i);
            String drawn = path.of(curve);
            if (!drawn.isEmpty()) {
                out.empty("path", "class", style(curve.mark(), plot.styles().get(i)), "d", drawn);
            }
        }
        out.close();
    }

    private static String style(Plot.Mark mark, int number) {
        return switch (mark) {
                    case LINE, STEPS -> "c c";
                    case SEGMENTS -> "c thin c";
                    case DOTS, RINGS -> "c c";
                    case BROAD -> "c broad c";
                    case BARS -> "bars f";
                }
                + number % STYLES;
    }

    private static void legend(Markup out, Plot plot) {
        List<Integer> styles = plot.styles();
        if (styles.get(styles.size() - 1) == 0) {
            return;
        }
        out.open("ul", "class", "legend");
        for (int i = 0; i < plot.curves().size(); i++) {
            Plot.Curve curve = plot.curves().get(i);
            if (curve.isPart()) {
                continue;
            }
            out.open("li").open("svg", "viewBox", "0 0 24 8", "aria-hidden", "true");
            out.empty("path", "class", style(curve.mark(), styles.get(i)), "d", "M2 4h20")
                    .close();
            out.text(curve.name()).close();
        }
        out.close();
    }

    private static void breakdown(Markup out, Breakdown plot) {
        out.open("figure", "class", "plot", "id", "plot-" + plot.key());
        out.open("figcaption").element("b", plot.title()).close();
        out.open("div", "class", "rows");
        for (Breakdown.Row row : plot.rows()) {
            out.element("span", row.name(), "class", "name").open("div", "class", "track");
            for (Breakdown.Bar bar : row.bars()) {
                double from = plot.place(bar.from());
                String place = "left:" + percent(from) + ";width:" + percent(plot.place(bar.to()) - from);
                out.open("i", "class", "bar f" + 4 * bar.part() % STYLES, "style", place)
                        .close();
            }
            out.close().element("span", row.text(), "class", "value");
        }
        out.close();
        if (plot.legend().size() > 1) {
            out.open("ul", "class", "legend");
            for (int i = 0; i < plot.legend().size(); i++) {
                out.open("li").open("i", "class", "key f" + 4 * i % STYLES).close();
                out.text(plot.legend().get(i)).close();
            }
            out.close();
        }
        out.close();
    }

    /** A share of the frame as CSS writes it. */
    private static String percent(double share) {
        return Decimals.fixed(100 * share, 2) + "%";
    }
}
