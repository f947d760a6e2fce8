package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.analysis.fleet.NodeCondition;
import io.metricsaggregator.report.section.NodeSection;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Renders the nodes of a fleet: a line of the header, and a table with the troubled nodes on top. */
final class NodesPanel {
    /** Nodes that the line of the header names where it has room. */
    private static final int NAMED_MAX = 3;

    /**
     * The columns in the order in which they find room: title, width, and index in {@link NodeSection#cells}; −1 for the rate.
     */
    private enum Column {
        NODE("nodes", 18, 0),
        STATE("state", 13, 1),
        AGE("age", 8, 2),
        COMPLETED("done", 10, 4),
        FAILED("failed", 7, 5),
        IN_FLIGHT("in fl.", 7, 6),
        P99("≈p99", 10, 7),
        RATE("done/s", 8, -1),
        ISSUED("issued", 10, 3),
        MISSED("missed", 7, 8),
        CLOCK("clock", 10, 9);

        private final String title;
        private final int width;
        private final int cell;

        Column(String title, int width, int cell) {
            this.title = title;
            this.width = width;
            this.cell = cell;
        }

        private boolean isText() {
            return cell == 0 || cell == 1;
        }
    }

    private NodesPanel() {}

    /** The line of the header: the troubled nodes by name and counts of all; null for a single daemon. */
    static @Nullable Line headline(RenderContext context) {
        Nodes nodes = FleetText.of(context.snapshot());
        if (nodes == null) {
            return null;
        }
        Line line = new Line().add(" nodes ", Style.TITLE);
        List<NodeRow> troubled = FleetText.worstFirst(nodes).stream()
                .filter(each -> NodeCondition.of(each).compareTo(NodeCondition.WAITING) < 0)
                .toList();
        Long expected = nodes.expected();
        line.add(nodes.rows().size() + (expected == null ? "" : " of " + expected) + ": ")
                .add(FleetText.counts(nodes.rows()), troubled.isEmpty() ? Style.PLAIN : style(troubled.get(0)));
        for (NodeRow row : troubled.subList(0, Math.min(NAMED_MAX, troubled.size()))) {
            String condition = "  " + sign(context, NodeCondition.of(row).marked());
            String name = " " + RenderContext.narrow(FleetText.name(row, nodes), Column.NODE.width);
            if (line.width() + condition.length() + name.length() > context.width()) {
                break;
            }
            line.add(condition, style(row)).add(name);
        }
        return line;
    }

    /** The page: remarks below the table. */
    static List<Line> page(RenderContext context) {
        Nodes nodes = FleetText.of(context.snapshot());
        if (nodes == null) {
            return List.of(new Line().add(" no nodes: these snapshots come from a single daemon", Style.DIM));
        }
        List<Line> lines = table(context, context.width(), Integer.MAX_VALUE);
        if (lines.isEmpty()) {
            lines.add(new Line().add(" no nodes so far"));
        }
        for (String each : FleetText.remarks(nodes)) {
            lines.addAll(new Line()
                    .add(" " + RenderContext.narrow(each, 300), Style.WARN)
                    .wrap(context.width(), 3));
        }
        return lines;
    }

    /**
     * The table.
     *
     * @param width columns of the screen that it may take
     * @param rowsMax nodes to show; a line counts the others
     */
    static List<Line> table(RenderContext context, int width, int rowsMax) {
        Nodes nodes = FleetText.of(context.snapshot());
        List<Line> lines = new ArrayList<>();
        if (nodes == null || nodes.rows().isEmpty()) {
            return lines;
        }
        List<Column> columns = new ArrayList<>();
        int taken = 0;
        for (Column each : Column.values()) {
            taken += 1 + each.width;
            if (columns.size() < 2 || taken <= width) {
                columns.add(each);
            }
        }
        Line head = new Line();
        columns.forEach(each -> head.add(" " + cell(each, each.title), Style.TITLE));
        lines.add(head);
        List<NodeRow> rows = FleetText.worstFirst(nodes);
        Map<String, Long> before = completedBefore(context.window());
        for (NodeRow row : rows.subList(0, Math.min(rowsMax, rows.size()))) {
            lines.add(row(context, columns, nodes, row, before));
        }
        if (rows.size() > rowsMax) {
            lines.add(new Line()
                    .add(
                            " and " + (rows.size() - rowsMax) + " more ("
                                    + FleetText.counts(rows.subList(rowsMax, rows.size())) + "): 9",
                            Style.DIM));
        }
        return lines;
    }

    private static Line row(
            RenderContext context, List<Column> columns, Nodes nodes, NodeRow row, Map<String, Long> before) {
        List<String> cells = NodeSection.cells(row, nodes);
        Line line = new Line();
        for (Column each : columns) {
            String text = each.cell < 0 ? rate(context.window(), row, before) : cells.get(each.cell);
            String shown = each == Column.NODE ? RenderContext.narrow(text, each.width) : sign(context, text);
            line.add(" ").add(cell(each, shown), each.isText() ? style(row) : Style.PLAIN);
        }
        return line;
    }

    private static String sign(RenderContext context, String text) {
        return context.unicode() ? text : NodeCondition.ascii(text);
    }

    private static String cell(Column column, String text) {
        return String.format(Locale.ROOT, "%" + (column.isText() ? "-" : "") + column.width + "s", text);
    }

    /** Completed samples by run at the start of the window. */
    private static Map<String, Long> completedBefore(History.@Nullable Span window) {
        MetricsSnapshot then = window == null ? null : window.from().snapshot;
        Nodes nodes = then == null ? null : FleetText.of(then);
        return nodes == null
                ? Map.of()
                : nodes.rows().stream()
                        .collect(Collectors.toMap(NodeRow::runId, NodeRow::completed, (first, second) -> first));
    }

    private static String rate(History.@Nullable Span window, NodeRow row, Map<String, Long> before) {
        Long then = before.get(row.runId());
        Double rate = window == null || then == null ? null : window.rate((double) (row.completed() - then));
        return rate == null ? "-" : Figures.rate(rate);
    }

    private static Style style(NodeRow row) {
        return switch (NodeCondition.of(row)) {
            case LOST, REFUSED -> Style.BAD;
            case STALE, INTERRUPTED -> Style.WARN;
            case WAITING -> Style.DIM;
            case LIVE -> Style.GOOD;
            case ENDED -> Style.PLAIN;
        };
    }
}
