package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.IdKind;
import java.nio.ByteBuffer;

/**
 * Looks for the rows of a block of events before the events are applied: the processor reads the rows of several samples at the same time, and the hash of
 * each id is computed once. An event may find another row than the one seen ahead, because the events before it in the block add and remove samples; so the
 * row seen ahead is a guess, whose id {@link #find} compares. Belongs to the thread of the fold; allocates only for a block larger than those before.
 */
public final class RowsAhead {
    private static final int FIRST_BLOCK = 64;

    private final InFlightTable table;
    private int[] hashes = new int[FIRST_BLOCK];
    private int[] guesses = new int[FIRST_BLOCK];
    private int hash;
    private int guess = InFlightTable.NONE;

    public RowsAhead(InFlightTable table) {
        this.table = table;
    }

    /** Looks for the rows of the first {@code count} events. */
    public void look(DecodedEvent[] events, int count) {
        if (count > hashes.length) {
            hashes = new int[count];
            guesses = new int[count];
        }
        int[] intoHashes = hashes;
        int[] intoGuesses = guesses;
        for (int i = 0; i < count; i++) {
            int each = table.hash(events[i]);
            intoHashes[i] = each;
            intoGuesses[i] = table.guess(each);
        }
    }

    /** Makes event {@code i} of the block the one that {@link #find} and {@link #hash} are of. */
    public void select(int i) {
        hash = hashes[i];
        guess = guesses[i];
    }

    /** Returns the row of the selected event's sample, or {@link InFlightTable#NONE}. */
    public int find(DecodedEvent event) {
        return table.find(event, hash, guess);
    }

    /** Returns the row of the sample with that id, whichever event is selected; {@link InFlightTable#NONE} if none has it. Allocates. */
    public int find(String sampleId) {
        byte[] record = new EventEncoder().encode(EventRecord.sample(EventType.SAMPLE_ISSUED, 0, sampleId));
        DecodedEvent event = new DecodedEvent();
        boolean malformed = new EventDecoder().decode(ByteBuffer.wrap(record), 0, record.length, event) != null;
        return malformed || event.idKind() == IdKind.EMPTY ? InFlightTable.NONE : table.find(event, table.hash(event));
    }

    /** The hash of the selected event's id. */
    public int hash() {
        return hash;
    }
}
