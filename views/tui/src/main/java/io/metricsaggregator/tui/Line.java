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
     * The line in at most {@code columns} columns.
     *
     * @param mark the last column of a line that is cut, so that a cut number does not pass for a whole one
     */
    public Line cut(int columns, char mark) {
        if (text().stripTrailing().length() <= columns) {
            return first(columns);
        }
        return first(columns - 1).add(String.valueOf(mark), Style.DIM);
    }

    /** The first columns of the line. */
    Line first(int columns) {
        Line first = new Line();
        for (Span span : spans) {
            int left = columns - first.width;
            if (left <= 0) {
                break;
            }
            first.add(span.text().length() <= left ? span.text() : span.text().substring(0, left), span.style());
        }
        return first;
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
