package io.metricsaggregator.fold.row;

import io.metricsaggregator.event.DecodedEvent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Texts of ids that two longs cannot hold, by row of {@link InFlightTable}. Belongs to the thread of the fold; allocates only for such ids. */
final class LongIds {
    private static final int FIRST_ROOM = 1 << 12;

    /** Null until the first one is kept. */
    private byte @Nullable [] @Nullable [] texts;

    private long bytes;

    /** Bytes of all texts. */
    long bytes() {
        return bytes;
    }

    /** Whether a row has the id of an event. */
    boolean isOf(int row, DecodedEvent event) {
        byte[] text = texts == null ? null : texts[row];
        return text != null && event.idTextEquals(text);
    }

    void keep(int row, byte[] text) {
        byte @Nullable [] @Nullable [] room = texts;
        if (room == null) {
            room = new byte[Math.max(FIRST_ROOM, row + 1)][];
        } else if (row >= room.length) {
            room = Arrays.copyOf(room, Math.max(2 * room.length, row + 1));
        }
        texts = room;
        room[row] = text;
        bytes += text.length;
    }

    /** Forgets the id of a row that is removed, if it is long. */
    void forget(int row) {
        if (texts != null && row < texts.length && texts[row] != null) {
            bytes -= texts[row].length;
            texts[row] = null;
        }
    }
}
