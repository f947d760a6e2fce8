package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.SampleIds;
import io.metricsaggregator.parts.SlowestPart;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@value #ROWS} samples with the longest duration of one kind, each with the times of its steps. Of equally slow samples the first
 * are kept. A sample that is not kept costs one comparison; one that is kept costs a scan of the rows, and an allocation only if its id
 * is longer than two longs hold. Belongs to the thread of the fold.
 */
public final class SlowestSamples {
    public static final int ROWS = 10;
    static final int ID_MAX_BYTES = 256;
    private static final HexFormat HEX = HexFormat.of();

    private final String by;
    private final SampleTraces traces;
    private final Row[] rows = new Row[ROWS];
    private int size;
    /** The row with the shortest duration, which the next slow sample replaces. */
    private int fastest;

    private static final class Row {
        private long nanos;
        private long arrival;
        private IdKind kind = IdKind.EMPTY;
        private long idHigh;
        private long idLow;
        private byte @Nullable [] longId;
        private String worker = "";
        private boolean failed;
        private boolean hasScheduled;
        private long scheduled;
        private long issued;
        private boolean hasFirst;
        private long first;
        private boolean hasLast;
        private long last;
        private long completed;
        private long traceHigh;
        private long traceLow;
        private long span;

        /** Whether it is replaced before another row: shorter, or as long and later. */
        boolean isBelow(Row other) {
            return nanos < other.nanos || (nanos == other.nanos && arrival > other.arrival);
        }
    }

    /**
     * An empty table.
     *
     * @param by the name of the duration in snapshots
     * @param traces those of the samples in flight
     */
    SlowestSamples(String by, SampleTraces traces) {
        this.by = by;
        this.traces = traces;
        for (int i = 0; i < ROWS; i++) {
            rows[i] = new Row();
        }
    }

    /** Whether a sample with this duration is among the slowest so far. */
    boolean takes(long nanos) {
        return size < ROWS || nanos > rows[fastest].nanos;
    }

    /**
     * Keeps a sample for which {@link #takes} returned true.
     *
     * @param issued the issue from which the duration counts
     * @param event the completion of the sample
     * @param stamp that of the completion
     * @param row its row in {@code table}, not yet removed
     * @param completed timestamp of the completion
     */
    void add(
            long issued,
            long nanos,
            DecodedEvent event,
            SampleContext stamp,
            InFlightTable table,
            int row,
            long completed) {
        // First, so that the rows stay as they are if there is no memory for it.
        byte[] longId = event.idKind() == IdKind.LONG ? event.copyIdText(ID_MAX_BYTES) : null;
        Row into = rows[size < ROWS ? size++ : fastest];
        into.nanos = nanos;
        into.arrival = stamp.position;
        into.kind = event.idKind();
        into.idHigh = event.idHigh();
        into.idLow = event.idLow();
        into.longId = longId;
        into.worker = stamp.worker;
        into.failed = table.hasFailed(row);
        into.hasScheduled = table.hasScheduled(row);
        into.scheduled = into.hasScheduled ? table.scheduled(row) : 0;
        into.issued = issued;
        into.hasFirst = table.hasFirstReceived(row);
        into.first = into.hasFirst ? table.firstReceived(row) : 0;
        into.hasLast = table.hasLaterChunk(row);
        into.last = into.hasLast ? table.lastReceived(row) : 0;
        into.completed = completed;
        into.traceHigh = traces.high(row);
        into.traceLow = traces.low(row);
        into.span = traces.span(row);
        fastest = 0;
        for (int i = 1; i < size; i++) {
            if (rows[i].isBelow(rows[fastest])) {
                fastest = i;
            }
        }
    }

    /** Adds copies of the rows to a list, the slowest first. */
    void addTo(List<SlowSample> samples) {
        sorted().forEach(row -> samples.add(copy(row)));
    }

    /** Adds copies of the rows with their places to a list, the slowest first. */
    void partTo(List<SlowestPart.Row> into) {
        sorted().forEach(row -> into.add(new SlowestPart.Row(copy(row), row.arrival)));
    }

    private Stream<Row> sorted() {
        return Arrays.stream(rows, 0, size)
                .sorted(Comparator.comparingLong((Row row) -> row.nanos)
                        .reversed()
                        .thenComparingLong(row -> row.arrival));
    }

    private SlowSample copy(Row row) {
        return new SlowSample(
                by,
                row.longId == null
                        ? SampleIds.text(row.kind, row.idHigh, row.idLow)
                        : new String(row.longId, StandardCharsets.UTF_8),
                row.worker,
                row.nanos,
                row.failed,
                row.hasScheduled ? Long.valueOf(row.scheduled) : null,
                row.issued,
                row.hasFirst ? Long.valueOf(row.first) : null,
                row.hasLast ? Long.valueOf(row.last) : null,
                row.completed,
                row.span == 0 ? null : HEX.toHexDigits(row.traceHigh) + HEX.toHexDigits(row.traceLow),
                row.span == 0 ? null : HEX.toHexDigits(row.span));
    }
}
