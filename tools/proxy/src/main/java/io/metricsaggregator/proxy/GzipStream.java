package io.metricsaggregator.proxy;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates a stream of gzip (RFC 1952) as its bytes come; members follow each other. Memory is one buffer. The check sums are not compared: the
 * client does that. One owner; {@link #close} frees native memory.
 */
final class GzipStream implements AutoCloseable {
    private static final int HEADER_BYTES = 10;
    private static final int TRAILER_BYTES = 8;
    private static final int HAS_CRC = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;

    private final Inflater inflater = new Inflater(true);
    private final byte[] buffer = new byte[8192];
    private final long inflatedMaxBytes;
    private final Sink sink;
    private State state = State.HEADER;
    private int seen;
    private int flags;
    private int extra;
    private long inflated;

    private enum State {
        HEADER,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        CRC,
        DATA,
        TRAILER
    }

    /** Takes inflated bytes; valid during the call. */
    interface Sink {
        void bytes(byte[] bytes, int from, int count);
    }

    /**
     * Starts before the first member.
     *
     * @param inflatedMaxBytes of all members together
     */
    GzipStream(long inflatedMaxBytes, Sink sink) {
        this.inflatedMaxBytes = inflatedMaxBytes;
        this.sink = sink;
    }

    /**
     * Inflates the next bytes.
     *
     * @throws DataFormatException if they are not gzip, or above the limit when inflated
     */
    void feed(byte[] bytes, int from, int count) throws DataFormatException {
        int at = from;
        int end = from + count;
        while (at < end) {
            if (state == State.DATA) {
                at = inflate(bytes, at, end);
            } else {
                header(bytes[at++] & 0xff);
            }
        }
    }

    private int inflate(byte[] bytes, int from, int end) throws DataFormatException {
        inflater.setInput(bytes, from, end - from);
        while (!inflater.finished()) {
            int count = inflater.inflate(buffer);
            if (count == 0) {
                if (inflater.needsDictionary()) {
                    throw new DataFormatException("a dictionary in gzip");
                }
                if (inflater.needsInput()) {
                    break;
                }
            }
            inflated += count;
            if (inflated > inflatedMaxBytes) {
                throw new DataFormatException("more than " + inflatedMaxBytes + " bytes when inflated");
            }
            sink.bytes(buffer, 0, count);
        }
        int at = end - inflater.getRemaining();
        if (inflater.finished()) {
            inflater.reset();
            enter(State.TRAILER);
        }
        return at;
    }

    private void header(int next) throws DataFormatException {
        switch (state) {
            case HEADER -> {
                boolean wrong = (seen == 0 && next != 0x1f) || (seen == 1 && next != 0x8b) || (seen == 2 && next != 8);
                if (wrong) {
                    throw new DataFormatException("not gzip");
                }
                flags = seen == 3 ? next : flags;
                if (++seen == HEADER_BYTES) {
                    enter(State.EXTRA_LENGTH);
                }
            }
            case EXTRA_LENGTH -> {
                extra = seen == 0 ? next : extra | (next << 8);
                if (++seen == 2) {
                    enter(extra == 0 ? State.NAME : State.EXTRA);
                }
            }
            case EXTRA -> {
                if (++seen == extra) {
                    enter(State.NAME);
                }
            }
            case NAME, COMMENT -> {
                if (next == 0) {
                    enter(state == State.NAME ? State.COMMENT : State.CRC);
                }
            }
            case CRC -> {
                if (++seen == 2) {
                    enter(State.DATA);
                }
            }
            case TRAILER -> {
                if (++seen == TRAILER_BYTES) {
                    enter(State.HEADER);
                }
            }
            case DATA -> throw new IllegalStateException("data is not a header");
        }
    }

    /** Enters a state, or the next one if the header does not have its field. */
    private void enter(State next) {
        seen = 0;
        state = switch (next) {
            case EXTRA_LENGTH -> has(HAS_EXTRA) ? next : enterAndGet(State.NAME);
            case NAME -> has(HAS_NAME) ? next : enterAndGet(State.COMMENT);
            case COMMENT -> has(HAS_COMMENT) ? next : enterAndGet(State.CRC);
            case CRC -> has(HAS_CRC) ? next : State.DATA;
            case HEADER, EXTRA, DATA, TRAILER -> next;
        };
    }

    private State enterAndGet(State next) {
        enter(next);
        return state;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
