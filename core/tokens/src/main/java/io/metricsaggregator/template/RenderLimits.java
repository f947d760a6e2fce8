package io.metricsaggregator.template;

/**
 * Memory limits of one rendering.
 *
 * @param chars maximum number of characters that a rendering may produce, intermediate results included; a list element counts as 16
 * @param largeChars number of characters from which a rendering counts as large
 * @param whenLarge called once, on the rendering thread, when a rendering becomes large; may block until memory is available
 */
public record RenderLimits(long chars, long largeChars, Runnable whenLarge) {
    private static final long CHARS = 32L << 20;

    /** 32 million characters, without an action when a rendering becomes large. */
    public static final RenderLimits DEFAULT = new RenderLimits(CHARS, CHARS, () -> {});

    public RenderLimits {
        if (chars <= 0 || largeChars < 0) {
            throw new IllegalArgumentException("rendering limits must be positive");
        }
    }
}
