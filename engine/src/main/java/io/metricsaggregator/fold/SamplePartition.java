package io.metricsaggregator.fold;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.parts.PartHeader;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.registry.Registry;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Folds some of the samples of a run apart from its head: takes the row of a sample as bytes, applies one stamped event, and gives the row back. What the
 * events add up to is handed out as a part of the run. The rows belong to the caller, who keeps them by {@link SampleKey}; the partition keeps none, so
 * any partition of the run can take the next event of a sample. Nothing that it is given makes it throw: what is not an event or a row is counted.
 *
 * <pre>{@code
 * head.sendSamplesTo((event, stamp) -> send(SampleKey.of(event), stamps.write(event, stamp)));
 * …
 * rows.put(key, partition.apply(rows.get(key), bytes));
 * …
 * RunPart part = partition.flush(header);
 * }</pre>
 *
 * For one thread.
 */
public final class SamplePartition {
    private static final DecodedEvent ANY_SAMPLE = anySample();

    private final FoldOptions options;
    private final Supplier<Registry> registries;
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();
    private final SampleStamp stamp = new SampleStamp();
    private State state;
    private long events;
    private long eventsRejected;
    private long rowsRejected;

    /** What is handed out with a part. */
    private static final class State {
        private final Registry registry;
        private final LoadgenFold fold;
        private final RowBytes rows;

        State(Registry registry, FoldOptions options) {
            this.registry = registry;
            this.fold = new LoadgenFold(registry, new RecordLedger(), options, true);
            this.rows = fold.rowBytes();
        }
    }

    /**
     * A partition without events.
     *
     * @param options those of the head's fold
     * @param registries makes the empty registry of each part
     */
    public SamplePartition(FoldOptions options, Supplier<Registry> registries) {
        this.options = options.ofPartition();
        this.registries = registries;
        this.state = new State(registries.get(), this.options);
    }

    /**
     * Applies an event to the row of its sample.
     *
     * @param row the row as the previous event of the sample left it; null for a sample that is not in flight
     * @param stamped an event as {@link StampBytes} writes it
     * @return the row to keep for the next event of the sample; null for none, because it completed or was never issued
     */
    public byte @Nullable [] apply(byte @Nullable [] row, byte[] stamped) {
        try {
            StampBytes.read(stamped, decoder, event, stamp);
        } catch (PartitionFormatException e) {
            eventsRejected++;
            return row;
        }
        events++;
        SampleKey key = SampleKey.of(event);
        InFlightTable table = state.fold.table;
        int hash = table.hash(event);
        if (row != null) {
            restore(row, key, table, hash);
        }
        state.fold.applyStamped(event, stamp);
        int left = table.find(event, hash);
        if (left == InFlightTable.NONE) {
            return null;
        }
        byte[] bytes = state.rows.write(key, left);
        table.remove(left, hash);
        return bytes;
    }

    /**
     * Gives up a sample that is not expected to end: it leaves those in flight, and counts as evicted. A later event of it has no row.
     *
     * @param row as {@link #apply} returned it
     */
    public void giveUp(byte[] row) {
        InFlightTable table = state.fold.table;
        int hash = table.hash(ANY_SAMPLE);
        // The row takes its place in the empty table under any id.
        int restored = table.insert(ANY_SAMPLE, hash);
        try {
            state.rows.evict(row, restored);
        } catch (PartitionFormatException e) {
            rowsRejected++;
            table.remove(restored, hash);
        }
    }

    private static DecodedEvent anySample() {
        byte[] record = new EventEncoder().encode(EventRecord.sample(EventType.SAMPLE_ISSUED, 0, "s"));
        DecodedEvent decoded = new DecodedEvent();
        new EventDecoder().decode(ByteBuffer.wrap(record), 0, record.length, decoded);
        return decoded;
    }

    private void restore(byte[] row, SampleKey key, InFlightTable table, int hash) {
        int restored = table.insert(event, hash);
        try {
            state.rows.restore(row, key, restored);
        } catch (PartitionFormatException e) {
            rowsRejected++;
            table.remove(restored, hash);
        }
    }

    /** Stamped events applied so far. */
    public long events() {
        return events;
    }

    /** Bytes that were no stamped event of a sample; they have no effect. */
    public long eventsRejected() {
        return eventsRejected;
    }

    /** Bytes that were no row of the sample; its event was applied as if it were not in flight. */
    public long rowsRejected() {
        return rowsRejected;
    }

    /**
     * Hands out what the events since the last flush add up to, to be added to the part of the head, and begins the next part. Takes a millisecond or so, most
     * of it for the histograms of the next part.
     *
     * @param header what the part is of
     */
    public RunPart flush(PartHeader header) {
        State full = state;
        full.fold.refresh();
        RunPart part = RunPart.ofSamples(header, full.registry, full.fold.part(0));
        state = new State(registries.get(), options);
        return part;
    }
}
