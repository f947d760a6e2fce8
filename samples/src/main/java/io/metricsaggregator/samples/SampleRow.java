package io.metricsaggregator.samples;

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
    /** The names of {@link SampleColumn#ALL}. */
    static final String[] COLUMNS =
            SampleColumn.ALL.stream().map(SampleColumn::name).toArray(String[]::new);

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

    /** The values of {@link SampleColumn#ALL}, as {@link SampleSink} takes them. */
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
