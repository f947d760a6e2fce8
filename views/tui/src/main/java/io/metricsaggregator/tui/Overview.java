package io.metricsaggregator.tui;

import java.util.ArrayList;
import java.util.List;

/** Renders the overview, with the plots of the page of rates beside it on a wide screen. */
final class Overview {
    /** Least width for plots beside the other figures, in columns. */
    private static final int WITH_PLOTS = 160;
    /** Least width of the figures beside plots. */
    private static final int FIGURES = 100;

    private static final int GAP = 3;
    /** Least width for tables side by side, in columns. */
    private static final int WIDE = 130;

    private static final int HALF = 69;
    /** Nodes of a fleet on a wide and on a narrow screen: they take the place of workers, whose names are the nodes' too. */
    private static final int NODES_WIDE = 12;

    private static final int NODES_NARROW = 5;
    /** Lines of each kind of telemetry on a high and on a low screen, and the least lines of a high one. */
    private static final int TELEMETRY_HIGH = 4;

    private static final int TELEMETRY_LOW = 2;
    private static final int HIGH = 40;

    private Overview() {}

    static List<Line> lines(RenderContext context) {
        int nodes = context.width() >= WIDE ? NODES_WIDE : NODES_NARROW;
        int figures = Math.max(FIGURES, (context.width() - GAP) / 2);
        List<Line> plots = context.width() < WITH_PLOTS
                ? List.of()
                : RatesPanel.plots(context.sized(context.width() - figures - GAP, context.height()));
        return plots.isEmpty()
                ? figures(context, nodes)
                : Line.beside(
                        figures(context.sized(figures, context.height()), nodes),
                        plots,
                        figures + GAP,
                        context.cutMark());
    }

    private static List<Line> figures(RenderContext context, int nodesMax) {
        boolean wide = context.width() >= WIDE;
        List<Line> lines = new ArrayList<>();
        lines.addAll(RatesPanel.lines(
                context, wide ? Math.min(60, context.width() - 60) : Math.max(0, context.width() - 56)));
        lines.add(new Line());
        lines.addAll(LatencyPanel.table(context));
        lines.addAll(Tables.daemonLine(context).wrap(context.width(), 9));
        lines.add(new Line());
        lines.addAll(Tables.telemetry(context, context.height() < HIGH ? TELEMETRY_LOW : TELEMETRY_HIGH));
        List<Line> errors = Tables.errors(context, 5);
        List<Line> nodes = NodesPanel.table(context, wide ? HALF : context.width(), nodesMax);
        List<Line> workers = nodes.isEmpty() ? Tables.workers(context, 5) : nodes;
        int below = wide ? Math.max(errors.size(), workers.size()) : errors.size() + workers.size();
        int room = context.height() - 1 - lines.size() - below;
        if (room >= 8) {
            List<Line> heat = LatencyPanel.heat(context, Math.max(3, Math.min(10, room - 4)));
            if (!heat.isEmpty()) {
                lines.addAll(heat);
                lines.add(new Line());
            }
        }
        if (wide) {
            lines.addAll(Line.beside(workers, errors, HALF + 2, context.cutMark()));
        } else {
            lines.addAll(errors);
            lines.addAll(workers);
        }
        return lines;
    }
}
