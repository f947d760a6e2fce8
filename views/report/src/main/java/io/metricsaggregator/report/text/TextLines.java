package io.metricsaggregator.report.text;

import io.metricsaggregator.report.section.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Lines for a terminal of some width: text that wraps, and tables whose titles wrap and which lose columns. No number is cut. */
public final class TextLines {
    private static final String GAP = "  ";
    /** Columns up to which titles do not wrap. */
    private static final int TITLE_MIN = 8;

    private TextLines() {}

    /**
     * A text behind a head, wrapped at blanks; a word that is longer than a line is broken.
     *
     * @param head stands before the first line; the others are indented by its length and {@code hang}
     * @param hang further columns by which the other lines are indented
     * @param width columns of a line
     */
    public static List<String> wrapped(String head, String text, int hang, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(head);
        int start = head.length();
        for (String word : text.split(" ", -1)) {
            if (line.length() > start && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                start = head.length() + hang;
                line = new StringBuilder(" ".repeat(start));
            } else if (line.length() > start) {
                line.append(' ');
            }
            String rest = word;
            while (line.length() + rest.length() > width && width > start) {
                int room = width - line.length();
                int end = room > 0 && Character.isHighSurrogate(rest.charAt(room - 1)) ? room - 1 : room;
                lines.add(line.append(rest, 0, end).toString());
                rest = rest.substring(end);
                start = head.length() + hang;
                line = new StringBuilder(" ".repeat(start));
            }
            line.append(rest);
        }
        lines.add(line.toString());
        return lines;
    }

    /**
     * A table with a line of titles, or several where titles wrap.
     *
     * @param order columns by number, the most important first: those at the end are left out where there is no room; the others keep their place
     * @param indent columns in front of each line
     * @param width columns of a line
     */
    public static List<String> table(Section.Table table, List<Integer> order, int indent, int width) {
        List<List<String>> titles = titles(table);
        int[] widths = widths(table, titles);
        List<Integer> shown = order.subList(0, fitting(widths, order, indent, width)).stream()
                .sorted()
                .toList();
        List<String> lines = new ArrayList<>();
        int height = shown.stream().mapToInt(i -> titles.get(i).size()).max().orElse(0);
        for (int line = 0; line < height; line++) {
            int row = line;
            lines.add(line(table, shown, widths, indent, i -> {
                List<String> title = titles.get(i);
                int from = row - (height - title.size());
                return from < 0 ? "" : title.get(from);
            }));
        }
        table.rows().forEach(row -> lines.add(line(table, shown, widths, indent, row::get)));
        return lines;
    }

    /** How many columns of an order {@link #table} shows: two or more, if there are so many. */
    public static int fitting(Section.Table table, List<Integer> order, int indent, int width) {
        return fitting(widths(table, titles(table)), order, indent, width);
    }

    private static int fitting(int[] widths, List<Integer> order, int indent, int width) {
        int taken = indent - GAP.length();
        for (int shown = 0; shown < order.size(); shown++) {
            taken += GAP.length() + widths[order.get(shown)];
            if (taken > width && shown > 1) {
                return shown;
            }
        }
        return order.size();
    }

    private static List<List<String>> titles(Section.Table table) {
        return IntStream.range(0, table.columns().size())
                .mapToObj(i -> title(table.columns().get(i).title(), cells(table, i)))
                .toList();
    }

    private static int[] widths(Section.Table table, List<List<String>> titles) {
        return IntStream.range(0, titles.size())
                .map(i -> titles.get(i).stream().mapToInt(String::length).reduce(cells(table, i), Math::max))
                .toArray();
    }

    /** The width of the widest cell of a column. */
    private static int cells(Section.Table table, int column) {
        return table.rows().stream()
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
    }

    /** All columns in their order. */
    public static List<Integer> all(Section.Table table) {
        return IntStream.range(0, table.columns().size()).boxed().toList();
    }

    /** A title in lines that are no wider than the cells, unless a word is. */
    private static List<String> title(String title, int cells) {
        int word = 0;
        for (String each : title.split(" ", -1)) {
            word = Math.max(word, each.length());
        }
        return wrapped("", title, 0, Math.max(TITLE_MIN, Math.max(word, cells)));
    }

    private static String line(
            Section.Table table, List<Integer> shown, int[] widths, int indent, IntFunction<String> cells) {
        StringBuilder line = new StringBuilder(" ".repeat(Math.max(0, indent)));
        for (int i : shown) {
            String cell = cells.apply(i);
            String space = " ".repeat(widths[i] - cell.length());
            boolean left = table.columns().get(i).align() == Section.Align.LEFT;
            line.append(left ? cell + space : space + cell).append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
