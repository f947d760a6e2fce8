package io.metricsaggregator.tui;

import java.util.ArrayList;
import java.util.List;

/** Renders the overview, with tables side by side on a wide screen. */
final class Overview {
    /** Least width for tables side by side, in columns. */
    private static final int WIDE = 130;

    private static final int HALF = 69;
    /** Nodes of a fleet on a wide and on a narrow screen: they take the place of workers, whose names are the nodes' too. */
    private static final int NODES_WIDE = 12;

    private static final int NODES_NARROW = 5;

    private Overview() {}

    static List<Line> lines(RenderContext context) {
        boolean wide = context.width() >= WIDE;
        List<Line> lines = new ArrayList<>();
        lines.addAll(RatesPanel.lines(
                context, wide ? Math.min(60, context.width() - 60) : Math.max(0, context.width() - 56)));
        lines.add(new Line());
        lines.addAll(LatencyPanel.table(context));
        lines.add(Tables.daemonLine(context));
        lines.add(new Line());
        lines.addAll(Tables.telemetry(context, 2));
        List<Line> errors = Tables.errors(context, 5);
        List<Line> nodes = NodesPanel.table(context, wide ? HALF : context.width(), wide ? NODES_WIDE : NODES_NARROW);
        List<Line> workers = nodes.isEmpty() ? Tables.workers(context, 5) : nodes;
        int below = wide ? Math.max(errors.size(), workers.size()) : errors.size() + workers.size();
        int room = context.height() - 6 - lines.size() - below;
        if (room >= 8) {
            List<Line> heat = LatencyPanel.heat(context, Math.max(3, Math.min(10, room - 4)));
            if (!heat.isEmpty()) {
                lines.addAll(heat);
                lines.add(new Line());
            }
        }
        if (wide) {
            for (int i = 0; i < Math.max(errors.size(), workers.size()); i++) {
                Line left = i < workers.size() ? workers.get(i) : new Line();
                Line both = new Line()
                        .add(left.cut(HALF, context.unicode() ? '…' : '~'))
                        .to(HALF + 2);
                lines.add(i < errors.size() ? both.add(errors.get(i)) : both);
            }
        } else {
            lines.addAll(errors);
            lines.addAll(workers);
        }
        return lines;
    }
}
