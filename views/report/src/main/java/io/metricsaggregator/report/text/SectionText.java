package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.fleet.NodeCondition;
import io.metricsaggregator.report.section.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Renders sections as lines of text of fixed width: for the text page, and for the screen. */
public final class SectionText {
    private static final String GAP = "  ";
    /** Where the text of the page begins. */
    private static final int INDENT = 9;

    private SectionText() {}

    /** A section of lines alone: the label of the section before the first line. */
    static List<String> labelled(Section section) {
        List<String> lines = new ArrayList<>();
        String head = section.label();
        for (Section.Block block : section.blocks()) {
            for (String line : lines(block)) {
                lines.add(String.format(Locale.ROOT, "%-" + (INDENT - 1) + "s %s", head, line));
                head = "";
            }
        }
        return lines;
    }

    /** The lines and tables of a section without its heading. */
    static List<String> lines(Section section) {
        return lines(section.blocks());
    }

    /** Blocks as lines; a table is a head line and a line for each row. */
    public static List<String> lines(List<Section.Block> blocks) {
        return blocks.stream().flatMap(each -> lines(each).stream()).toList();
    }

    /** A line with the signs of sections in ASCII. */
    public static String ascii(String line) {
        return NodeCondition.ascii(line).replace('≈', '~');
    }

    private static List<String> lines(Section.Block block) {
        return block.as(line -> List.of(line.text()), SectionText::table);
    }

    private static List<String> table(Section.Table table) {
        int[] widths = new int[table.columns().size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            // Rows are indented below the title of the first column.
            widths[i] = Math.max(
                    table.columns().get(i).title().length() - (i == 0 ? GAP.length() : 0),
                    table.rows().stream()
                            .mapToInt(row -> row.get(column).length())
                            .max()
                            .orElse(0));
        }
        List<String> lines = new ArrayList<>();
        widths[0] += GAP.length();
        lines.add(row(
                table.columns(),
                table.columns().stream().map(Section.Column::title).toList(),
                widths));
        widths[0] -= GAP.length();
        table.rows().forEach(row -> lines.add(GAP + row(table.columns(), row, widths)));
        return lines;
    }

    private static String row(List<Section.Column> columns, List<String> cells, int[] widths) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String space = " ".repeat(widths[i] - cells.get(i).length());
            boolean left = columns.get(i).align() == Section.Align.LEFT;
            row.append(i == 0 ? "" : GAP).append(left ? cells.get(i) + space : space + cells.get(i));
        }
        return row.toString().stripTrailing();
    }
}
