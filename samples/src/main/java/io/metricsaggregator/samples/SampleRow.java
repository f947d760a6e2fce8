package io.metricsaggregator.samples;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The row of one sample, filled in as its records arrive. Times are on the producer's clock, in nanoseconds. */
final class SampleRow {
    private static final UsageKey[] USAGE = UsageKey.values();
    private static final String[] OWN_COLUMNS = {
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

    /**
     * The columns in order: those of the sample, then {@code usage_…} for each count of its usage, then {@code usage_by}. The first two, the
     * three before the usage and the last hold text, the others numbers.
     */
    static final String[] COLUMNS = columns();

    private static String[] columns() {
        List<String> columns = new ArrayList<>(List.of(OWN_COLUMNS));
        for (UsageKey key : USAGE) {
            columns.add("usage_" + key.wireName());
        }
        columns.add("usage_by");
        return columns.toArray(new String[0]);
    }

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

    @Nullable
    Usage usage;

    SampleRow(String id) {
        this.id = id;
    }

    /** The values of {@link #COLUMNS}: {@link String}, {@link Long}, {@link Double} or null. */
    @Nullable
    Object[] values() {
        List<@Nullable Object> values = new ArrayList<>(Arrays.asList(own()));
        for (UsageKey key : USAGE) {
            values.add(usage == null ? null : usage.count(key));
        }
        values.add(usage == null ? null : usage.byClient() ? "client" : "server");
        return values.toArray();
    }

    @Nullable
    private Object[] own() {
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
