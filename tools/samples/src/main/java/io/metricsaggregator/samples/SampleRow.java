package io.metricsaggregator.samples;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.OptionalKeys;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import io.metricsaggregator.journal.RunOrigin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The row of one sample, filled in as its records arrive. Times are on the producer's clock, in nanoseconds. */
final class SampleRow {
    private static final UsageKey[] USAGE = UsageKey.values();
    private static final ServerKey[] SERVER = ServerKey.values();
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

    /** Issue of the attempt that had the first chunk: a sample may be issued again after it. */
    @Nullable
    Long firstIssued;

    /** First chunk that is no reasoning; null before it. */
    @Nullable
    Long answered;

    /** Whether a chunk was reasoning. */
    boolean thought;

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

    @Nullable
    ServerTimes server;

    /** Its place in the job of an agent. */
    OptionalKeys.@Nullable Job job;

    /** Where the run was received, as of the newest issue. */
    RunOrigin origin;

    boolean tracked;

    /** Number of the tracked window of the newest issue, from 1. */
    long window;

    boolean failed;

    @Nullable
    Boolean good;

    @Nullable
    Long scheduled;

    @Nullable
    String conversation;

    /** Tokens of the first chunk; null if its record does not tell. */
    @Nullable
    Integer firstTokens;

    SampleRow(String id, RunOrigin origin) {
        this.id = id;
        this.origin = origin;
    }

    /** The values of {@link SampleColumn#ALL}, as {@link SampleSink} takes them. */
    @Nullable
    Object[] values() {
        List<@Nullable Object> values = new ArrayList<>(Arrays.asList(own()));
        for (UsageKey key : USAGE) {
            values.add(usage == null ? null : usage.count(key));
        }
        values.add(usage == null ? null : usage.byClient() ? "client" : "server");
        values.addAll(ofTheRun().values());
        for (ServerKey key : SERVER) {
            values.add(server == null ? null : server.number(key));
        }
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

    /** The columns after those of usage, by name: the run, and how its report takes the sample. */
    Map<String, @Nullable Object> ofTheRun() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("run_id", origin.runId());
        values.put("node", origin.node());
        values.put("tracked", tracked);
        values.put("window", tracked ? (Long) window : null);
        values.put("failed", failed);
        values.put("good", good);
        values.put("scheduled_ns", scheduled);
        values.put("wall_offset_ns", origin.wallOffsetNanos());
        values.put("conversation_id", conversation);
        return values;
    }

    private static @Nullable Long between(@Nullable Long start, @Nullable Long end) {
        return start == null || end == null || !TimestampMath.fits(start, end) ? null : (Long) (end - start);
    }
}
