package io.metricsaggregator.imports;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Receives what a {@link FormatReader} finds in a file. One thread. */
public interface ImportSink {
    /** Says how much the file knows of each request. Of several calls the poorest kind counts. */
    void kind(SourceKind kind);

    /** Says which version of the tool wrote the file. */
    void toolVersion(String version);

    /**
     * Starts the next part of a file that holds several runs. A file of one run needs no part.
     *
     * @param label what tells this part from the others, such as {@code concurrency 8}
     * @return whether the part is wanted; if not, the reader may skip its content, and the sink ignores what it sends
     */
    boolean part(String label) throws IOException;

    /**
     * Takes a request. A request whose times contradict each other is skipped and counted.
     *
     * @throws IOException if it cannot be written
     */
    void request(ImportedRequest request) throws IOException;

    /**
     * Takes a record of this project's protocol as it is, in the order of the file. An import holds either requests or records.
     *
     * @param payload the encoded record
     * @throws IOException if it cannot be written
     */
    void record(byte[] payload) throws IOException;

    /** Counts a damaged or unusable record under a reason of lower-case words joined by underscores. */
    void skipped(String reason);

    /** Counts {@code number} records of the same reason; see {@link #skipped(String)}. */
    void skipped(String reason, long number);

    /**
     * Names a series or field that the format cannot know.
     *
     * @param name name of a series or field, such as {@code chunk_delta_ns}
     * @param reason why, as a short clause
     */
    void unknowable(String name, String reason);

    /**
     * Says that the tool was stopped before it had done what it was to do: the run is interrupted.
     *
     * @param why as a short clause, such as {@code AIPerf was cancelled}
     */
    void interrupted(String why);

    /**
     * Says when the run was, for files whose requests have no times on the wall clock.
     *
     * @param startNanos nanoseconds since 1970 UTC
     * @param endNanos the same; null if the files do not say, where the times of requests or the duration of the run decide
     */
    void dates(long startNanos, @Nullable Long endNanos);

    /** Keeps a figure of the tool as it stands in the file. Of figures of the same name the last one counts. */
    void toolFigure(String name, Object value);

    /** Adds one value of a request to a series that only {@link #check} uses, for figures that are defined unlike any series of ours. */
    void value(String series, double value);

    /** Asks to recompute a figure of the tool from the requests and to compare both. */
    void check(ToolCheck check);

    /** Takes the distribution of one of our series as a tool has summarised it; kind {@link SourceKind#AGGREGATES} only. */
    void summary(SummarySeries series);

    /** Takes a counter as a tool has summarised it; kind {@link SourceKind#AGGREGATES} only. */
    void summaryCounter(String name, long value);
}
