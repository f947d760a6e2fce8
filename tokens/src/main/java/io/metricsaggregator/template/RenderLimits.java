package io.metricsaggregator.template;

/**
 * Bounds on the memory of one rendering.
 *
 * @param chars characters a rendering may make in all, intermediate results included; a list element counts as 16
 * @param largeChars from this many on, a rendering counts as large
 * @param whenLarge called once by the rendering thread when its rendering becomes large; may block until memory is free
 */
public record RenderLimits(long chars, long largeChars, Runnable whenLarge) {
    private static final long CHARS = 32L << 20;

    /** 32 million characters, and nothing happens when a rendering becomes large. */
    public static final RenderLimits DEFAULT = new RenderLimits(CHARS, CHARS, () -> {});

    public RenderLimits {
        if (chars <= 0 || largeChars < 0) {
            throw new IllegalArgumentException("limits of a rendering are not above 0");
        }
    }
}
