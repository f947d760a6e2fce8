package io.metricsaggregator.tui;

import java.util.ArrayList;
import java.util.List;

/** A line of styled text. Every character takes one column: text of others has been escaped to ASCII before. */
public final class Line {
    /**
     * A piece of it.
     *
     * @param text without control characters
     * @param style of all of it
     */
    public record Span(String text, Style style) {}

    private final List<Span> spans = new ArrayList<>();
    private int width;

    /** Appends text. */
    public Line add(String text, Style style) {
        if (!text.isEmpty()) {
            spans.add(new Span(text, style));
            width += text.length();
        }
        return this;
    }

    /** Appends plain text. */
    public Line add(String text) {
        return add(text, Style.PLAIN);
    }

    /** Appends blanks up to a column. */
    public Line to(int column) {
        return column > width ? add(" ".repeat(column - width)) : this;
    }

    /** Appends another line. */
    public Line add(Line other) {
        other.spans.forEach(span -> add(span.text(), span.style()));
        return this;
    }

    /** Columns. */
    public int width() {
        return width;
    }

    /** The first columns of it, as many as there is room for. */
    public Line cut(int columns) {
        Line cut = new Line();
        for (Span span : spans) {
            int left = columns - cut.width;
            if (left <= 0) {
                break;
            }
            cut.add(span.text().length() <= left ? span.text() : span.text().substring(0, left), span.style());
        }
        return cut;
    }

    /** The same text, all in one style. */
    public Line all(Style style) {
        Line line = new Line();
        spans.forEach(span -> line.add(span.text(), style));
        return line;
    }

    /** Its pieces. */
    public List<Span> spans() {
        return List.copyOf(spans);
    }

    /** Its text. */
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
