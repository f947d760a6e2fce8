package io.metricsaggregator.imports;

/** How much a file says about each request; it decides which figures can be computed. */
public enum SourceKind {
    /** Issue, every chunk with content, and end of each request: everything can be computed. */
    CHUNKS("C"),
    /** Issue, first chunk and end of each request: everything but the time between chunks. */
    TIMES("T"),
    /** Durations of each request without issue times: no rates, requests in flight, slices or run duration. */
    DURATIONS("D"),
    /** Figures of the whole run, no requests. */
    AGGREGATES("A");

    private final String letter;

    SourceKind(String letter) {
        this.letter = letter;
    }

    /** The letter in journals, snapshots and reports. */
    public String letter() {
        return letter;
    }

    /** The lesser of two kinds: a run of several files is as good as the poorest of them. */
    public SourceKind and(SourceKind other) {
        return ordinal() >= other.ordinal() ? this : other;
    }
}
