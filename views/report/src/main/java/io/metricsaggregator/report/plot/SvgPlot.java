package io.metricsaggregator.report.plot;

import io.metricsaggregator.report.markup.Markup;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws a plot as an SVG document of its own, without scripts and embedded fonts. The colours (Okabe and Ito) are distinguishable without colour
 * vision, and dashes distinguish the lines too. Bands over the frame carry the values as tooltips.
 */
final class SvgPlot {
    private static final int WIDTH = 760;
    private static final int FRAME = 220;
    private static final int LEFT = 78;
    private static final int RIGHT = 22;
    private static final int TOP = 50;
    private static final int BOTTOM = 44;
    private static final int LEGEND_ROW = 18;
    private static final double LETTER = 7;
    private static final String STYLE =
            "text{font:12px system-ui,sans-serif;fill:#222}.g{stroke:#ddd;fill:none}.a{stroke:#888;fill:none}"
                    + "rect{fill:transparent}@media(prefers-color-scheme:dark){svg{background:#111}text{fill:#ddd}.g{stroke:#333}}";

    private static final String[] COLOURS = {
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b"
    };
    private static final String[] DASHES = {"", "6 3", "2 3", "8 3 2 3", "1 2", "10 4", "12 3 3 3 3 3", "4 6"};

    private final Plot plot;
    private final PlotScale scale;
    private final List<List<Integer>> legend;
    private final Markup out = new Markup();

    private SvgPlot(Plot plot) {
        this.plot = plot;
        this.scale = new PlotScale(plot);
        this.legend = legendRows(plot);
    }

    static Markup render(Plot plot) {
        return new SvgPlot(plot).render();
    }

    private Markup render() {
        int height = TOP + FRAME + BOTTOM + LEGEND_ROW * legend.size();
        out.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 " + WIDTH + " " + height,
                "role",
                "img",
                "aria-label",
                plot.title());
        out.stylesheet(STYLE);
        text(LEFT, 18, "start", plot.title(), "font-weight", "600");
        text(LEFT, 38, "start", plot.y().title());
        axes();
        CurvePath path = new CurvePath(scale, LEFT, TOP + FRAME, WIDTH - LEFT - RIGHT, FRAME);
        plot.drawingOrder()
                .forEach(i -> curve(plot.curves().get(i), plot.styles().get(i), path));
        readouts();
        legend();
        return out.close();
    }

    private void axes() {
        for (double tick : scale.yTicks()) {
            double y = TOP + FRAME - scale.y(tick) * FRAME;
            line("g", LEFT, y, WIDTH - RIGHT, y);
            text(LEFT - 6, y + 4, "end", plot.y().unit().tick(tick));
        }
        for (double tick : scale.xTicks()) {
            double x = LEFT + scale.x(tick) * (WIDTH - LEFT - RIGHT);
            line("g", x, TOP, x, TOP + FRAME);
            text(x, TOP + FRAME + 16, "middle", plot.x().unit().tick(tick));
        }
        line("a", LEFT, TOP + FRAME, WIDTH - RIGHT, TOP + FRAME);
        line("a", LEFT, TOP, LEFT, TOP + FRAME);
        text((LEFT + WIDTH - RIGHT) / 2.0, TOP + FRAME + 34, "middle", plot.x().title());
    }

    private void curve(Plot.Curve curve, int style, CurvePath path) {
        switch (curve.mark()) {
            case BARS -> out.empty("path", "d", path.of(curve), "fill", COLOURS[0], "fill-opacity", "0.75");
            case LINE, STEPS -> stroke(path.of(curve), style, "1.8");
            case BROAD -> stroke(path.of(curve), style, "6", "stroke-opacity", "0.35");
            case SEGMENTS -> stroke(path.of(curve), style, "1.2");
            case DOTS -> circles(curve, style, COLOURS[style % COLOURS.length]);
            case RINGS -> circles(curve, style, "none");
        }
    }

    private void circles(Plot.Curve curve, int style, String fill) {
        for (int i = 0; i < curve.xs().length; i++) {
            double x = curve.xs()[i];
            double y = curve.ys()[i];
            if (!scale.isDrawn(x, y)) {
                continue;
            }
            double px = LEFT + scale.x(x) * (WIDTH - LEFT - RIGHT);
            double py = TOP + FRAME - scale.y(y) * FRAME;
            String label = i < curve.labels().size() ? curve.labels().get(i) : "";
            out.open("circle", "cx", CurvePath.fixed(px), "cy", CurvePath.fixed(py), "r", "3.5", "fill", fill);
            out.element("title", String.join("; ", plot.point(curve, i))).close();
            out.empty(
                    "circle",
                    "cx",
                    CurvePath.fixed(px),
                    "cy",
                    CurvePath.fixed(py),
                    "r",
                    "3.5",
                    "fill",
                    "none",
                    "stroke",
                    COLOURS[style % COLOURS.length],
                    "stroke-width",
                    "1.5",
                    "pointer-events",
                    "none");
            if (!label.isEmpty()) {
                boolean atRight = px > WIDTH - RIGHT - 60;
                text(px + (atRight ? -6 : 6), py - 6, atRight ? "end" : "start", label);
            }
        }
    }

    private void stroke(String path, int index, String width, String... more) {
        List<String> attributes = new ArrayList<>(
                List.of("d", path, "fill", "none", "stroke", COLOURS[index % COLOURS.length], "stroke-width", width));
        attributes.addAll(List.of("stroke-linejoin", "round", "stroke-linecap", "round"));
        attributes.addAll(List.of(more));
        if (more.length == 0 && !DASHES[index % DASHES.length].isEmpty()) {
            attributes.addAll(List.of("stroke-dasharray", DASHES[index % DASHES.length]));
        }
        out.empty("path", attributes.toArray(new String[0]));
    }

    private void readouts() {
        for (Readout each : Readout.of(plot, scale)) {
            double from = LEFT + each.from() * (WIDTH - LEFT - RIGHT);
            double to = LEFT + each.to() * (WIDTH - LEFT - RIGHT);
            out.open(
                            "rect",
                            "x",
                            CurvePath.fixed(from),
                            "y",
                            CurvePath.fixed(TOP),
                            "width",
                            CurvePath.fixed(Math.max(0.1, to - from)),
                            "height",
                            CurvePath.fixed(FRAME))
                    .element("title", String.join("; ", each.lines()))
                    .close();
        }
    }

    /** The curves of each row of the legend; no row for a single curve. */
    private static List<List<Integer>> legendRows(Plot plot) {
        List<List<Integer>> rows = new ArrayList<>();
        double x = WIDTH;
        List<Integer> styles = plot.styles();
        for (int i = 0; styles.get(styles.size() - 1) > 0 && i < plot.curves().size(); i++) {
            if (plot.curves().get(i).isPart()) {
                continue;
            }
            double width = 44 + LETTER * plot.curves().get(i).name().length();
            if (x + width > WIDTH) {
                rows.add(new ArrayList<>());
                x = LEFT;
            }
            rows.get(rows.size() - 1).add(i);
            x += width;
        }
        return rows;
    }

    private void legend() {
        double y = TOP + FRAME + BOTTOM + LEGEND_ROW - 8;
        for (List<Integer> row : legend) {
            double x = LEFT;
            for (int i : row) {
                stroke(
                        "M" + CurvePath.fixed(x) + " " + CurvePath.fixed(y - 4) + "h22",
                        plot.styles().get(i),
                        "2.5");
                text(x + 28, y, "start", plot.curves().get(i).name());
                x += 44 + LETTER * plot.curves().get(i).name().length();
            }
            y += LEGEND_ROW;
        }
    }

    private void line(String kind, double ax, double ay, double bx, double by) {
        String path = "M" + CurvePath.fixed(ax) + " " + CurvePath.fixed(ay) + "L" + CurvePath.fixed(bx) + " "
                + CurvePath.fixed(by);
        out.empty("path", "class", kind, "d", path);
    }

    private void text(double x, double y, String anchor, String text, String... more) {
        List<String> attributes =
                new ArrayList<>(List.of("x", CurvePath.fixed(x), "y", CurvePath.fixed(y), "text-anchor", anchor));
        attributes.addAll(List.of(more));
        out.element("text", text, attributes.toArray(new String[0]));
    }
}
