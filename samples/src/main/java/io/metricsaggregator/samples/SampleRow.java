package io.metricsaggregator.samples;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.ErrorData;
import org.jspecify.annotations.Nullable;

/** The row of one sample, filled in as its records arrive. Times are on the producer's clock, in nanoseconds. */
final class SampleRow {
    /** The columns in order; the first two and the last three hold text, the others numbers. */
    static final String[] COLUMNS = {
        "sample_uuid",
        "worker",
        "issued_ns",
        "first_received_ns",
        "last_received_ns",
        "completed_ns",
        SeriesName.TTFT_NS.wire(),
        "latency_ns",
        "chunks",
        SeriesName.ISL.wire(),
        SeriesName.OSL.wire(),
        SeriesName.TPOT_NS.wire(),
        "finish_reason",
        "error_type",
        "error_message"
    };

    final String id;

    @Nullable
    String worker;

    @Nullable
    Long issued;

    @Nullable
    Long first;

    @Nullable
    Long last;

    @Nullable
    Long completed;

    long chunks;

    @Nullable
    Long inputTokens;

    @Nullable
    Long outputTokens;

    @Nullable
    Double timePerToken;

    @Nullable
    String finishReason;

    @Nullable
    ErrorData error;

    SampleRow(String id) {
        this.id = id;
    }

    /** The values of {@link #COLUMNS}: {@link String}, {@link Long}, {@link Double} or null. */
    @Nullable
    Object[] values() {
        return new @Nullable Object[] {
            id,
            worker,
            issued,
            first,
            last,
            completed,
            between(issued, first),
            between(issued, completed),
            chunks,
            inputTokens,
            outputTokens,
            timePerToken,
            finishReason,
            error == null ? null : error.errorType(),
            error == null ? null : error.errorMessage()
        };
    }

    private static @Nullable Long between(@Nullable Long start, @Nullable Long end) {
        return start == null || end == null ? null : (Long) (end - start);
    }
}
