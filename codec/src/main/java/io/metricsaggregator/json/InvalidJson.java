package io.metricsaggregator.json;

/** Thrown when text is not JSON, exceeds a limit of {@link JsonCursor}, or ends within a value. */
public final class InvalidJson extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean truncated;

    /** A problem at a byte of the text; −1 for an unknown place. */
    public InvalidJson(String problem, long offset, boolean truncated) {
        // A file may have a million such lines, and nobody looks where the reader was.
        super(offset < 0 ? problem : problem + " at byte " + offset, null, false, false);
        this.truncated = truncated;
    }

    /** Whether the text ends within a value, as a file does whose writer was killed. */
    public boolean isTruncated() {
        return truncated;
    }
}
