package io.metricsaggregator.report.markup;

import io.metricsaggregator.analysis.Printable;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes HTML and SVG elements. Every text and attribute value is escaped, and elements close in the order of opening, so that text of producers
 * cannot become markup. Attributes are given as names and values in turn; names of elements and attributes are this project's own. Not thread-safe.
 */
public final class Markup {
    /** Longest text in characters; the rest is cut. Attribute values, such as the path of a curve, are not cut. */
    private static final int TEXT_MAX = 2000;

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /** Appends the document type of HTML and a line break. */
    public Markup doctype() {
        out.append("<!DOCTYPE html>\n");
        return this;
    }

    /** Opens an element; {@link #close} ends it. */
    public Markup open(String element, String... attributes) {
        start(element, attributes).append('>');
        open.push(element);
        return this;
    }

    /** Closes the element that was opened last. */
    public Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** Appends an element with text alone. */
    public Markup element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close();
    }

    /** Appends an element without content. */
    public Markup empty(String element, String... attributes) {
        start(element, attributes).append("/>");
        return this;
    }

    /** Appends text, of which at most 2000 characters; control characters show as {@code \}{@code uXXXX}. */
    public Markup text(String text) {
        out.append(escape(text, TEXT_MAX));
        return this;
    }

    /** Appends a line break of the source, which shows within {@code pre}. */
    public Markup lineBreak() {
        out.append('\n');
        return this;
    }

    /** Appends complete elements of another writer. */
    public Markup add(Markup elements) {
        out.append(elements);
        return this;
    }

    /** Appends a stylesheet, unescaped: it must be a constant of this project. */
    public Markup stylesheet(String css) {
        out.append("<style>").append(css).append("</style>");
        return this;
    }

    /** Appends a script, unescaped: it must be a constant of this project. */
    public Markup script(String constant) {
        out.append("<script>").append(constant).append("</script>");
        return this;
    }

    private StringBuilder start(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escape(attributes[i + 1], Integer.MAX_VALUE))
                    .append('"');
        }
        return out;
    }

    /** Escapes for text and for attribute values, which always stand in double quotes. */
    private static String escape(String text, int max) {
        return text.length() <= max && isPlain(text) ? text : escaped(text, max);
    }

    /** Whether a text consists of printable ASCII characters without a meaning in markup, as most do. */
    private static boolean isPlain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '&' || c == '<' || c == '>' || c == '"') {
                return false;
            }
        }
        return true;
    }

    private static String escaped(String text, int max) {
        return Printable.escape(text, max)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /**
     * The markup written so far.
     *
     * @throws IllegalStateException if an element is still open
     */
    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("element " + open.peek() + " is open");
        }
        return out.toString();
    }
}
