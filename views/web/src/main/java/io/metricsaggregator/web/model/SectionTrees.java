package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.section.NodeSection;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.section.Sections;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The sections of the report and of telemetry, such as labels, servers and GPUs, as trees of lines and tables. */
final class SectionTrees {
    /** Lines and tables of a section, at most. */
    private static final int BLOCKS_MAX = 60;

    private SectionTrees() {}

    static List<Map<String, Object>> of(MetricsSnapshot snapshot) {
        List<Map<String, Object>> sections = new ArrayList<>();
        for (Section section : Sections.of(Report.of(snapshot))) {
            if (section.title().equals(NodeSection.TITLE)) {
                continue; // Its figures change with every tick: see NodeTable.
            }
            sections.add(Map.of(
                    "title",
                    section.title(),
                    "blocks",
                    section.blocks().stream()
                            .limit(BLOCKS_MAX)
                            .map(block -> block.as(SectionTrees::line, SectionTrees::table))
                            .toList()));
        }
        return sections;
    }

    private static Map<String, Object> line(Section.Line line) {
        String text = line.text();
        boolean bad = text.startsWith("UNREACHABLE") || text.startsWith("MISSING");
        return Map.of("line", text, "tone", bad ? Texts.BAD : "");
    }

    private static Map<String, Object> table(Section.Table table) {
        List<Map<String, Object>> columns = table.columns().stream()
                .map(each ->
                        Map.<String, Object>of("title", each.title(), "number", each.align() == Section.Align.RIGHT))
                .toList();
        List<List<String>> rows = table.rows();
        int shown = Math.min(TableTree.ROWS_MAX, rows.size());
        return Map.of(
                "columns",
                columns,
                "rows",
                IntStream.range(0, shown).mapToObj(row -> cells(table, row)).toList(),
                "note",
                shown == rows.size() ? "" : (rows.size() - shown) + " more rows are in the report.");
    }

    private static List<Object> cells(Section.Table table, int row) {
        List<String> cells = table.rows().get(row);
        return IntStream.range(0, cells.size())
                .mapToObj(column -> Texts.cell(cells.get(column), Texts.tone(table.tone(row, column))))
                .toList();
    }
}
