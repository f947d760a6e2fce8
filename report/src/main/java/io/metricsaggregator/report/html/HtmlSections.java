package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.section.Section;
import java.util.List;

/** Renders the sections of a report as HTML. */
final class HtmlSections {
    private HtmlSections() {}

    /** Appends a section with its heading, a paragraph for each line, and its tables. */
    static void add(Markup out, Section section) {
        out.open("section").element("h2", section.title());
        section.blocks().forEach(each -> each.as(line -> out.element("p", line.text()), table -> table(out, table)));
        out.close();
    }

    private static Markup table(Markup out, Section.Table table) {
        List<Section.Column> columns = table.columns();
        out.open("div", "class", "scroll").open("table").open("thead").open("tr");
        columns.forEach(each -> out.element("th", each.title(), "scope", "col", "class", kind(each)));
        out.close().close().open("tbody");
        for (List<String> row : table.rows()) {
            out.open("tr");
            for (int i = 0; i < row.size(); i++) {
                out.element("td", row.get(i), "class", kind(columns.get(i)));
            }
            out.close();
        }
        return out.close().close().close();
    }

    private static String kind(Section.Column column) {
        return switch (column.align()) {
            case LEFT -> "t";
            case RIGHT -> "n";
        };
    }
}
