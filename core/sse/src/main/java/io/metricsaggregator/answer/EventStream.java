package io.metricsaggregator.answer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits a stream of bytes into server-sent events, however the bytes are cut (WHATWG HTML, server-sent events): lines end with LF, CR or
 * CRLF, data lines are joined by line feeds, a byte order mark is skipped. Unlike the standard it also hands on an event without data
 * that has a type, and the last event of a stream that ends without an empty line. An event is cut at {@value #EVENT_BYTES_MAX} bytes.
 * One owner.
 */
public final class EventStream {
    /** Bytes of an event that are kept. */
    public static final int EVENT_BYTES_MAX = 16 << 20;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final Consumer<ServerSentEvent> events;
    private byte[] line = new byte[256];
    private int length;
    private int eventBytes;
    private boolean begun;
    private boolean afterReturn;
    private String type = "";
    private @Nullable StringBuilder data;
    private @Nullable StringBuilder comment;

    /**
     * Starts at the beginning of a stream.
     *
     * @param events receives each event as soon as it is complete, on the thread that feeds
     */
    public EventStream(Consumer<ServerSentEvent> events) {
        this.events = events;
    }

    /** Decodes the next bytes of the stream. */
    public void feed(byte[] bytes, int offset, int count) {
        for (int i = offset; i < offset + count; i++) {
            byte each = bytes[i];
            boolean skipped = afterReturn && each == '\n';
            afterReturn = each == '\r';
            if (skipped) {
                continue;
            }
            if (each == '\n' || each == '\r') {
                endLine();
            } else if (eventBytes < EVENT_BYTES_MAX) {
                if (length == line.length) {
                    line = Arrays.copyOf(line, 2 * length);
                }
                line[length++] = each;
                eventBytes++;
            }
        }
    }

    /** Decodes the next characters of the stream. */
    public void feed(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        feed(bytes, 0, bytes.length);
    }

    /** Ends the stream, or a piece of it that is known to end with an event: hands on what was not yet complete. */
    public void end() {
        if (length > 0) {
            endLine();
        }
        dispatch();
        afterReturn = false;
    }

    /** Whether an event has begun and is not complete. */
    public boolean isPending() {
        return length > 0 || data != null || comment != null || !type.isEmpty();
    }

    /** Whether a line has begun and is not complete. */
    public boolean isWithinLine() {
        return length > 0;
    }

    private void endLine() {
        int start = 0;
        if (!begun) {
            begun = true;
            int mark = BYTE_ORDER_MARK.length;
            start = length >= mark && Arrays.equals(line, 0, mark, BYTE_ORDER_MARK, 0, mark) ? mark : 0;
        }
        String text = new String(line, start, length - start, StandardCharsets.UTF_8);
        length = 0;
        if (text.isEmpty()) {
            dispatch();
        } else {
            field(text);
        }
    }

    private void field(String text) {
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(text.startsWith(" ", colon + 1) ? colon + 2 : colon + 1);
        switch (name) {
            case "data" -> data = append(data, value);
            case "event" -> type = value;
            case "" -> comment = append(comment, value);
            default -> {
                // Ids and times of reconnection say nothing of an answer; other names are to be ignored.
            }
        }
    }

    private static StringBuilder append(@Nullable StringBuilder lines, String value) {
        return lines == null ? new StringBuilder(value) : lines.append('\n').append(value);
    }

    private void dispatch() {
        StringBuilder lines = data;
        StringBuilder remarks = comment;
        String of = type;
        data = null;
        comment = null;
        type = "";
        eventBytes = 0;
        if (lines != null || !of.isEmpty()) {
            events.accept(new ServerSentEvent(
                    of, lines == null ? null : lines.toString(), remarks == null ? null : remarks.toString()));
        }
    }
}
