package io.metricsaggregator.template;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one rendering may cost. A template of a stranger ends here rather than never. */
final class Budget {
    private static final int STEPS = 5_000_000;
    private static final long CHARS = 32L << 20;
    /** What an element of a list counts as: it takes that much more memory than a character. */
    private static final int ELEMENT = 16;

    private static final int DEPTH = 150;

    private int steps;
    private long chars;
    private int depth;

    void step() {
        if (++steps > STEPS) {
            throw new TemplateException("takes more than " + STEPS + " steps");
        }
    }

    void steps(long count) {
        if (count > STEPS - steps) {
            throw new TemplateException("takes more than " + STEPS + " steps");
        }
        steps += (int) count;
    }

    /** Characters that are about to be made. */
    void make(long count) {
        chars += count;
        if (chars > CHARS) {
            throw new TemplateException("makes more than " + CHARS + " characters");
        }
    }

    /** Elements of a list that is about to be made. */
    void makeElements(long count) {
        make(count > Long.MAX_VALUE / ELEMENT ? Long.MAX_VALUE / 2 : count * ELEMENT);
    }

    /** The list that a loop over {@code value} goes through. */
    void makeElementsOf(@Nullable Object value) {
        if (value instanceof String text) {
            makeElements(text.length());
        } else if (value instanceof Collection<?> elements) {
            makeElements(elements.size());
        } else if (value instanceof Map<?, ?> map) {
            makeElements(map.size());
        }
    }

    void enter() {
        if (++depth > DEPTH) {
            throw new TemplateException("calls itself too deep");
        }
    }

    void leave() {
        depth--;
    }
}
