package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackType;

/**
 * Reads the optional key {@code labels}: a map of strings. Nil and an empty map read as absent. A map with another type, a text that is too long
 * or not UTF-8, or too many pairs is rejected as a whole, and never the record. Shares the cursor of its decoder; allocates nothing.
 */
final class LabelDecoder {
    private final MsgpackCursor in;

    LabelDecoder(MsgpackCursor cursor) {
        this.in = cursor;
    }

    /**
     * Reads the value at the cursor and leaves the cursor behind it.
     *
     * @return false if the value is not well-formed MessagePack, which makes the record malformed
     */
    boolean read(DecodedEvent into) {
        into.hasOptional = true;
        into.labelsState = DecodedEvent.ABSENT;
        into.labels.clear();
        int start = in.position();
        if (!in.skip(1)) {
            return false;
        }
        int end = in.position();
        in.position(start);
        if (!in.atNil()) {
            boolean valid = in.peek() == MsgpackType.MAP && readMap(into.labels);
            into.labelsState = !valid
                    ? DecodedEvent.REJECTED
                    : into.labels.count() == 0 ? DecodedEvent.ABSENT : DecodedEvent.PRESENT;
        }
        in.position(end);
        return true;
    }

    private boolean readMap(DecodedLabels labels) {
        if (!in.readMapHeader() || in.count() > DecodedLabels.PAIRS_MAX) {
            return false;
        }
        for (int pairs = in.count(); pairs > 0; pairs--) {
            if (in.peek() != MsgpackType.STRING || !in.readText()) {
                return false;
            }
            int keyStart = in.start();
            int keyLength = in.length();
            if (in.peek() != MsgpackType.STRING || !in.readText()) {
                return false;
            }
            if (keyLength == 0
                    || keyLength > DecodedLabels.KEY_MAX_BYTES
                    || in.length() > DecodedLabels.VALUE_MAX_BYTES) {
                return false;
            }
            labels.add(keyStart, keyLength, in.start(), in.length());
        }
        return true;
    }
}
