package io.metricsaggregator.web.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds a table of the page: caption, titles of the columns, rows, and a sentence instead of rows. Not thread-safe. */
final class TableTree {
    /** Rows of a table, at most. */
    static final int ROWS_MAX = 100;

    private final String id;
    private final String caption;
    private final List<Map<String, Object>> columns = new ArrayList<>();
    private final List<Map<String, Object>> groups = new ArrayList<>();
    private final List<List<Object>> rows = new ArrayList<>();
    private String empty = "";
    private String note = "";
    private int leftOut;

    TableTree(String id, String caption) {
        this.id = id;
        this.caption = caption;
    }

    /** Adds a column of text. */
    TableTree text(String title) {
        columns.add(Map.of("title", title, "number", false));
        return this;
    }

    /** Adds columns of numbers. */
    TableTree numbers(String... titles) {
        for (String title : titles) {
            columns.add(Map.of("title", title, "number", true));
        }
        return this;
    }

    /** Adds a heading over the next {@code columns} columns; an empty title for none. */
    TableTree group(String title, int span) {
        groups.add(Map.of("title", title, "span", span));
        return this;
    }

    /** Adds a row: a text or a cell of {@link Texts#cell} for each column. Rows beyond {@link #ROWS_MAX} are only counted. */
    void row(List<Object> cells) {
        if (rows.size() < ROWS_MAX) {
            rows.add(cells);
        } else {
            leftOut++;
        }
    }

    /** Sets the sentence that stands for a table without rows. */
    TableTree whenEmpty(String sentence) {
        empty = sentence;
        return this;
    }

    /** Sets the sentence below the table. */
    void note(String sentence) {
        note = sentence;
    }

    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", id);
        tree.put("caption", caption);
        tree.put("groups", groups);
        tree.put("columns", columns);
        tree.put("rows", rows);
        tree.put("empty", empty);
        tree.put(
                "note",
                leftOut == 0 ? note : note + (note.isEmpty() ? "" : " ") + leftOut + " more rows are not shown.");
        return tree;
    }
}
