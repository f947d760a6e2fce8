package io.metricsaggregator.report.section;

import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A titled part of a report.
 *
 * @param title the heading, such as {@code Steady state}
 * @param label the heading of the text page, at most 8 characters, such as {@code Steady}
 * @param blocks lines and tables in the order of display; text of producers is printable
 * @param kind the telemetry that it describes, whose plots stand below it; null for a part on the samples
 */
public record Section(
        String title,
        String label,
        List<Block> blocks,
        @Nullable TelemetryKind kind) {
    public Section {
        blocks = List.copyOf(blocks);
    }

    /** A section on the samples. */
    public Section(String title, String label, List<Block> blocks) {
        this(title, label, blocks, null);
    }

    /** A section of lines alone. */
    static Section ofLines(String title, String label, List<String> lines) {
        return new Section(title, label, lines.stream().<Block>map(Line::new).toList());
    }

    /** What it says, in one line: its first line, or the number of rows of its first table. */
    public String line() {
        return blocks.isEmpty()
                ? ""
                : blocks.get(0)
                        .as(
                                Line::text,
                                table -> table.rows().size() == 1
                                        ? "1 row"
                                        : table.rows().size() + " rows");
    }

    /** Whether it has a table, which the text page shows below the table of durations. */
    public boolean hasTable() {
        return blocks.stream().anyMatch(Table.class::isInstance);
    }

    /** A part of a section. */
    public sealed interface Block permits Line, Table {
        /** Applies the function of the block's kind. */
        <T> T as(Function<Line, T> line, Function<Table, T> table);
    }

    /** A clause or a sentence without a full stop. */
    public record Line(String text) implements Block {
        @Override
        public <T> T as(Function<Line, T> line, Function<Table, T> table) {
            return line.apply(this);
        }
    }

    /**
     * A table.
     *
     * @param columns the titles, at least one; the title of the first column names the table
     * @param rows as many cells as columns each; {@code -} for what is unknown
     * @param tones the tone of each row, which colours its cells of text; empty if no row has one. A tone never stands alone: the row says the
     *     same in words
     */
    public record Table(List<Column> columns, List<List<String>> rows, List<Tone> tones) implements Block {
        public Table {
            columns = List.copyOf(columns);
            rows = rows.stream().map(List::copyOf).toList();
            tones = List.copyOf(tones);
            if (!tones.isEmpty() && tones.size() != rows.size()) {
                throw new IllegalArgumentException(tones.size() + " tones for " + rows.size() + " rows");
            }
        }

        /** A table without tones. */
        public Table(List<Column> columns, List<List<String>> rows) {
            this(columns, rows, List.of());
        }

        /** The tone of a cell: that of its row if the column is text. */
        public Tone tone(int row, int column) {
            return tones.isEmpty() || columns.get(column).align() != Align.LEFT ? Tone.PLAIN : tones.get(row);
        }

        @Override
        public <T> T as(Function<Line, T> line, Function<Table, T> table) {
            return table.apply(this);
        }

        /** A table whose first column is text and whose other columns are numbers. */
        public static Table ofNumbers(List<String> titles, List<List<String>> rows) {
            return new Table(
                    IntStream.range(0, titles.size())
                            .mapToObj(i -> new Column(titles.get(i), i == 0 ? Align.LEFT : Align.RIGHT))
                            .toList(),
                    rows);
        }
    }

    /** What the colour of a row says. */
    public enum Tone {
        PLAIN,
        GOOD,
        WARN,
        BAD
    }

    /** A column of a table. */
    public record Column(String title, Align align) {}

    /** Where the cells of a column stand: text to the left, numbers to the right. */
    public enum Align {
        LEFT,
        RIGHT
    }
}
