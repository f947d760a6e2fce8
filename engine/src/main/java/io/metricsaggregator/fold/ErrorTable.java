package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distinct kinds of error, each with its count and the message of its first one. A kind is the event and the type that came
 * with it, as far as its first {@link #TEXT_MAX_BYTES} bytes go. Beyond {@link #MAX_KINDS} the rest share a row.
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

        private SnapshotExtensions.ErrorRow freeze() {
            return new SnapshotExtensions.ErrorRow(
                    event == null ? "other" : event.wireName(),
                    new String(type, StandardCharsets.UTF_8),
                    count,
                    message,
                    firstNanos,
                    lastNanos);
        }
    }

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

    List<SnapshotExtensions.ErrorRow> freeze() {
        List<SnapshotExtensions.ErrorRow> frozen = new ArrayList<>(rows.size() + 1);
        for (Row row : rows) {
            frozen.add(row.freeze());
        }
        if (others != null) {
            frozen.add(others.freeze());
        }
        return frozen;
    }
}
