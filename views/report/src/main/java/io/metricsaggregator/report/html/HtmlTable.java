package io.metricsaggregator.report.html;

import io.metricsaggregator.report.markup.Markup;
import io.metricsaggregator.report.section.Section;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Tables. One that is wider than the page scrolls in its own box, whose edges are shaded on the side where it continues; on paper it shrinks, and a table
 * of many columns lies on a landscape page.
 */
public final class HtmlTable {
    /** With more columns a table does not fit an upright page of A4. */
    private static final int UPRIGHT_COLUMNS_MAX = 14;
    /** Fewer columns fit a phone. */
    private static final int PHONE_COLUMNS_MAX = 3;
    /** The same of values of plots, whose columns have the names of curves. */
    private static final int PHONE_CURVES_MAX = 2;

    private static final String TABLE = "Table";
    /** Longest text of a column that does not wrap, in characters. */
    private static final int SHORT_MAX = 40;

    private HtmlTable() {}

    /** Appends a table. */
    public static void render(Markup out, Section.Table table) {
        render(out, table, (row, column) -> switch (table.tone(row, column)) {
            case PLAIN -> "";
            case GOOD -> "good";
            case WARN -> "warn";
            case BAD -> "bad";
        });
    }

    /**
     * Appends a table.
     *
     * @param style a class of the stylesheet for the cell of a row and a column, by their numbers; empty for none
     */
    static void render(Markup out, Section.Table table, BiFunction<Integer, Integer, String> style) {
        render(out, table, style, TABLE);
    }

    /** Appends a table without tones, named for those who do not see where it stands. */
    static void render(Markup out, Section.Table table, String name) {
        render(out, table, (row, column) -> "", name);
    }

    private static void render(
            Markup out, Section.Table table, BiFunction<Integer, Integer, String> style, String name) {
        List<Section.Column> columns = table.columns();
        boolean landscape = columns.size() > UPRIGHT_COLUMNS_MAX;
        out.open("div", "class", landscape ? "landscape" : "upright");
        if (columns.size() > (name.equals(TABLE) ? PHONE_COLUMNS_MAX : PHONE_CURVES_MAX)) {
            out.element("p", "Scroll the table sideways for all " + columns.size() + " columns →", "class", "hint");
        }
        out.open("div", "class", "scroll", "role", "group", "aria-label", name, "tabindex", "0")
                .open("table");
        if (columns.stream().anyMatch(each -> !each.title().isEmpty())) {
            out.open("thead").open("tr");
            columns.forEach(each -> out.element("th", each.title(), "scope", "col", "class", kind(each)));
            out.close().close();
        }
        out.open("tbody");
        List<String> kinds = kinds(table);
        for (int row = 0; row < table.rows().size(); row++) {
            out.open("tr");
            for (int i = 0; i < columns.size(); i++) {
                String more = style.apply(row, i);
                String cell = table.rows().get(row).get(i);
                String kind = kinds.get(i);
                out.element(
                        "td",
                        kind.equals("n") ? micro(cell) : cell,
                        "class",
                        more.isEmpty() ? kind : kind + " " + more);
            }
            out.close();
        }
        out.close().close().close().close();
    }

    /** A figure with the sign of micro, which text for terminals writes as {@code u}. */
    static String micro(String figure) {
        return figure.replaceAll("(?<=\\d) us(?![A-Za-z])", " µs");
    }

    /** The class of the cells of each column: text that is longer than a few words may wrap. */
    private static List<String> kinds(Section.Table table) {
        return IntStream.range(0, table.columns().size())
                .mapToObj(i -> {
                    boolean isLong =
                            table.rows().stream().anyMatch(row -> row.get(i).length() > SHORT_MAX);
                    String kind = kind(table.columns().get(i));
                    return kind.equals("t") && isLong ? "t long" : kind;
                })
                .toList();
    }

    private static String kind(Section.Column column) {
        return switch (column.align()) {
            case LEFT -> "t";
            case RIGHT -> "n";
        };
    }
}
