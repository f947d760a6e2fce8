package io.metricsaggregator.report.plot;

import io.metricsaggregator.report.markup.Markup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws a plot as SVG without scripts and embedded fonts. The colours (Okabe and Ito) are distinguishable without colour vision, and dashes
 * distinguish the lines too. Each point has its values as a tooltip.
 */
public final class SvgPlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 300;
    private static final int LEFT = 78;
    private static final int RIGHT = 16;
    private static final int TOP = 30;
    private static final int BOTTOM = 62;
    private static final int TICKS = 6;
    private static final int POINTS_MAX = 600;
    /** A stylesheet for a drawing that stands alone. */
    private static final String STYLE = "text{font:12px system-ui,sans-serif;fill:#222}.g{stroke:#ddd}.a{stroke:#888}"
            + "@media(prefers-color-scheme:dark){svg{background:#111}text{fill:#ddd}.g{stroke:#333}}";

    private static final String[] COLOURS = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};
    private static final String[] DASHES = {"", "6 3", "2 3", "8 3 2 3", "1 2", "10 4"};

    private final Plot plot;
    private final Markup out = new Markup();
    private double x0 = Double.MAX_VALUE;
    private double x1 = -Double.MAX_VALUE;
    private double y0 = Double.MAX_VALUE;
    private double y1 = -Double.MAX_VALUE;

    private SvgPlot(Plot plot) {
        this.plot = plot;
    }

    /**
     * Draws a plot.
     *
     * @param alone whether the drawing is a file and carries its own stylesheet; inside a page it uses that of the page
     */
    public static Markup render(Plot plot, boolean alone) {
        return new SvgPlot(plot).render(alone);
    }

    private Markup render(boolean alone) {
        bounds();
        out.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 " + WIDTH + " " + HEIGHT,
                "role",
                "img",
                "aria-label",
                plot.title());
        if (alone) {
            out.stylesheet(STYLE);
        }
        text(LEFT, 18, "start", plot.title(), "font-weight", "600");
        axes();
        int place = -1;
        for (Plot.Curve curve : plot.curves()) {
            place += curve.isPart() && place >= 0 ? 0 : 1;
            curve(curve, COLOURS[place % COLOURS.length], DASHES[place % DASHES.length]);
        }
        legend();
        return out.close();
    }

    private void bounds() {
        for (Plot.Curve curve : plot.curves()) {
            for (int i = 0; i < curve.xs().length; i++) {
                double x = curve.xs()[i];
                double y = curve.ys()[i];
                if (!Double.isFinite(x) || !Double.isFinite(y) || (plot.y().scale() == Plot.Scale.LOG && y <= 0)) {
                    continue;
                }
                x0 = Math.min(x0, place(plot.x().scale(), x));
                x1 = Math.max(x1, place(plot.x().scale(), x));
                y0 = Math.min(y0, place(plot.y().scale(), y));
                y1 = Math.max(y1, place(plot.y().scale(), y));
            }
        }
        if (x0 > x1) {
            x0 = 0;
            x1 = 1;
            y0 = 0;
            y1 = 1;
        }
        if (plot.x().scale() == Plot.Scale.LINEAR) {
            x0 = Math.min(0, x0);
            // A comparison with NaN, an end without a limit, is false.
            x0 = plot.x().from() < x0 ? plot.x().from() : x0;
            x1 = plot.x().to() > x1 ? plot.x().to() : x1;
        }
        if (plot.y().scale() == Plot.Scale.LINEAR) {
            y0 = Math.min(0, y0);
            y1 = y1 <= y0 ? y0 + 1 : y1 + (y1 - y0) * 0.05;
        } else {
            // Rounding to quarter decades keeps values off the edges.
            y0 = Math.floor(y0 * 4) / 4;
            y1 = Math.max(Math.ceil(y1 * 4) / 4, y0 + 0.25);
        }
        if (x1 <= x0) {
            x1 = x0 + 1;
        }
    }

    private static double place(Plot.Scale scale, double value) {
        return switch (scale) {
            case LINEAR -> value;
            case LOG -> Math.log10(Math.max(value, 1e-12));
            case NINES -> -Math.log10(Math.max(1 - value / 100, 1e-7));
        };
    }

    private double px(double x) {
        return LEFT + (place(plot.x().scale(), x) - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT);
    }

    private double py(double y) {
        return HEIGHT - BOTTOM - (place(plot.y().scale(), y) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM);
    }

    private void axes() {
        for (double tick : ticks(plot.y().scale(), y0, y1)) {
            double y = py(tick);
            line("g", LEFT, y, WIDTH - RIGHT, y);
            text(LEFT - 6, y + 4, "end", number(tick));
        }
        for (double tick : ticks(plot.x().scale(), x0, x1)) {
            double x = px(tick);
            line("g", x, TOP, x, HEIGHT - BOTTOM);
            text(x, HEIGHT - BOTTOM + 16, "middle", number(tick));
        }
        line("a", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
        line("a", LEFT, TOP, LEFT, HEIGHT - BOTTOM);
        text(
                (LEFT + WIDTH - RIGHT) / 2.0,
                HEIGHT - BOTTOM + 32,
                "middle",
                plot.x().label());
        double middle = (TOP + HEIGHT - BOTTOM) / 2.0;
        text(14, middle, "middle", plot.y().label(), "transform", "rotate(-90 14 " + fixed(middle) + ")");
    }

    private static List<Double> ticks(Plot.Scale scale, double from, double to) {
        List<Double> ticks = new ArrayList<>();
        switch (scale) {
            case LINEAR -> {
                double step = Math.pow(10, Math.floor(Math.log10((to - from) / TICKS)));
                while ((to - from) / step > TICKS) {
                    step *= (to - from) / step > 2.5 * TICKS ? 5 : 2;
                }
                for (double tick = Math.ceil(from / step) * step; tick <= to + step * 1e-9; tick += step) {
                    ticks.add(Math.abs(tick) < step * 1e-9 ? 0 : tick);
                }
            }
            case LOG -> {
                boolean few = to - from < 2;
                for (int decade = (int) Math.floor(from); decade <= to; decade++) {
                    for (int digit : few ? new int[] {1, 2, 5} : new int[] {1}) {
                        double tick = digit * Math.pow(10, decade);
                        double at = Math.log10(tick);
                        if (at >= from - 1e-9 && at <= to + 1e-9) {
                            ticks.add(tick);
                        }
                    }
                }
            }
            case NINES -> {
                for (double tick : new double[] {0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999}) {
                    double at = place(Plot.Scale.NINES, tick);
                    if (at >= from - 1e-9 && at <= to + 1e-9) {
                        ticks.add(tick);
                    }
                }
            }
        }
        return ticks;
    }

    private static String number(double value) {
        double size = Math.abs(value);
        if (size >= 1e6) {
            return String.format(Locale.ROOT, "%.3gM", value / 1e6).replaceAll("\\.?0+M$", "M");
        }
        String text = size >= 10_000 || value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.6f", value).replaceAll("0+$", "");
        return text.length() > 9 ? String.format(Locale.ROOT, "%.3g", value) : text;
    }

    private void curve(Plot.Curve curve, String colour, String dash) {
        switch (curve.mark()) {
            case LINE -> polyline(curve, colour, dash);
            case BARS -> bars(curve, colour);
            case STEPS -> steps(curve, colour, dash);
            case DOTS -> circles(curve, colour, colour);
            case RINGS -> circles(curve, colour, "none");
            case SEGMENTS -> segments(curve, colour);
        }
    }

    private boolean isDrawn(double x, double y) {
        return Double.isFinite(x)
                && Double.isFinite(y)
                && (plot.x().scale() != Plot.Scale.LOG || x > 0)
                && (plot.y().scale() != Plot.Scale.LOG || y > 0);
    }

    private void steps(Plot.Curve curve, String colour, String dash) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < curve.xs().length; i++) {
            if (isDrawn(curve.xs()[i], curve.ys()[i])) {
                String x = fixed(px(curve.xs()[i]));
                String y = fixed(py(curve.ys()[i]));
                path.append(path.isEmpty() ? "M" + x + " " + y : "V" + y + "H" + x);
            }
        }
        if (!path.isEmpty()) {
            stroke(path.toString(), colour, "1.8", dash);
        }
    }

    private void segments(Plot.Curve curve, String colour) {
        double[] xs = curve.xs();
        double[] ys = curve.ys();
        for (int i = 0; i + 1 < xs.length; i += 2) {
            if (isDrawn(xs[i], ys[i]) && isDrawn(xs[i + 1], ys[i + 1])) {
                String from = "M" + fixed(px(xs[i])) + " " + fixed(py(ys[i]));
                stroke(from + "L" + fixed(px(xs[i + 1])) + " " + fixed(py(ys[i + 1])), colour, "1.2", "");
            }
        }
    }

    private void circles(Plot.Curve curve, String colour, String fill) {
        for (int i = 0; i < curve.xs().length; i++) {
            double x = curve.xs()[i];
            double y = curve.ys()[i];
            if (!isDrawn(x, y)) {
                continue;
            }
            String label = i < curve.labels().size() ? curve.labels().get(i) : "";
            out.open(
                            "circle",
                            "cx",
                            fixed(px(x)),
                            "cy",
                            fixed(py(y)),
                            "r",
                            "3.5",
                            "fill",
                            fill,
                            "stroke",
                            colour,
                            "stroke-width",
                            "1.5",
                            "pointer-events",
                            "all")
                    .element("title", (label.isEmpty() ? "" : label + ": ") + number(y) + " at " + number(x))
                    .close();
            if (!label.isEmpty()) {
                boolean left = px(x) > WIDTH - RIGHT - 60;
                text(px(x) + (left ? -6 : 6), py(y) - 6, left ? "end" : "start", label);
            }
        }
    }

    private void polyline(Plot.Curve curve, String colour, String dash) {
        StringBuilder path = new StringBuilder();
        int step = Math.max(1, curve.xs().length / POINTS_MAX);
        boolean pen = false;
        Markup points = new Markup();
        for (int i = 0; i < curve.xs().length; i += step) {
            double y = curve.ys()[i];
            if (!Double.isFinite(y) || (plot.y().scale() == Plot.Scale.LOG && y <= 0)) {
                pen = false;
                continue;
            }
            String x = fixed(px(curve.xs()[i]));
            path.append(pen ? "L" : "M").append(x).append(' ').append(fixed(py(y)));
            pen = true;
            points.open("circle", "cx", x, "cy", fixed(py(y)), "r", "5", "fill", "transparent")
                    .element("title", curve.name() + ": " + number(y) + " at " + number(curve.xs()[i]))
                    .close();
        }
        stroke(path.toString(), colour, "1.8", dash, "stroke-linejoin", "round");
        out.add(points);
    }

    private void stroke(String path, String colour, String width, String dash, String... more) {
        List<String> attributes = new ArrayList<>(List.of("d", path, "fill", "none", "stroke", colour));
        attributes.addAll(List.of("stroke-width", width));
        attributes.addAll(List.of(more));
        if (!dash.isEmpty()) {
            attributes.addAll(List.of("stroke-dasharray", dash));
        }
        out.empty("path", attributes.toArray(new String[0]));
    }

    private static String fixed(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private void bars(Plot.Curve curve, String colour) {
        double base = HEIGHT - BOTTOM;
        for (int i = 0; i + 1 < curve.xs().length; i++) {
            double y = curve.ys()[i];
            if (!Double.isFinite(y) || y <= 0) {
                continue;
            }
            double from = px(curve.xs()[i]);
            double to = px(curve.xs()[i + 1]);
            out.open(
                            "rect",
                            "x",
                            fixed(from),
                            "y",
                            fixed(py(y)),
                            "width",
                            fixed(Math.max(0.5, to - from - 0.5)),
                            "height",
                            fixed(Math.max(0, base - py(y))),
                            "fill",
                            colour,
                            "fill-opacity",
                            "0.75")
                    .element("title", number(curve.xs()[i]) + " to " + number(curve.xs()[i + 1]) + ": " + number(y))
                    .close();
        }
    }

    private void legend() {
        List<String> names = plot.curves().stream()
                .filter(each -> !each.isPart())
                .map(Plot.Curve::name)
                .toList();
        if (names.size() < 2) {
            return;
        }
        double x = LEFT;
        double y = HEIGHT - 10.0;
        for (int i = 0; i < names.size(); i++) {
            stroke(
                    "M" + fixed(x) + " " + fixed(y - 4) + "h22",
                    COLOURS[i % COLOURS.length],
                    "2.5",
                    DASHES[i % DASHES.length]);
            String name = names.get(i);
            text(x + 26, y, "start", name);
            x += 40 + 7 * name.length();
        }
    }

    private void line(String kind, double ax, double ay, double bx, double by) {
        out.empty("path", "class", kind, "d", "M" + fixed(ax) + " " + fixed(ay) + "L" + fixed(bx) + " " + fixed(by));
    }

    private void text(double x, double y, String anchor, String text, String... more) {
        List<String> attributes = new ArrayList<>(List.of("x", fixed(x), "y", fixed(y), "text-anchor", anchor));
        attributes.addAll(List.of(more));
        out.element("text", text, attributes.toArray(new String[0]));
    }
}
