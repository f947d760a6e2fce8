package io.metricsaggregator.conformance;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Utf8;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.IdKind;
import io.metricsaggregator.event.Malformation;
import io.metricsaggregator.event.SampleIds;
import io.metricsaggregator.event.frame.BatchReader;
import io.metricsaggregator.event.frame.ChunkFrames;
import io.metricsaggregator.event.frame.Topic;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits frames into records and judges the rules of {@link Level#WIRE} that concern bytes. Well-formed records go to a consumer. One owner at
 * a time.
 */
final class FrameReader {
    private static final List<String> TELEMETRY =
            List.of("transfer.", "resource.", "perf.", "operation.", "scrape.", "metric.", "tool.");
    private static final int ID_MAX_BYTES = 256;

    private final Tally tally;
    private final Consumer<SeenRecord> records;
    private final BatchReader batches = new BatchReader();
    private final ChunkFrames chunks = new ChunkFrames();
    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent decoded = new DecodedEvent();
    private final MsgpackTree trees = new MsgpackTree();
    private final MsgpackCursor cursor = new MsgpackCursor();
    private long frames;
    private long count;
    /** The topic of the last frame, which had nothing else: the next one may be its payload. */
    private @Nullable String topicAlone;

    FrameReader(Tally tally, Consumer<SeenRecord> records) {
        this.tally = tally;
        this.records = records;
    }

    /** Number of records in all frames so far, malformed ones included. */
    long records() {
        return count;
    }

    /**
     * Reads one frame. After a broken rule it reads what it can, so that one mistake does not break other rules, too.
     *
     * @param receivedNanos the receiver's monotonic clock
     */
    void frame(ByteBuffer buffer, int start, int length, long receivedNanos) {
        frames++;
        String place = "frame " + frames;
        String announced = topicAlone;
        topicAlone = null;
        if (announced != null && startsContainer(buffer, start, length)) {
            payload(announced, buffer, start, length, receivedNanos, place);
            return;
        }
        if (length <= Topic.LENGTH) {
            tally.breach(
                    Rule.ONE_FRAME,
                    place + " has " + length
                            + " bytes: topic and payload are parts of a multipart message, or the payload is missing");
            topicAlone = nameAt(buffer, start, length);
            return;
        }
        tally.keep(Rule.ONE_FRAME);
        topic(buffer, start, length, receivedNanos, place);
    }

    private static boolean startsContainer(ByteBuffer buffer, int start, int length) {
        int first = length == 0 ? 0 : buffer.get(start) & 0xff;
        return (first >= 0x80 && first <= 0x9f) || (first >= 0xdc && first <= 0xdf);
    }

    /** The lower-case name at the start of a frame; empty if there is none. */
    private static String nameAt(ByteBuffer buffer, int start, int length) {
        StringBuilder name = new StringBuilder();
        while (name.length() < Math.min(length, Topic.LENGTH)) {
            char c = (char) (buffer.get(start + name.length()) & 0xff);
            if ((c < 'a' || c > 'z') && c != '.' && c != '_') {
                break;
            }
            name.append(c);
        }
        return name.toString();
    }

    private void payload(String topic, ByteBuffer buffer, int start, int length, long receivedNanos, String place) {
        if (topic.equals(Topic.BATCH)) {
            batch(buffer, start, length, receivedNanos, place);
        } else if (topic.equals(Topic.CHUNKS)) {
            chunks(buffer, start, length, receivedNanos, place);
        } else {
            record(buffer, start, length, receivedNanos, isType(topic) ? topic : null);
        }
    }

    /** Judges the topic and reads what follows it. */
    private void topic(ByteBuffer buffer, int start, int length, long receivedNanos, String place) {
        byte[] bytes = new byte[Topic.LENGTH];
        buffer.get(start, bytes);
        int end = 0;
        while (end < bytes.length && bytes[end] > 0x20 && bytes[end] < 0x7f) {
            end++;
        }
        boolean padded = end > 0;
        for (int i = end; i < bytes.length; i++) {
            padded &= bytes[i] == 0;
        }
        if (padded) {
            tally.keep(Rule.TOPIC_PADDED);
            String name = new String(bytes, 0, end, StandardCharsets.US_ASCII);
            boolean known = name.equals(Topic.BATCH) || name.equals(Topic.CHUNKS) || isType(name);
            tally.judge(Rule.TOPIC_KNOWN, known, () -> place + " has the topic " + name);
            payload(name, buffer, start + Topic.LENGTH, length - Topic.LENGTH, receivedNanos, place);
            return;
        }
        tally.breach(
                Rule.TOPIC_PADDED,
                place + " starts with the 40 bytes \"" + printable(new String(bytes, StandardCharsets.ISO_8859_1))
                        + "\"");
        String name = nameAt(buffer, start, length);
        int skipped = name.length();
        while (skipped < length && (buffer.get(start + skipped) == 0 || buffer.get(start + skipped) == ' ')) {
            skipped++;
        }
        if (isType(name) || name.equals(Topic.BATCH)) {
            payload(name, buffer, start + skipped, length - skipped, receivedNanos, place);
        }
    }

    private static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars().forEach(c -> shown.append(c >= 0x20 && c < 0x7f ? (char) c : '.'));
        return shown.toString();
    }

    private static @Nullable EventType type(String name) {
        for (EventType type : EventType.values()) {
            if (type.wireName().equals(name)) {
                return type;
            }
        }
        return null;
    }

    private static boolean isTelemetry(String name) {
        return TELEMETRY.stream().anyMatch(name::startsWith);
    }

    private static boolean isType(String name) {
        return type(name) != null || isTelemetry(name);
    }

    private void batch(ByteBuffer buffer, int start, int length, long receivedNanos, String place) {
        int elements = batches.open(buffer, start, length);
        if (elements < 0) {
            tally.breach(Rule.BATCH_FORM, place + " is not an array of bin, or has bytes after it");
            recover(buffer, start, length, receivedNanos);
            return;
        }
        tally.keep(Rule.BATCH_FORM);
        tally.judge(Rule.BATCH_FILLED, elements > 0, () -> place + " is a batch without elements");
        while (batches.next()) {
            if (batches.length() == 0) {
                tally.breach(Rule.BATCH_FILLED, place + " is a batch with an empty element");
            } else {
                record(buffer, batches.start(), batches.length(), receivedNanos, null);
            }
        }
    }

    /** Reads the records of a malformed batch that are bin or maps. */
    private void recover(ByteBuffer buffer, int start, int length, long receivedNanos) {
        MsgpackCursor elements = new MsgpackCursor().reset(buffer, start, length);
        if (!elements.readArrayHeader()) {
            return;
        }
        for (int i = elements.count(); i > 0; i--) {
            int at = elements.position();
            if (elements.readBinary()) {
                record(buffer, elements.start(), elements.length(), receivedNanos, null);
                continue;
            }
            elements.position(at);
            if (!elements.skip(1)) {
                return;
            }
            if (startsContainer(buffer, at, elements.position() - at)) {
                record(buffer, at, elements.position() - at, receivedNanos, null);
            }
        }
    }

    private void record(ByteBuffer buffer, int start, int length, long receivedNanos, @Nullable String topic) {
        count++;
        Malformation wrong = decoder.decode(buffer, start, length, decoded);
        if (wrong != null) {
            tally.breach(ruleOf(wrong), place() + ": " + wrong.text());
            return;
        }
        if (decoded.handle() != DecodedEvent.NO_HANDLE) {
            tally.judge(Rule.CHUNKS, chunks.bind(decoded), () -> place() + " has a handle that names no sample");
        }
        Object tree;
        try {
            tree = trees.read(buffer.slice(start, length));
        } catch (MalformedMessageException e) {
            tally.breach(Rule.RECORD_MAP, place() + ": " + e.getMessage());
            return;
        }
        Map<?, ?> fields = (Map<?, ?>) Objects.requireNonNull(tree);
        tally.keep(Rule.RECORD_MAP);
        keys(buffer, start, length, fields.size());
        String name = String.valueOf(fields.get("event_type"));
        boolean known = decoded.type() != null || isTelemetry(name);
        tally.judge(Rule.EVENT_TYPE, known, () -> place() + " has the event_type " + name);
        if (topic != null) {
            tally.judge(
                    Rule.TOPIC_MATCHES,
                    topic.equals(name),
                    () -> place() + " has the topic " + topic + " and the event_type " + name);
        }
        if (known) {
            judgeTypes(new SeenRecord(count, receivedNanos, decoded.type(), fields));
        }
    }

    /** Reads a frame of chunks as the records that it stands for. */
    private void chunks(ByteBuffer buffer, int start, int length, long receivedNanos, String place) {
        if (!chunks.open(buffer, start, length)) {
            tally.breach(Rule.CHUNKS, place + " is a malformed frame of chunks");
            return;
        }
        while (chunks.next(decoded)) {
            count++;
            boolean known = decoded.idKind() != IdKind.EMPTY;
            tally.judge(Rule.CHUNKS, known, () -> place() + ", in " + place + ", has a handle that was not given");
            tally.judge(
                    Rule.CHUNKS,
                    !decoded.areChunkKeysRejected(),
                    () -> place() + ", in " + place + ", has a part or tokens outside their range");
            if (known) {
                records.accept(new SeenRecord(count, receivedNanos, decoded.type(), fields(decoded)));
            }
        }
    }

    private static Map<String, Object> fields(DecodedEvent chunk) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", EventType.SAMPLE_RECV_NON_FIRST.wireName());
        fields.put("timestamp_ns", chunk.timestampNanos());
        fields.put("sample_uuid", SampleIds.text(chunk));
        if (chunk.hasSourceId()) {
            fields.put("source_id", new String(chunk.copySource(Integer.MAX_VALUE), StandardCharsets.UTF_8));
        } else {
            fields.put("worker_id", chunk.workerId());
        }
        fields.put("seq", chunk.sequence());
        fields.put("life", chunk.life());
        return fields;
    }

    private String place() {
        return "record " + count;
    }

    /** Counts the pairs of the map: a tree holds a repeated key once. */
    private void keys(ByteBuffer buffer, int start, int length, int distinct) {
        cursor.reset(buffer, start, length);
        boolean map = cursor.readMapHeader();
        int pairs = cursor.count();
        if (!map || pairs == distinct) {
            tally.keep(Rule.KEYS_UNIQUE);
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < pairs && cursor.readString(); i++) {
            String key = Utf8.read(buffer, cursor.start(), cursor.length());
            if (!seen.add(key)) {
                tally.breach(Rule.KEYS_UNIQUE, place() + " has the key " + key + " twice");
            }
            cursor.skip(1);
        }
    }

    private void judgeTypes(SeenRecord record) {
        if (record.fields().get("timestamp_ns") != null) {
            tally.keep(Rule.TIMESTAMP_INTEGER);
        }
        tally.judge(
                Rule.KEY_TYPES,
                extensionsAreTyped(record.fields()),
                () -> record.where() + ": seq, life or scheduled_ns is not an integer, or source_id is not a string");
        if (record.type() != null && record.type().wireName().startsWith("sample.")) {
            int bytes = record.sample().getBytes(StandardCharsets.UTF_8).length;
            tally.judge(
                    Rule.SAMPLE_ID,
                    bytes > 0 && bytes <= ID_MAX_BYTES,
                    () -> record.where() + " has a sample_uuid of " + bytes + " bytes");
        }
        records.accept(record);
    }

    /** The daemon skips extension keys of a wrong type, since they may belong to another extension; a producer must not send them. */
    private static boolean extensionsAreTyped(Map<?, ?> fields) {
        for (String key : List.of("seq", "life")) {
            if (fields.containsKey(key) && !(fields.get(key) instanceof Long number && number >= 0)) {
                return false;
            }
        }
        return (!fields.containsKey("scheduled_ns") || fields.get("scheduled_ns") instanceof Long)
                && (!fields.containsKey("source_id") || fields.get("source_id") instanceof String);
    }

    private static Rule ruleOf(Malformation wrong) {
        return switch (wrong) {
            case NOT_A_MAP, TRUNCATED, TRAILING_BYTES, RESERVED_BYTE, TOO_DEEP, KEY_NOT_STRING -> Rule.RECORD_MAP;
            case EVENT_TYPE_MISSING, EVENT_TYPE_INVALID -> Rule.EVENT_TYPE;
            case TIMESTAMP_INVALID -> Rule.TIMESTAMP_INTEGER;
            case SAMPLE_UUID_INVALID,
                    CONVERSATION_ID_INVALID,
                    TURN_INVALID,
                    DATA_INVALID,
                    FINISH_REASON_INVALID,
                    WORKER_ID_INVALID -> Rule.KEY_TYPES;
        };
    }
}
