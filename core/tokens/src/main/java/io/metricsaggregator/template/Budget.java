package io.metricsaggregator.template;

/**
 * Limits the cost of one rendering. Every operation charges what it is about to read and produce before it starts, by the size of its
 * operands, so that a template from a request ends with a {@link TemplateException} within seconds and bounded memory. One instance
 * per rendering; not thread-safe.
 */
final class Budget {
    /** Maximum number of evaluated expressions, executed statements and visited elements of lists and maps. */
    private static final int STEPS = 5_000_000;
    /** Maximum number of characters that are read without producing output: a second or two of work. */
    private static final long READ = 1L << 29;
    /** Cost of a list element in characters, by the memory it takes. */
    private static final int ELEMENT = 16;

    private static final int DEPTH = 150;

    private final RenderLimits limits;
    private int steps;
    private long read;
    private long chars;
    private int depth;
    private boolean large;

    Budget(RenderLimits limits) {
        this.limits = limits;
    }

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

    /** Charges {@code count} characters before they are read. */
    void read(long count) {
        read += Math.min(count, READ);
        if (read > READ) {
            throw new TemplateException("reads more than " + READ + " characters");
        }
    }

    /** Charges {@code count} characters before they are produced. */
    void make(long count) {
        chars += Math.min(count, Long.MAX_VALUE / 2);
        if (chars > limits.chars()) {
            throw new TemplateException("makes more than " + limits.chars() + " characters");
        }
        if (chars > limits.largeChars() && !large) {
            large = true;
            limits.whenLarge().run();
        }
    }

    /** Charges {@code count} elements of a list or map before it is created. */
    void makeElements(long count) {
        make(count > Long.MAX_VALUE / (2 * ELEMENT) ? Long.MAX_VALUE / 2 : count * ELEMENT);
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
