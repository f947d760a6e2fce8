package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Errors by kind, each with its count, its first and last time, and the message of the first one. A kind is the event type together with
 * the first {@value #TEXT_MAX_BYTES} bytes of the error type in its data. The first {@value #MAX_KINDS} kinds have a row each, all later
 * ones share another. Allocates only for the first error of a kind.
 */
final class ErrorTable {
    static final int MAX_KINDS = 100;
    static final int TEXT_MAX_BYTES = 256;

    private final List<Row> rows = new ArrayList<>();
    private @Nullable Row others;

    private static final class Row {
        private final @Nullable EventType event;
        private final byte[] type;
        private final String message;
        private final long firstNanos;
        private long lastNanos;
        private long count;

        Row(@Nullable EventType event, byte[] type, String message, long firstNanos) {
            this.event = event;
            this.type = type;
            this.message = message;
            this.firstNanos = firstNanos;
        }

        private SnapshotExtensions.ErrorRow copy() {
            return new SnapshotExtensions.ErrorRow(
                    event == null ? "other" : event.wireName(),
                    new String(type, StandardCharsets.UTF_8),
                    count,
                    message,
                    firstNanos,
                    lastNanos);
        }
    }

    /** Counts an error event for its kind. */
    void record(DecodedEvent event) {
        Row row = find(event);
        row.count++;
        row.lastNanos = event.timestampNanos();
    }

    private Row find(DecodedEvent event) {
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            if (row.event == event.type() && event.errorTypeEquals(row.type, TEXT_MAX_BYTES)) {
                return row;
            }
        }
        if (rows.size() < MAX_KINDS) {
            Row added = new Row(
                    event.type(),
                    event.copyErrorType(TEXT_MAX_BYTES),
                    event.errorMessage(TEXT_MAX_BYTES),
                    event.timestampNanos());
            rows.add(added);
            return added;
        }
        if (others == null) {
            others = new Row(null, new byte[0], "", event.timestampNanos());
        }
        return others;
    }

    /** Copies the rows in the order of their first error, the shared row last. */
    List<SnapshotExtensions.ErrorRow> rows() {
        List<SnapshotExtensions.ErrorRow> copies = new ArrayList<>(rows.size() + 1);
        for (Row row : rows) {
            copies.add(row.copy());
        }
        if (others != null) {
            copies.add(others.copy());
        }
        return copies;
    }
}
