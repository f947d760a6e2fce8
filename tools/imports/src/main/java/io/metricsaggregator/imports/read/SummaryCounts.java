package io.metricsaggregator.imports.read;

import io.metricsaggregator.imports.ImportSink;
import io.metricsaggregator.imports.json.Decimals;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Counts of a run that a tool has summarised, as our counters: all of its requests are tracked. Stateless. */
public final class SummaryCounts {
    private static final int SECONDS = 9;

    private SummaryCounts() {}

    /**
     * Hands over the numbers of requests issued, completed, failed and succeeded; null for one that the file does not have. A tool's completed
     * requests are often those that succeeded.
     */
    public static void hand(
            ImportSink sink,
            @Nullable Long issued,
            @Nullable Long completed,
            @Nullable Long failed,
            @Nullable Long succeeded) {
        hand(sink, "samples_issued", issued);
        hand(sink, "samples_completed", completed);
        hand(sink, "samples_failed", failed);
        if (succeeded != null) {
            sink.summaryCounter("tracked_samples_succeeded", succeeded);
        }
        if (failed != null) {
            sink.summaryCounter("tracked_samples_errored", failed);
        }
    }

    private static void hand(ImportSink sink, String counter, @Nullable Long number) {
        if (number != null) {
            sink.summaryCounter("total_" + counter, number);
            sink.summaryCounter("tracked_" + counter, number);
        }
    }

    /** Hands over how long requests were sent and answered; null for unknown. */
    public static void duration(ImportSink sink, @Nullable BigDecimal seconds) {
        Long nanos = seconds == null ? null : Decimals.nanos(seconds, SECONDS);
        if (nanos != null && nanos > 0) {
            sink.summaryCounter("tracked_duration_ns", nanos);
        }
    }

    /** The sum of two counts; null if either is unknown. */
    public static @Nullable Long sum(@Nullable Long one, @Nullable Long other) {
        return one == null || other == null ? null : (Long) (one + other);
    }
}
