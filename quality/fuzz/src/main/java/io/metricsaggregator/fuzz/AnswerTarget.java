package io.metricsaggregator.fuzz;

import io.metricsaggregator.answer.AnswerReader;
import io.metricsaggregator.answer.EventStream;
import io.metricsaggregator.answer.ServerSentEvent;
import io.metricsaggregator.event.ChunkPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answer of a server, in pieces that the first byte chooses: the events and what they say must not depend on the pieces, nothing is
 * thrown, and memory is proportional to the bytes. The rest of the input is also read as one body.
 */
public final class AnswerTarget {
    /** Small, so that inputs of the fuzzer exceed it. */
    private static final int EVENT_BYTES_MAX = 1024;
    /** Bytes of objects for each byte of a stream: an event of six bytes is a record and its strings. */
    private static final int STREAM_FACTOR = 40;
    /** Bytes of objects for each byte of JSON: an element of two bytes is a value in a list. */
    private static final int JSON_FACTOR = 200;

    private AnswerTarget() {}

    /** What one reading of a stream gave. */
    private static final class Reading {
        final List<ServerSentEvent> events = new ArrayList<>();
        final List<@Nullable ChunkPart> parts = new ArrayList<>();
        final AnswerReader reader = new AnswerReader();
        final EventStream stream = new EventStream(
                (event, feed) -> {
                    events.add(event);
                    parts.add(reader.event(event));
                },
                EVENT_BYTES_MAX);
    }

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
        compare(bytes, input[0]);
        split(bytes);
        new AnswerReader().message(bytes, 0, bytes.length);
        // The first readings may load classes, which are no memory of the input.
        Allocation ofStream = new Allocation();
        split(bytes);
        ofStream.check(bytes.length, STREAM_FACTOR);
        Allocation ofBody = new Allocation();
        new AnswerReader().message(bytes, 0, bytes.length);
        ofBody.check(bytes.length, JSON_FACTOR);
    }

    private static void split(byte[] bytes) {
        EventStream stream = new EventStream((event, feed) -> {}, EVENT_BYTES_MAX);
        stream.feed(bytes, 0, bytes.length);
        stream.end();
    }

    private static void compare(byte[] bytes, int choice) {
        Reading whole = new Reading();
        whole.stream.feed(bytes, 0, bytes.length);
        whole.stream.end();
        Random random = new Random(choice);
        Reading pieces = new Reading();
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, random.nextInt(1 + (choice & 0x1f)) + 1);
            pieces.stream.feed(bytes, at, length);
            at += length;
        }
        pieces.stream.end();
        if (!whole.events.equals(pieces.events)
                || !whole.parts.equals(pieces.parts)
                || whole.stream.skipped() != pieces.stream.skipped()) {
            throw new IllegalStateException("the events depend on the pieces in which the bytes came");
        }
        if (!whole.reader.usage().equals(pieces.reader.usage())
                || !Objects.equals(
                        whole.reader.server().times(), pieces.reader.server().times())
                || whole.reader.unreadable() != pieces.reader.unreadable()) {
            throw new IllegalStateException("what the events say depends on the pieces in which the bytes came");
        }
        if (whole.stream.isPending()) {
            throw new IllegalStateException("an event is pending after the end of the stream");
        }
    }
}
