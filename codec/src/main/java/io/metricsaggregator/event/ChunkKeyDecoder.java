package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackType;

/**
 * Reads the optional keys of a chunk, {@code part} and {@code tokens}. Nil reads as absent; a value of another type or range rejects its key, and
 * never the record. Shares the cursor of its decoder; allocates nothing.
 */
final class ChunkKeyDecoder {
    private final MsgpackCursor in;

    ChunkKeyDecoder(MsgpackCursor cursor) {
        this.in = cursor;
    }

    /**
     * Reads {@code part} and leaves the cursor behind it.
     *
     * @return false if the value is not well-formed MessagePack, which makes the record malformed
     */
    boolean readPart(DecodedEvent into) {
        into.hasOptional = true;
        into.part = null;
        into.partState = DecodedEvent.ABSENT;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        into.partState = DecodedEvent.REJECTED;
        if (in.peek() != MsgpackType.STRING) {
            return in.skip(1);
        }
        if (!in.readString()) {
            return false;
        }
        into.part = ChunkPart.match(in.buffer(), in.start(), in.length());
        into.partState = into.part == null ? DecodedEvent.REJECTED : DecodedEvent.PRESENT;
        return true;
    }

    /** Reads {@code tokens} in the same way: an integer from 0 to {@link DecodedEvent#CHUNK_TOKENS_MAX}. */
    boolean readTokens(DecodedEvent into) {
        into.hasOptional = true;
        into.tokensState = DecodedEvent.ABSENT;
        into.chunkTokens = 0;
        if (in.atNil()) {
            in.skipNil();
            return true;
        }
        into.tokensState = DecodedEvent.REJECTED;
        if (in.peek() != MsgpackType.INTEGER) {
            return in.skip(1);
        }
        if (!in.readInteger()) {
            return false;
        }
        // An integer above 2^63 - 1 reads as negative.
        if (in.integer() >= 0 && in.integer() <= DecodedEvent.CHUNK_TOKENS_MAX) {
            into.chunkTokens = (int) in.integer();
            into.tokensState = DecodedEvent.PRESENT;
        }
        return true;
    }
}
