package io.metricsaggregator.samples;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.UsageKey;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.tokens.TextLengths;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Assembles the row of each sample from its records and writes it when the sample completes. */
final class SampleRows {
    private final Target rows;
    private final @Nullable TextLengths lengths;
    private final Map<String, SampleRow> open = new LinkedHashMap<>();
    private final TrackedWindow windows;
    private final @Nullable SampleObjectives objectives;
    private RunOrigin origin;

    /** Receives the row of a sample that completed, or never will. */
    @FunctionalInterface
    interface Target {
        void sample(SampleRow row) throws IOException;
    }

    /** Rows of a run, with the lengths of texts that {@code lengths} counts; null to leave them empty. */
    SampleRows(SampleRun run, Target rows, @Nullable TextLengths lengths) {
        this.rows = rows;
        this.lengths = lengths;
        this.origin = run.origin();
        this.objectives = run.objectives();
        this.windows = new TrackedWindow(run.tracksAll());
    }

    /** Sets where records from now on were received: another process may have resumed the run. */
    void origin(RunOrigin newest) {
        origin = newest;
    }

    /**
     * Applies a record as the fold does that computes the report: nothing after the end of the session, a retry of a tracked sample only
     * in a window.
     *
     * @param bytes the encoded form of {@code event}
     */
    void apply(EventRecord event, byte[] bytes) throws IOException {
        boolean hasSample = !event.sampleUuid().isEmpty();
        if (!windows.apply(event.type(), hasSample) || !hasSample) {
            return;
        }
        SampleRow row = open.computeIfAbsent(event.sampleUuid(), id -> new SampleRow(id, origin));
        if (event.workerId() != null) {
            row.worker = event.workerId().toString();
        }
        if (!event.conversationId().isEmpty()) {
            row.conversation = event.conversationId();
        }
        long now = event.timestampNanos();
        switch (event.type()) {
            case SAMPLE_ISSUED -> issued(row, event, bytes);
            case SAMPLE_RECV_FIRST -> {
                row.first = now;
                row.firstIssued = row.issued;
                row.answered = null;
                row.thought = false;
                chunk(row, event);
                row.firstTokens = event.optional().tokens() == null
                        ? row.firstTokens
                        : event.optional().tokens();
            }
            case SAMPLE_RECV_NON_FIRST -> chunk(row, event);
            case SAMPLE_COMPLETE -> {
                completed(row, event, bytes);
                open.remove(row.id);
                rows.sample(row);
            }
            default -> {
                row.failed = true;
                if (row.error == null && event.data() instanceof ErrorData error) {
                    row.error = error;
                }
            }
        }
    }

    private static void chunk(SampleRow row, EventRecord event) {
        row.last = event.timestampNanos();
        row.chunks++;
        if (event.optional().part() == ChunkPart.REASONING) {
            row.thought = true;
        } else if (row.answered == null) {
            row.answered = event.timestampNanos();
        }
    }

    private void issued(SampleRow row, EventRecord event, byte[] bytes) {
        if (row.tracked && !windows.isOpen()) {
            return;
        }
        if (!row.tracked) {
            // What arrived before the first issue that counts is of no sample.
            row.first = null;
            row.firstIssued = null;
            row.last = null;
            row.answered = null;
            row.thought = false;
            row.chunks = 0;
        }
        row.origin = origin;
        row.issued = event.timestampNanos();
        row.failed = false;
        row.firstTokens = null;
        row.scheduled = event.scheduledNanos();
        row.job = event.optional().job();
        row.inputTokens = inputTokens(event, bytes);
        if (windows.isOpen()) {
            row.tracked = true;
            row.window = windows.number();
        }
    }

    private void completed(SampleRow row, EventRecord event, byte[] bytes) {
        row.completed = event.timestampNanos();
        row.finishReason = event.finishReason();
        row.usage = event.optional().usage();
        row.server = event.optional().server();
        Long counted = countOutput(row, bytes);
        SampleObjectives limits = objectives;
        if (limits == null || !row.tracked) {
            return;
        }
        if (limits.usesUsage()) {
            Long reported = row.usage == null ? null : row.usage.count(UsageKey.COMPLETION_TOKENS);
            int first = row.firstTokens == null ? 1 : row.firstTokens;
            row.good = limits.judge(
                    row, row.failed, reported != null, reported == null ? null : (Long) Math.max(0, reported - first));
        } else {
            row.good = limits.judge(row, row.failed, event.data() instanceof TextModelOutput, counted);
        }
    }

    private @Nullable Long inputTokens(EventRecord event, byte[] bytes) {
        if (event.data() instanceof PromptData prompt && prompt.tokenIds() != null) {
            return (long) prompt.tokenIds().size();
        }
        if (lengths == null || !lengths.countPrompt(bytes)) {
            return null;
        }
        return lengths.tokens();
    }

    /** Counts the output and returns its tokens after the first chunk; null if it cannot be counted. */
    private @Nullable Long countOutput(SampleRow row, byte[] bytes) {
        if (lengths == null || row.completed == null) {
            return null;
        }
        if (!lengths.countOutput(bytes, row.first != null)) {
            return lengths.isEmpty() ? (Long) 0L : null;
        }
        row.outputTokens = lengths.tokens();
        if (row.first != null && lengths.tokensAfterFirst() > 0) {
            row.timePerToken = (double) (row.completed - row.first) / (double) lengths.tokensAfterFirst();
        }
        return lengths.tokensAfterFirst();
    }

    /** Writes the rows of samples that never completed. */
    void end() throws IOException {
        for (SampleRow row : open.values()) {
            rows.sample(row);
        }
        open.clear();
    }
}
