package io.metricsaggregator.answer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of bytes into server-sent events, however the bytes are cut (WHATWG HTML, server-sent events): lines end with LF, CR or
 * CRLF, data lines are joined by line feeds, a byte order mark is skipped. Unlike the standard it also hands on an event without data
 * that has a type, and {@link #end()} hands on the last event of a stream that ends without an empty line. An event above the limit is
 * skipped and counted. Memory is that of the event in progress. One owner.
 */
public final class EventStream {
    /** Bytes of an event that are read unless another limit is given. */
    public static final int EVENT_BYTES_MAX = 1 << 20;

    private static final int COMMENT_CHARS_MAX = 4096;
    private static final int BUFFER_BYTES = 512;
    /** A larger buffer is not kept for the next event. */
    private static final int BUFFER_BYTES_KEPT = 1 << 16;

    private static final int COPIED_BYTES = 8192;
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
    private static final byte[] DATA = {'d', 'a', 't', 'a'};
    private static final byte[] EVENT = {'e', 'v', 'e', 'n', 't'};

    private final Sink sink;
    private final int eventBytesMax;
    /** The data lines so far, each with a line feed, and then the line in progress. */
    private byte[] buffer = new byte[BUFFER_BYTES];

    private int dataLength;
    private int lineLength;
    private boolean lineBegun;
    private boolean tooLong;
    private boolean begun;
    private boolean afterReturn;
    private String type = "";
    private @Nullable String comment;
    private long feeds;
    private long skipped;

    /** Receives events. */
    public interface Sink {
        /**
         * Takes an event as soon as it is complete, on the thread that feeds. An exception ends the feed; its other bytes are lost.
         *
         * @param feed number of the feed that completed the event, from 1; {@link #end()} belongs to the last one
         */
        void event(ServerSentEvent event, long feed);
    }

    /** Starts at the beginning of a stream whose events have at most {@value #EVENT_BYTES_MAX} bytes. */
    public EventStream(Sink sink) {
        this(sink, EVENT_BYTES_MAX);
    }

    /**
     * Starts at the beginning of a stream.
     *
     * @param eventBytesMax bytes that the data and the line in progress of an event may have; at least 1
     */
    public EventStream(Sink sink, int eventBytesMax) {
        if (eventBytesMax < 1) {
            throw new IllegalArgumentException("eventBytesMax " + eventBytesMax + " is below 1");
        }
        this.sink = sink;
        this.eventBytesMax = eventBytesMax;
    }

    /**
     * Decodes the next bytes of the stream; reads them during the call only.
     *
     * @throws IndexOutOfBoundsException if the range is not within the array
     */
    public void feed(byte[] bytes, int offset, int count) {
        feeds++;
        decode(bytes, offset, count);
    }

    /** Decodes the remaining bytes of a buffer as one feed; its position is then its limit. */
    public void feed(ByteBuffer bytes) {
        feeds++;
        if (bytes.hasArray()) {
            decode(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
            return;
        }
        byte[] copy = new byte[Math.min(bytes.remaining(), COPIED_BYTES)];
        while (bytes.hasRemaining()) {
            int count = Math.min(bytes.remaining(), copy.length);
            bytes.get(copy, 0, count);
            decode(copy, 0, count);
        }
    }

    /** Decodes the next characters of the stream. */
    public void feed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        feed(bytes, 0, bytes.length);
    }

    /** Ends the stream, or a piece of it that is known to end with an event: hands on what was not yet complete. */
    public void end() {
        if (lineBegun) {
            endLine();
        }
        dispatch();
        afterReturn = false;
    }

    /** Number of events that were skipped because they are above the limit. */
    public long skipped() {
        return skipped;
    }

    /** Whether an event has begun and is not complete. */
    public boolean isPending() {
        return lineBegun || tooLong || dataLength > 0 || comment != null || !type.isEmpty();
    }

    /** Whether a line has begun and is not complete. */
    public boolean isWithinLine() {
        return lineBegun;
    }

    private void decode(byte[] bytes, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, bytes.length);
        int end = offset + count;
        int at = offset;
        while (at < end) {
            if (afterReturn) {
                afterReturn = false;
                if (bytes[at] == '\n') {
                    at++;
                    continue;
                }
            }
            int stop = at;
            while (stop < end && bytes[stop] != '\n' && bytes[stop] != '\r') {
                stop++;
            }
            keep(bytes, at, stop - at);
            if (stop < end) {
                afterReturn = bytes[stop] == '\r';
                endLine();
            }
            at = stop + 1;
        }
    }

    private void keep(byte[] bytes, int from, int count) {
        lineBegun |= count > 0;
        int length = dataLength + lineLength;
        if (tooLong || count > eventBytesMax - length) {
            tooLong = true;
            forget();
            return;
        }
        if (count > buffer.length - length) {
            buffer = Arrays.copyOf(buffer, Math.max(length + count, Math.min(2 * buffer.length, eventBytesMax)));
        }
        System.arraycopy(bytes, from, buffer, length, count);
        lineLength += count;
    }

    private void endLine() {
        int start = dataLength;
        int end = start + lineLength;
        boolean first = !begun;
        begun = true;
        lineLength = 0;
        if (lineBegun && tooLong) {
            lineBegun = false;
            return;
        }
        lineBegun = false;
        if (first && Arrays.equals(buffer, 0, Math.min(end, BYTE_ORDER_MARK.length), BYTE_ORDER_MARK, 0, 3)) {
            start = BYTE_ORDER_MARK.length;
        }
        if (start == end) {
            dispatch();
        } else {
            field(start, end);
        }
    }

    private void field(int start, int end) {
        int colon = start;
        while (colon < end && buffer[colon] != ':') {
            colon++;
        }
        int value = Math.min(colon + 1, end);
        if (value < end && buffer[value] == ' ') {
            value++;
        }
        // Ids and times of reconnection say nothing of an answer; other names are to be ignored.
        if (Arrays.equals(buffer, start, colon, DATA, 0, DATA.length)) {
            System.arraycopy(buffer, value, buffer, dataLength, end - value);
            dataLength += end - value;
            buffer[dataLength++] = '\n';
        } else if (Arrays.equals(buffer, start, colon, EVENT, 0, EVENT.length)) {
            type = text(value, end);
        } else if (colon == start && (comment == null ? 0 : comment.length()) + end - value <= COMMENT_CHARS_MAX) {
            comment = comment == null ? text(value, end) : comment + '\n' + text(value, end);
        }
    }

    private String text(int from, int to) {
        return new String(buffer, from, to - from, StandardCharsets.UTF_8);
    }

    private void dispatch() {
        boolean whole = !tooLong;
        String of = type;
        String data = dataLength == 0 ? null : text(0, dataLength - 1);
        String remarks = comment;
        tooLong = false;
        type = "";
        comment = null;
        forget();
        if (!whole) {
            skipped++;
        } else if (data != null || !of.isEmpty()) {
            sink.event(new ServerSentEvent(of, data, remarks), feeds);
        }
    }

    private void forget() {
        dataLength = 0;
        lineLength = 0;
        if (buffer.length > BUFFER_BYTES_KEPT) {
            buffer = new byte[BUFFER_BYTES];
        }
    }
}
