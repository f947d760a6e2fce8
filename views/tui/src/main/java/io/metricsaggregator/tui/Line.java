package io.metricsaggregator.tui;

import java.util.ArrayList;
import java.util.List;

/** A line of styled text. Every character takes one column, because foreign text was escaped to ASCII before. */
public final class Line {
    /**
     * A part of a line in one style.
     *
     * @param text without control characters
     * @param style the style of the whole text
     */
    public record Span(String text, Style style) {}

    private final List<Span> spans = new ArrayList<>();
    private int width;

    /** Appends styled text. */
    public Line add(String text, Style style) {
        if (!text.isEmpty()) {
            spans.add(new Span(text, style));
            width += text.length();
        }
        return this;
    }

    /** Appends text in the plain style. */
    public Line add(String text) {
        return add(text, Style.PLAIN);
    }

    /** Appends blanks up to a column; nothing if the line is longer. */
    public Line to(int column) {
        return column > width ? add(" ".repeat(column - width)) : this;
    }

    /** Appends the spans of another line. */
    public Line add(Line other) {
        other.spans.forEach(span -> add(span.text(), span.style()));
        return this;
    }

    /** The width in columns. */
    public int width() {
        return width;
    }

    /**
     * The line in at most {@code columns} columns. A word with digits is shown whole or not at all.
     *
     * @param mark ends a line that is cut
     */
    public Line cut(int columns, char mark) {
        String text = text().stripTrailing();
        if (text.length() <= columns) {
            return part(0, columns);
        }
        int end = columns - 1;
        int word = text.lastIndexOf(' ', end) + 1;
        boolean number = text.substring(word, Math.max(word, end)).chars().anyMatch(Character::isDigit);
        return part(0, number && word > 1 ? word : end).add(String.valueOf(mark), Style.DIM);
    }

    /**
     * The whole text on lines of at most {@code columns} columns, broken at double blanks near their end, or else at blanks.
     *
     * @param indent blanks before each further line, less than {@code columns}
     */
    List<Line> wrap(int columns, int indent) {
        String text = text().stripTrailing();
        List<Line> lines = new ArrayList<>();
        int start = 0;
        int room = columns;
        while (text.length() - start > room) {
            int end = breakBefore(text, start, room);
            lines.add(new Line().to(start == 0 ? 0 : indent).add(part(start, end)));
            start = end;
            while (text.charAt(start) == ' ') {
                start++;
            }
            room = columns - indent;
        }
        lines.add(new Line().to(start == 0 ? 0 : indent).add(part(start, text.length())));
        return lines;
    }

    /** The end of the first line of the text from {@code start} on: a blank, or {@code room} characters if a word has more. */
    private static int breakBefore(String text, int start, int room) {
        int wide = text.lastIndexOf("  ", start + room);
        int blank = wide > start + room / 2 ? wide : text.lastIndexOf(' ', start + room);
        return blank <= start || text.substring(start, blank).isBlank() ? start + room : blank;
    }

    /** The columns from {@code from} to before {@code to}. */
    private Line part(int from, int to) {
        Line part = new Line();
        int column = 0;
        for (Span span : spans) {
            int start = Math.max(0, from - column);
            int end = Math.min(span.text().length(), to - column);
            if (start < end) {
                part.add(span.text().substring(start, end), span.style());
            }
            column += span.text().length();
        }
        return part;
    }

    /** Two texts side by side: the right one begins at {@code column}, before which the left one is cut with {@code mark}. */
    static List<Line> beside(List<Line> left, List<Line> right, int column, char mark) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            Line line = i < left.size() ? left.get(i).cut(column - 1, mark) : new Line();
            lines.add(i < right.size() ? line.to(column).add(right.get(i)) : line);
        }
        return lines;
    }

    /** The spans in order. */
    public List<Span> spans() {
        return List.copyOf(spans);
    }

    /** The text without styles. */
    public String text() {
        StringBuilder text = new StringBuilder(width);
        spans.forEach(span -> text.append(span.text()));
        return text.toString();
    }

    @Override
    public String toString() {
        return text();
    }
}
