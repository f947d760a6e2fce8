package io.metricsaggregator.template;

/**
 * Bounds what one rendering may cost. Every operation charges what it is about to read and make before it works, by the size of its
 * operands, so that a template from a request ends with a {@link TemplateException} within seconds and bounded memory. One for each
 * rendering.
 */
final class Budget {
    /** Expressions, statements, and elements of lists and maps that are visited. */
    private static final int STEPS = 5_000_000;
    /** Characters that are read without anything being made of them: a second of work or two. */
    private static final long READ = 1L << 29;
    /** An element of a list takes as much memory as this many characters. */
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

    /** Charges characters that are about to be read. */
    void read(long count) {
        read += Math.min(count, READ);
        if (read > READ) {
            throw new TemplateException("reads more than " + READ + " characters");
        }
    }

    /** Charges characters that are about to be made. */
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

    /** Charges elements of a list or map that is about to be made. */
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
