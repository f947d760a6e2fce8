package io.metricsaggregator.report.plot;

import io.metricsaggregator.report.markup.Markup;
import java.util.ArrayList;
import java.util.List;

/** Draws horizontal bars as an SVG document of its own. */
final class SvgBreakdown {
    private static final int WIDTH = 760;
    private static final int LEFT = 200;
    private static final int TRACK = 320;
    private static final int TOP = 34;
    private static final int ROW = 24;
    private static final double LETTER = 7;
    private static final int NAME_MAX = 26;
    private static final String STYLE = "text{font:12px system-ui,sans-serif;fill:#222}"
            + "@media(prefers-color-scheme:dark){svg{background:#111}text{fill:#ddd}}";
    private static final String[] COLOURS = {"#0072b2", "#e69f00", "#009e73", "#d55e00"};

    private SvgBreakdown() {}

    static Markup render(Breakdown plot) {
        Markup out = new Markup();
        int legend = plot.legend().size() > 1 ? ROW : 0;
        int height = TOP + plot.rows().size() * ROW + legend + 10;
        out.open("svg", "xmlns", "http://www.w3.org/2000/svg", "viewBox", "0 0 " + WIDTH + " " + height);
        out.stylesheet(STYLE);
        text(out, 10, 18, plot.title(), "font-weight", "600");
        int y = TOP;
        for (Breakdown.Row row : plot.rows()) {
            String name =
                    row.name().length() <= NAME_MAX ? row.name() : row.name().substring(0, NAME_MAX - 1) + "…";
            text(out, 10, y + 16, name);
            for (Breakdown.Bar bar : row.bars()) {
                double from = LEFT + plot.place(bar.from()) * TRACK;
                rect(out, from, y + 4, Math.max(1, LEFT + plot.place(bar.to()) * TRACK - from), bar.part());
            }
            text(out, LEFT + TRACK + 10, y + 16, row.text());
            y += ROW;
        }
        double x = LEFT;
        for (int i = 0; legend > 0 && i < plot.legend().size(); i++) {
            rect(out, x, y + 4, 16, i);
            text(out, x + 22, y + 16, plot.legend().get(i));
            x += 40 + LETTER * plot.legend().get(i).length();
        }
        return out.close();
    }

    private static void rect(Markup out, double x, double y, double width, int part) {
        out.empty(
                "rect",
                "x",
                CurvePath.fixed(x),
                "y",
                CurvePath.fixed(y),
                "width",
                CurvePath.fixed(width),
                "height",
                "16",
                "fill",
                COLOURS[part % COLOURS.length]);
    }

    private static void text(Markup out, double x, double y, String text, String... more) {
        List<String> attributes = new ArrayList<>(List.of("x", CurvePath.fixed(x), "y", CurvePath.fixed(y)));
        attributes.addAll(List.of(more));
        out.element("text", text, attributes.toArray(new String[0]));
    }
}
