package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.section.Section;

/** Renders the blocks of sections as HTML. */
final class HtmlSections {
    private HtmlSections() {}

    /** Appends a paragraph for each line, and the tables. */
    static void add(Markup out, Section section) {
        section.blocks()
                .forEach(each -> each.as(line -> out.element("p", HtmlTable.micro(line.text())), table -> {
                    HtmlTable.render(out, table);
                    return out;
                }));
    }
}
