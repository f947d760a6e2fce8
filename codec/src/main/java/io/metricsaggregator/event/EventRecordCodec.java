package io.metricsaggregator.event;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MessageCodec;
import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Utf8;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes event records as objects. Decoding runs {@link EventDecoder} first, so that both forms follow the same rules, and then
 * builds the record. It refuses values that a record cannot hold: an unknown type, a turn or worker number beyond 64 signed bits, and a
 * container as a key inside chat messages or tools. One owner at a time.
 */
public final class EventRecordCodec implements MessageCodec<EventRecord> {
    private static final Set<String> KNOWN_KEYS =
            Set.of("sample_uuid", "conversation_id", "turn", "data", "finish_reason", "worker_id");

    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent checked = new DecodedEvent();
    private final MsgpackCursor cursor = new MsgpackCursor();
    private final MsgpackTree tree = new MsgpackTree();
    private final EventEncoder encoder = new EventEncoder();

    @Override
    public byte[] encode(EventRecord message) {
        return encoder.encode(message);
    }

    /** Decodes a record. A record of an unknown type is malformed here, since {@link EventRecord} cannot hold it. */
    @Override
    public EventRecord decode(ByteBuffer bytes) throws MalformedMessageException {
        return decode(bytes, 0);
    }

    /**
     * Decodes a record as {@link #decode(ByteBuffer)}.
     *
     * @param receivedNanos the time of a record that carries none
     */
    public EventRecord decode(ByteBuffer bytes, long receivedNanos) throws MalformedMessageException {
        Malformation wrong = decoder.decode(bytes, bytes.position(), bytes.remaining(), checked);
        if (wrong != null) {
            throw new MalformedMessageException(wrong.text());
        }
        EventType type = checked.type();
        if (type == null) {
            throw new MalformedMessageException("event_type is not one of the known ones");
        }
        if (!checked.hasTimestamp()) {
            checked.stamp(receivedNanos);
        }
        Map<String, @Nullable Object> map = knownValues(bytes);
        return new EventRecord(
                type,
                checked.timestampNanos(),
                text(map.get("sample_uuid"), ""),
                text(map.get("conversation_id"), ""),
                integer("turn", map.get("turn")),
                data(map.get("data")),
                map.get("finish_reason") instanceof String reason ? reason : null,
                integer("worker_id", map.get("worker_id")),
                checked.hasSequence() ? checked.sequence() : null,
                checked.hasScheduled() ? checked.scheduledNanos() : null,
                checked.life() == DecodedEvent.NO_LIFE ? null : checked.life(),
                optional());
    }

    /** The valid optional keys; one that was rejected is absent. */
    private OptionalKeys optional() {
        OptionalKeys keys = OptionalKeys.NONE;
        if (checked.hasUsage()) {
            keys = keys.withUsage(checked.usage().toUsage());
        }
        if (checked.server().isPresent()) {
            keys = keys.withServer(checked.server().toServerTimes());
        }
        if (checked.job().isPresent()) {
            keys = keys.withJob(checked.job().toKeys());
        }
        if (checked.hasLabels()) {
            keys = keys.withLabels(checked.labels().toMap());
        }
        if (checked.conversation().isLastTurn()) {
            keys = keys.withLastTurn();
        }
        if (checked.trace().isPresent()) {
            keys = checked.trace().hasTrace()
                    ? keys.withTraceparent(checked.trace().traceparent())
                    : keys;
            String responseId = checked.trace().responseId();
            keys = responseId.isEmpty() ? keys : keys.withResponseId(responseId);
        }
        if (checked.part() != null) {
            keys = keys.withPart(checked.part());
        }
        return checked.hasChunkTokens() ? keys.withTokens(checked.chunkTokens()) : keys;
    }

    /** Reads the values of the known keys of a well-formed record, the last one of a repeated key. Skips unknown keys. */
    private Map<String, @Nullable Object> knownValues(ByteBuffer bytes) throws MalformedMessageException {
        Map<String, @Nullable Object> values = new HashMap<>();
        int end = bytes.limit();
        cursor.reset(bytes, bytes.position(), bytes.remaining());
        cursor.readMapHeader();
        for (int pairs = cursor.count(); pairs > 0; pairs--) {
            cursor.readString();
            String key = Utf8.read(bytes, cursor.start(), cursor.length());
            int start = cursor.position();
            if (KNOWN_KEYS.contains(key)) {
                values.put(key, tree.readAt(bytes, start, end - start));
            }
            cursor.skip(1);
        }
        return values;
    }

    private static @Nullable EventData data(@Nullable Object value) {
        if (!(value instanceof List<?> list)) {
            return null;
        }
        List<@Nullable Object> elements = new ArrayList<>(list);
        while (elements.size() < 8) {
            elements.add(null);
        }
        return switch (text(elements.get(0), "")) {
            case TextModelOutput.TAG -> {
                ModelText output = modelText(elements.get(1));
                yield new TextModelOutput(
                        output == null ? new ModelText.Whole("") : output,
                        modelText(elements.get(2)),
                        listOrNull(elements.get(3)));
            }
            case PromptData.TAG ->
                new PromptData(
                        elements.get(1) instanceof String text ? text : null,
                        numbers(elements.get(2)),
                        listOrNull(elements.get(3)),
                        elements.get(4),
                        elements.get(5),
                        elements.get(6) instanceof String template ? template : null,
                        elements.get(7));
            case PhaseData.TAG -> phase(list);
            default -> new ErrorData(text(elements.get(1), ""), text(elements.get(2), ""));
        };
    }

    /** Builds phase data by the types of the elements, as {@link EventDataDecoder} reads them. */
    private static PhaseData phase(List<?> elements) {
        String type = null;
        boolean drainAfter = false;
        Long turns = null;
        for (Object element : elements.subList(1, elements.size())) {
            if (type == null && element instanceof String text) {
                type = text;
            } else if (element instanceof Boolean flag) {
                drainAfter = flag;
            } else if (element instanceof Long number) {
                turns = number;
            }
        }
        return new PhaseData(type == null ? "" : type, drainAfter, turns);
    }

    private static @Nullable ModelText modelText(@Nullable Object value) {
        if (value instanceof String text) {
            return new ModelText.Whole(text);
        }
        if (!(value instanceof List<?> list)) {
            return null;
        }
        List<String> chunks = new ArrayList<>();
        for (Object chunk : list) {
            chunks.add(text(chunk, ""));
        }
        return new ModelText.Chunks(chunks);
    }

    private static @Nullable List<Number> numbers(@Nullable Object value) {
        if (!(value instanceof List<?> list)) {
            return null;
        }
        List<Number> numbers = new ArrayList<>();
        for (Object element : list) {
            numbers.add((Number) Objects.requireNonNull(element)); // the decoder took an array of integers
        }
        return numbers;
    }

    private static @Nullable List<@Nullable Object> listOrNull(@Nullable Object value) {
        return value instanceof List<?> list ? new ArrayList<>(list) : null;
    }

    private static String text(@Nullable Object value, String absent) {
        return value instanceof String text ? text : absent;
    }

    private static @Nullable Long integer(String key, @Nullable Object value) throws MalformedMessageException {
        if (value instanceof BigInteger big) {
            throw new MalformedMessageException(key + " " + big + " does not fit a signed 64-bit integer");
        }
        return value instanceof Long number ? number : null;
    }
}
