package io.metricsaggregator.web.model;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.section.Sections;
import io.metricsaggregator.report.text.TelemetryView;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The sections of the report and of telemetry, such as labels, servers and GPUs, as trees of lines, tables and preformatted lines. */
final class SectionTrees {
    /** Lines of a section of telemetry, at most. */
    static final int LINES_MAX = 60;

    private SectionTrees() {}

    static List<Map<String, Object>> of(MetricsSnapshot snapshot) {
        List<Map<String, Object>> sections = new ArrayList<>();
        for (Section section : Sections.of(Report.of(snapshot))) {
            sections.add(Map.of(
                    "title",
                    section.title(),
                    "blocks",
                    section.blocks().stream()
                            .map(block -> block.as(SectionTrees::line, SectionTrees::table))
                            .toList()));
        }
        for (TelemetryView view : TelemetryView.of(snapshot)) {
            List<String> lines = view.lines();
            List<Map<String, Object>> shown = new ArrayList<>();
            lines.subList(0, Math.min(LINES_MAX, lines.size())).forEach(text -> shown.add(line(text)));
            if (lines.size() > LINES_MAX) {
                shown.add(line((lines.size() - LINES_MAX) + " more lines are in the report"));
            }
            sections.add(Map.of("title", view.title(), "blocks", List.of(Map.of("preformatted", shown))));
        }
        return sections;
    }

    private static Map<String, Object> line(Section.Line line) {
        return line(line.text());
    }

    private static Map<String, Object> line(String text) {
        boolean bad = text.startsWith("UNREACHABLE") || text.startsWith("MISSING");
        return Map.of("line", text, "tone", bad ? Texts.BAD : "");
    }

    private static Map<String, Object> table(Section.Table table) {
        List<Map<String, Object>> columns = table.columns().stream()
                .map(each ->
                        Map.<String, Object>of("title", each.title(), "number", each.align() == Section.Align.RIGHT))
                .toList();
        return Map.of("columns", columns, "rows", table.rows());
    }
}
