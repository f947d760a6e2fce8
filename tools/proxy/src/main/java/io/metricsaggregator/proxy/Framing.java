package io.metricsaggregator.proxy;

import java.util.Arrays;

/**
 * Follows HTTP/1 messages in one direction of a connection (RFC 9112), however their bytes are cut: where a head ends, which bytes are content, and
 * where a message ends. Strict where two readers could differ: lines end with CR LF, sizes are plain numbers. Memory is that of the head in
 * progress, at most {@value #HEAD_MAX_BYTES} bytes. One owner.
 */
final class Framing {
    /** Bytes of a head, its empty line included. */
    static final int HEAD_MAX_BYTES = 64 << 10;

    private static final int LINE_MAX_BYTES = 8 << 10;
    private static final int SIZE_DIGITS = 15;
    /** Line ends before a head that are skipped; some clients send one after a body. */
    private static final int LINE_ENDS_MAX = 8;

    private final Handler handler;
    private final int startLineMaxBytes;
    private State state = State.HEAD;
    private byte[] buffer = new byte[1024];
    private int length;
    private int lineStart;
    private int lineEnds;
    private int trailerBytes;
    private boolean startLineRead;
    private long left;

    private enum State {
        HEAD,
        LENGTH,
        SIZE,
        DATA,
        DATA_END,
        TRAILER,
        UNTIL_CLOSE,
        RAW
    }

    /** How the body of a message ends. */
    enum Body {
        /** It has a length, which may be 0. */
        LENGTH,
        CHUNKED,
        /** It ends with the connection. */
        UNTIL_CLOSE,
        /** The bytes that follow are no messages any more. */
        RAW
    }

    /** Takes the parts of messages, on the thread that feeds. */
    interface Handler {
        /**
         * Takes the head of a message.
         *
         * @return how its body ends; the length of {@link Body#LENGTH} is asked for by {@link #length}
         */
        Body head(MessageHead head) throws MalformedHttpException;

        /** The length of the body whose head was taken last. */
        long length();

        /** Takes content; valid during the call. */
        void content(byte[] bytes, int from, int count);

        /** Ends the message. */
        void end();
    }

    /**
     * Starts before the first message.
     *
     * @param startLineMaxBytes longest start line; a longer one has status 414
     */
    Framing(Handler handler, int startLineMaxBytes) {
        this.handler = handler;
        this.startLineMaxBytes = startLineMaxBytes;
    }

    /** Whether the next byte belongs to a head. */
    boolean isInHead() {
        return state == State.HEAD;
    }

    /** Whether a message has begun and not ended; one that ends with the connection counts. */
    boolean isWithinMessage() {
        return (state != State.HEAD && state != State.RAW) || length > 0;
    }

    /** Whether the message in progress ends with the connection. */
    boolean isUntilClose() {
        return state == State.UNTIL_CLOSE;
    }

    /**
     * Reads bytes up to the end of a head, the end of a message, or the end of the range. Each call thus reads bytes of a head or bytes behind it, never
     * both.
     *
     * @return the place behind the last byte that was read
     * @throws MalformedHttpException if the bytes are not HTTP/1; nothing may be fed afterwards
     */
    int feed(byte[] bytes, int from, int to) throws MalformedHttpException {
        int at = from;
        boolean ended = false;
        while (at < to && !ended) {
            switch (state) {
                case HEAD -> {
                    if (head(bytes[at++])) {
                        takeHead();
                        ended = true;
                    }
                }
                case LENGTH, DATA -> {
                    int count = (int) Math.min(left, to - at);
                    handler.content(bytes, at, count);
                    at += count;
                    left -= count;
                    if (left == 0) {
                        ended = state == State.LENGTH;
                        state = State.DATA_END;
                        if (ended) {
                            finish();
                        }
                    }
                }
                case SIZE, DATA_END, TRAILER -> ended = line(bytes[at++]);
                case UNTIL_CLOSE -> {
                    handler.content(bytes, at, to - at);
                    at = to;
                }
                case RAW -> at = to;
            }
        }
        return at;
    }

    /** Ends the message that ends with the connection; returns whether the connection may end here. */
    boolean end() {
        if (state == State.UNTIL_CLOSE) {
            finish();
        }
        return !isWithinMessage();
    }

    private boolean head(byte next) throws MalformedHttpException {
        if (length == 0 && (next == '\r' || next == '\n')) {
            lineEnds++;
            if (lineEnds > 2 * LINE_ENDS_MAX || (next == '\n') != (lineEnds % 2 == 0)) {
                throw new MalformedHttpException(400, "empty lines instead of a start line");
            }
            return false;
        }
        if (length == 0 && (lineEnds % 2 == 1 || !MessageHead.isTokenChar(next & 0xff))) {
            throw new MalformedHttpException(400, "not HTTP/1");
        }
        if (length == HEAD_MAX_BYTES) {
            throw new MalformedHttpException(431, "the head has more than " + HEAD_MAX_BYTES + " bytes");
        }
        checkLine(next);
        append(next);
        if (next != '\n') {
            if (!startLineRead && length > startLineMaxBytes) {
                throw new MalformedHttpException(414, "the start line has more than " + startLineMaxBytes + " bytes");
            }
            return false;
        }
        startLineRead = true;
        boolean empty = length - lineStart == 2;
        lineStart = length;
        return empty;
    }

    /** Rejects control characters, a line end that is not CR LF, and a header line that continues another. */
    private void checkLine(byte next) throws MalformedHttpException {
        boolean afterReturn = length > lineStart && buffer[length - 1] == '\r';
        if (afterReturn != (next == '\n')) {
            throw new MalformedHttpException(400, "a line does not end with CR LF");
        }
        if ((next >= 0 && next < ' ' && next != '\t' && next != '\r' && next != '\n') || next == 0x7f) {
            throw new MalformedHttpException(400, "a control character in a head");
        }
        if (startLineRead && length == lineStart && (next == ' ' || next == '\t')) {
            throw new MalformedHttpException(400, "a header continues over two lines");
        }
    }

    private void append(byte next) {
        if (length == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * length);
        }
        buffer[length++] = next;
    }

    private void takeHead() throws MalformedHttpException {
        MessageHead head = new MessageHead(Arrays.copyOf(buffer, length));
        forgetLine();
        startLineRead = false;
        lineEnds = 0;
        trailerBytes = 0;
        switch (handler.head(head)) {
            case LENGTH -> {
                left = handler.length();
                state = State.LENGTH;
                if (left == 0) {
                    finish();
                }
            }
            case CHUNKED -> state = State.SIZE;
            case UNTIL_CLOSE -> state = State.UNTIL_CLOSE;
            case RAW -> {
                state = State.RAW;
                handler.end();
            }
        }
    }

    private void forgetLine() {
        length = 0;
        lineStart = 0;
        if (buffer.length > LINE_MAX_BYTES) {
            buffer = new byte[1024];
        }
    }

    /** Reads a byte of a line of the chunked coding; returns whether the message ended. */
    private boolean line(byte next) throws MalformedHttpException {
        checkLine(next);
        if (length == LINE_MAX_BYTES || (state == State.TRAILER && ++trailerBytes > HEAD_MAX_BYTES)) {
            throw new MalformedHttpException(400, "a line of the chunked coding is too long");
        }
        append(next);
        if (next != '\n') {
            return false;
        }
        int end = length - 2;
        length = 0;
        if (state == State.DATA_END) {
            if (end > 0) {
                throw new MalformedHttpException(400, "a chunk is longer than its size");
            }
            state = State.SIZE;
        } else if (state == State.SIZE) {
            left = size(end);
            state = left == 0 ? State.TRAILER : State.DATA;
        } else if (end == 0) {
            finish();
            return true;
        }
        return false;
    }

    private long size(int end) throws MalformedHttpException {
        long size = 0;
        int at = 0;
        while (at < end && Character.digit(buffer[at], 16) >= 0) {
            size = (size << 4) | Character.digit(buffer[at++], 16);
            if (at > SIZE_DIGITS) {
                throw new MalformedHttpException(400, "the size of a chunk is too large");
            }
        }
        int digits = at;
        while (at < end && (buffer[at] == ' ' || buffer[at] == '\t')) {
            at++;
        }
        if (digits == 0 || (at < end && buffer[at] != ';')) {
            throw new MalformedHttpException(400, "the size of a chunk is not a hexadecimal number");
        }
        return size;
    }

    private void finish() {
        state = State.HEAD;
        forgetLine();
        handler.end();
    }
}
