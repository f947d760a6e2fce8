package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.fleet.FleetText;
import io.metricsaggregator.analysis.fleet.NodeCondition;
import io.metricsaggregator.snapshot.NodeRow;
import io.metricsaggregator.snapshot.Nodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes the nodes of a fleet: counts by condition, a row for each node with the troubled ones on top, and remarks. Names are escaped. */
public final class NodeSection {
    /** The heading of the section. */
    public static final String TITLE = "Fleet nodes";
    /** Rows of the table; a line counts the others. */
    private static final int ROWS_MAX = 50;

    private static final String UNKNOWN = "-";
    private static final List<Section.Column> COLUMNS = List.of(
            new Section.Column("Node", Section.Align.LEFT),
            new Section.Column("state", Section.Align.LEFT),
            new Section.Column("age", Section.Align.RIGHT),
            new Section.Column("issued", Section.Align.RIGHT),
            new Section.Column("ended", Section.Align.RIGHT),
            new Section.Column("failed", Section.Align.RIGHT),
            new Section.Column("in flight", Section.Align.RIGHT),
            new Section.Column("latency ≈p99", Section.Align.RIGHT),
            new Section.Column("missed", Section.Align.RIGHT),
            new Section.Column("clock", Section.Align.RIGHT));

    private NodeSection() {}

    /** The section; null for a single daemon. */
    static @Nullable Section of(Report report) {
        Nodes nodes = FleetText.of(report.snapshot());
        return nodes == null ? null : new Section(TITLE, "Nodes", blocks(nodes));
    }

    private static List<Section.Block> blocks(Nodes nodes) {
        List<Section.Block> blocks = new ArrayList<>();
        blocks.add(new Section.Line(FleetText.counts(nodes)));
        List<NodeRow> rows = FleetText.worstFirst(nodes);
        List<NodeRow> shown = rows.subList(0, Math.min(ROWS_MAX, rows.size()));
        if (!shown.isEmpty()) {
            blocks.add(new Section.Table(
                    COLUMNS,
                    shown.stream().map(row -> cells(row, nodes)).toList(),
                    shown.stream().map(NodeSection::tone).toList()));
        }
        if (rows.size() > shown.size()) {
            List<NodeRow> others = rows.subList(shown.size(), rows.size());
            blocks.add(new Section.Line(
                    String.format(Locale.ROOT, "and %,d more nodes: %s", others.size(), FleetText.counts(others))));
        }
        FleetText.remarks(nodes).forEach(each -> blocks.add(new Section.Line(each)));
        return blocks;
    }

    /** The cells of a row: name, condition, age, issued, completed, failed, in flight, latency, missed, clock. */
    public static List<String> cells(NodeRow row, Nodes nodes) {
        Double age = row.ageSeconds();
        Long latency = row.latencyP99Nanos();
        Double offset = row.offsetSeconds();
        return List.of(
                FleetText.name(row, nodes),
                NodeCondition.of(row).marked(),
                age == null ? UNKNOWN : age(age),
                count(row.issued()),
                count(row.completed()),
                count(row.failed()),
                count(row.inFlight()),
                latency == null ? UNKNOWN : PercentileText.of((double) latency, 99, row.completed(), Figures::duration),
                count(row.missed()),
                offset == null ? UNKNOWN : (offset > 0 ? "+" : "") + Figures.duration(offset * 1e9));
    }

    /** Seconds with one decimal, which stay readable while they change; from a minute on as a duration. */
    private static String age(double seconds) {
        return seconds >= 60 ? Figures.duration(seconds * 1e9) : String.format(Locale.ROOT, "%.1f s", seconds);
    }

    /** The tone of a node's condition. */
    public static Section.Tone tone(NodeRow row) {
        return switch (NodeCondition.of(row)) {
            case LOST, REFUSED -> Section.Tone.BAD;
            case STALE, INTERRUPTED, WAITING -> Section.Tone.WARN;
            case LIVE -> Section.Tone.GOOD;
            case ENDED -> Section.Tone.PLAIN;
        };
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
