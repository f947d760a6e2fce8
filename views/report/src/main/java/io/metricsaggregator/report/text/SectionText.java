package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.fleet.NodeCondition;
import io.metricsaggregator.report.section.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Renders sections as lines of text of fixed width: for the text page, and for the screen. */
public final class SectionText {
    private static final String GAP = "  ";
    /** Where the text of the page begins. */
    private static final int INDENT = 9;

    private static final int UNLIMITED = Integer.MAX_VALUE;
    /** Titles of columns with percentiles. */
    private static final Pattern PERCENTILE = Pattern.compile("\\bp\\d");

    private SectionText() {}

    /** A section of lines alone: the label of the section before the first line. */
    static List<String> labelled(Section section) {
        List<String> lines = new ArrayList<>();
        String head = section.label();
        for (Section.Block block : section.blocks()) {
            for (String line : lines(block, UNLIMITED)) {
                lines.add(String.format(Locale.ROOT, "%-" + (INDENT - 1) + "s %s", head, line));
                head = "";
            }
        }
        return lines;
    }

    /** The lines and tables of a section without its heading, the tables in at most {@code width} columns. */
    static List<String> lines(Section section, int width) {
        return lines(section.blocks(), width);
    }

    /** Blocks as lines; a table is a head line and a line for each row, or nothing without rows. */
    public static List<String> lines(List<Section.Block> blocks) {
        return lines(blocks, UNLIMITED);
    }

    /**
     * Blocks as lines. A table that is too wide keeps its first column, then those of percentiles, then the others from the left.
     *
     * @param width of tables in columns; lines of text may be longer
     */
    public static List<String> lines(List<Section.Block> blocks, int width) {
        return blocks.stream().flatMap(each -> lines(each, width).stream()).toList();
    }

    /** A line with the signs of sections in ASCII. */
    public static String ascii(String line) {
        return NodeCondition.ascii(line).replace('≈', '~');
    }

    private static List<String> lines(Section.Block block, int width) {
        return block.as(line -> List.of(line.text()), table -> table(table, width));
    }

    private static List<String> table(Section.Table table, int width) {
        if (table.rows().isEmpty()) {
            return List.of();
        }
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
        List<Integer> shown = fitting(table.columns(), widths, width);
        List<String> lines = new ArrayList<>();
        widths[0] += GAP.length();
        lines.add(row(
                table.columns(),
                table.columns().stream().map(Section.Column::title).toList(),
                widths,
                shown));
        widths[0] -= GAP.length();
        table.rows().forEach(row -> lines.add(GAP + row(table.columns(), row, widths, shown)));
        return lines;
    }

    /** The columns that fit a width, in the order of the table. */
    private static List<Integer> fitting(List<Section.Column> columns, int[] widths, int width) {
        List<Integer> order = new ArrayList<>();
        IntStream.range(1, widths.length)
                .filter(i -> PERCENTILE.matcher(columns.get(i).title()).find())
                .forEach(order::add);
        IntStream.range(1, widths.length).filter(i -> !order.contains(i)).forEach(order::add);
        List<Integer> shown = new ArrayList<>(List.of(0));
        int taken = GAP.length() + widths[0];
        for (int i : order) {
            taken += GAP.length() + widths[i];
            if (taken > width && shown.size() > 1) {
                break;
            }
            shown.add(i);
        }
        return shown.stream().sorted().toList();
    }

    private static String row(List<Section.Column> columns, List<String> cells, int[] widths, List<Integer> shown) {
        StringBuilder row = new StringBuilder();
        for (int i : shown) {
            String space = " ".repeat(widths[i] - cells.get(i).length());
            boolean left = columns.get(i).align() == Section.Align.LEFT;
            row.append(i == 0 ? "" : GAP).append(left ? cells.get(i) + space : space + cells.get(i));
        }
        return row.toString().stripTrailing();
    }
}
