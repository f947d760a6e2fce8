package io.metricsaggregator.samples;

import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.PromptData;
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

    /** Receives the row of a sample that completed, or never will. */
    @FunctionalInterface
    interface Target {
        void sample(SampleRow row) throws IOException;
    }

    SampleRows(Target rows, @Nullable TextLengths lengths) {
        this.rows = rows;
        this.lengths = lengths;
    }

    /**
     * Applies a record.
     *
     * @param bytes the encoded form of {@code event}
     */
    void apply(EventRecord event, byte[] bytes) throws IOException {
        if (event.sampleUuid().isEmpty()) {
            return;
        }
        SampleRow row = open.computeIfAbsent(event.sampleUuid(), SampleRow::new);
        if (event.workerId() != null) {
            row.worker = event.workerId().toString();
        }
        long now = event.timestampNanos();
        switch (event.type()) {
            case SAMPLE_ISSUED -> {
                row.issued = now;
                row.inputTokens = inputTokens(event, bytes);
            }
            case SAMPLE_RECV_FIRST -> {
                row.first = now;
                row.last = now;
                row.chunks++;
            }
            case SAMPLE_RECV_NON_FIRST -> {
                row.last = now;
                row.chunks++;
            }
            case SAMPLE_COMPLETE -> {
                row.completed = now;
                row.finishReason = event.finishReason();
                row.usage = event.optional().usage();
                countOutput(row, bytes);
                open.remove(row.id);
                rows.sample(row);
            }
            default -> {
                if (row.error == null && event.data() instanceof ErrorData error) {
                    row.error = error;
                }
            }
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

    private void countOutput(SampleRow row, byte[] bytes) {
        if (lengths == null || row.completed == null || !lengths.countOutput(bytes, row.first != null)) {
            return;
        }
        row.outputTokens = lengths.tokens();
        if (row.first != null && lengths.tokensAfterFirst() > 0) {
            row.timePerToken = (double) (row.completed - row.first) / (double) lengths.tokensAfterFirst();
        }
    }

    /** Writes the rows of samples that never completed. */
    void end() throws IOException {
        for (SampleRow row : open.values()) {
            rows.sample(row);
        }
        open.clear();
    }
}
