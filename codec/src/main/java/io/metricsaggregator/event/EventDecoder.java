package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackFault;
import io.metricsaggregator.codec.MsgpackType;
import io.metricsaggregator.codec.Utf8;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one event record into a {@link DecodedEvent}, without creating an object. Any bytes are allowed; bytes that are not
 * a record give a {@link Malformation}.
 *
 * <p>The values of the load generator's own keys are judged by its rules only in records of its types: a record of another type may give {@code data} or
 * {@code turn} a meaning of its own, and the type can come after them. A violation of such a rule is therefore kept until the type is known.
 *
 * <p>Encoders write the keys in one order, so that layout is tried first, comparing keys and the usual empty tail as words; from
 * the first difference on, the general loop reads the record; it takes any order, width and unknown key. Both
 * accept and reject the same records.
 *
 * <p>Holds scratch state: one decoder per thread.
 */
public final class EventDecoder {
    // Keys with their msgpack header, as big-endian words.
    private static final long EVENT_TYPE_1 = 0xaa6576656e745f74L; // "event_t"
    private static final int EVENT_TYPE_2 = 0x797065; // "ype"
    private static final long TIMESTAMP_1 = 0xac74696d65737461L; // "timesta"
    private static final long TIMESTAMP_2 = 0x6d705f6e73L; // "mp_ns"
    private static final long SAMPLE_UUID_1 = 0xab73616d706c655fL; // "sample_"
    private static final int SAMPLE_UUID_2 = 0x75756964; // "uuid"
    // The usual tail: conversation_id "", turn nil, and mostly data nil.
    private static final long TAIL_1 = 0xaf636f6e76657273L; // "convers"
    private static final long TAIL_2 = 0x6174696f6e5f6964L; // "ation_id"
    private static final long TAIL_3 = 0xa0a47475726ec0a4L; // "", "turn", nil, header of "data"
    private static final long TAIL_4 = 0x64617461c0L; // "data", nil
    private static final byte MSGPACK_TRUE = (byte) 0xc3;
    private static final int TAIL_LENGTH = 29;
    private static final int TAIL_LENGTH_BEFORE_DATA = 23;
    /** Up to and including the uuid's header, with the longest event type: the bytes that the fast layout reads without bounds checks. */
    private static final int FAST_LAYOUT_BYTES = 12 + 1 + 35 + 13 + 9 + 12 + 2;

    private final MsgpackCursor cursor = new MsgpackCursor();
    private final EventDataDecoder dataDecoder = new EventDataDecoder(cursor);
    private final UsageDecoder usageDecoder = new UsageDecoder(cursor);
    private final LabelDecoder labelDecoder = new LabelDecoder(cursor);
    private final ChunkKeyDecoder chunkKeys = new ChunkKeyDecoder(cursor);
    private final long idSecret;

    /** Creates a decoder that packs long ids like every decoder of this process made this way, and unlike those of other processes. */
    public EventDecoder() {
        this(SampleIds.PROCESS_SECRET);
    }

    /**
     * Creates a decoder whose packed ids are valid beyond the process.
     *
     * @param idSecret the start of the hashes of long ids: decoders with the same secret pack an id alike. Producers must not know it
     */
    public EventDecoder(long idSecret) {
        this.idSecret = idSecret;
    }

    /** Creates another decoder, for another thread, that packs ids alike. */
    public EventDecoder twin() {
        return new EventDecoder(idSecret);
    }

    /**
     * Decodes the record that fills a range.
     *
     * @param buffer big-endian; holds the range; its position and limit are not used
     * @return null if the record is well-formed (its {@link DecodedEvent#type} is null if only its type is unknown), or the
     *     reason why it is malformed, and {@code into} is then undefined
     */
    public @Nullable Malformation decode(ByteBuffer buffer, int start, int length, DecodedEvent into) {
        into.clear(buffer, start, length);
        MsgpackCursor in = cursor.reset(buffer, start, length);
        if (!in.readMapHeader()) {
            return Malformation.of(fault(), Malformation.NOT_A_MAP);
        }
        int pairs = in.count();
        boolean typeSeen = false;
        Malformation broken = null;
        if (pairs >= 3 && in.remaining() >= FAST_LAYOUT_BYTES) {
            int matched = matchUsualLayout(buffer, start + length, pairs, into);
            typeSeen = matched > 0;
            pairs -= matched;
        }
        for (; pairs > 0; pairs--) {
            Malformation wrong = readPair(into);
            if (wrong != null) {
                if (!isRuleOfLoadGenerator(wrong)) {
                    return broken != null && into.type != null ? broken : wrong;
                }
                in.position(valueStart);
                if (!in.skip(1)) {
                    return Malformation.of(fault(), wrong);
                }
                into.clear(lastKey == EventKey.SAMPLE_UUID, lastKey == EventKey.DATA);
                broken = broken == null ? wrong : broken;
            }
            typeSeen |= lastKey == EventKey.EVENT_TYPE;
        }
        if (in.remaining() > 0) {
            return Malformation.TRAILING_BYTES;
        }
        if (!typeSeen) {
            return Malformation.EVENT_TYPE_MISSING;
        }
        return into.type == null ? null : broken;
    }

    /** Whether a record of a type that is not the load generator's may break this rule. */
    private static boolean isRuleOfLoadGenerator(Malformation wrong) {
        return switch (wrong) {
            case SAMPLE_UUID_INVALID,
                    CONVERSATION_ID_INVALID,
                    TURN_INVALID,
                    DATA_INVALID,
                    FINISH_REASON_INVALID,
                    WORKER_ID_INVALID -> true;
            default -> false;
        };
    }

    /**
     * Whether a record may be of a type, by a few bytes at the place where encoders write the type. False only if it is of another type;
     * true also for records in any other layout.
     */
    public static boolean mayBe(EventType type, ByteBuffer buffer, int start, int length) {
        if (length < FAST_LAYOUT_BYTES
                || (buffer.get(start) & 0xf0) != 0x80
                || buffer.getLong(start + 1) != EVENT_TYPE_1
                || buffer.getInt(start + 9) >>> 8 != EVENT_TYPE_2) {
            return true;
        }
        int header = buffer.get(start + 12) & 0xff;
        return (header & 0xe0) != 0xa0 || EventType.match(buffer, start + 13, header & 0x1f) == type;
    }

    /**
     * Reads the pairs at the places where encoders write them: event_type, timestamp_ns, sample_uuid, and the empty tail. Leaves the
     * cursor after the pairs it took, and takes all of the first three or none.
     *
     * @return the number of pairs taken
     */
    private int matchUsualLayout(ByteBuffer buffer, int end, int pairs, DecodedEvent into) {
        int at = cursor.position();
        if (buffer.getLong(at) != EVENT_TYPE_1 || buffer.getInt(at + 8) >>> 8 != EVENT_TYPE_2) {
            return 0;
        }
        int header = buffer.get(at + 11) & 0xff;
        at += 12;
        int typeLength;
        if ((header & 0xe0) == 0xa0) {
            typeLength = header & 0x1f;
        } else if (header == 0xd9 && (buffer.get(at) & 0xff) <= 34) {
            typeLength = buffer.get(at++) & 0xff;
        } else {
            return 0;
        }
        EventType type = EventType.match(buffer, at, typeLength);
        at += typeLength;
        if (type == null
                || buffer.getLong(at) != TIMESTAMP_1
                || (buffer.getLong(at + 5) & 0xffffffffffL) != TIMESTAMP_2
                || buffer.get(at + 13) != (byte) 0xcf) {
            return 0;
        }
        long timestampNanos = buffer.getLong(at + 14);
        at += 22;
        if (timestampNanos < 0 || buffer.getLong(at) != SAMPLE_UUID_1 || buffer.getInt(at + 8) != SAMPLE_UUID_2) {
            return 0;
        }
        int idHeader = buffer.get(at + 12) & 0xff;
        at += 13;
        int idLength;
        if (idHeader == 0xd9) {
            idLength = buffer.get(at++) & 0xff;
        } else if ((idHeader & 0xe0) == 0xa0) {
            idLength = idHeader & 0x1f;
        } else {
            return 0;
        }
        if (end - at < idLength || !takeId(buffer, at, idLength, into)) {
            return 0;
        }
        at += idLength;
        into.type = type;
        into.timestampNanos = timestampNanos;
        into.hasTimestamp = true;
        int taken = 3;
        if (pairs >= 6 && end - at >= TAIL_LENGTH && isUsualTail(buffer, at)) {
            boolean withoutData =
                    buffer.getLong(at + 16) == TAIL_3 && (buffer.getLong(at + 21) & 0xffffffffffL) == TAIL_4;
            at += withoutData ? TAIL_LENGTH : TAIL_LENGTH_BEFORE_DATA;
            taken = withoutData ? 6 : 5;
        }
        cursor.position(at);
        return taken;
    }

    private static boolean isUsualTail(ByteBuffer buffer, int at) {
        return buffer.getLong(at) == TAIL_1
                && buffer.getLong(at + 8) == TAIL_2
                && (buffer.getLong(at + 16) ^ TAIL_3) >>> 8 == 0;
    }

    private boolean takeId(ByteBuffer buffer, int start, int length, DecodedEvent into) {
        into.idStart = start;
        into.idLength = length;
        SampleIds.pack(buffer, start, length, into, idSecret);
        // Packed hexadecimal is ASCII; any other text must be checked for UTF-8.
        return into.idKind == IdKind.HEX || into.idKind == IdKind.UUID || Utf8.isValid(buffer, start, length);
    }

    private EventKey lastKey = EventKey.UNKNOWN;
    private int valueStart;

    private @Nullable Malformation readPair(DecodedEvent into) {
        MsgpackCursor in = cursor;
        if (!in.readString()) {
            return Malformation.of(fault(), Malformation.KEY_NOT_STRING);
        }
        lastKey = EventKey.of(in.buffer(), in.start(), in.length());
        valueStart = in.position();
        return switch (lastKey) {
            case EVENT_TYPE -> {
                if (!in.readText()) {
                    yield Malformation.of(fault(), Malformation.EVENT_TYPE_INVALID);
                }
                into.type = EventType.match(in.buffer(), in.start(), in.length());
                yield null;
            }
            case TIMESTAMP_NS -> {
                if (!in.readLong()) {
                    yield Malformation.of(fault(), Malformation.TIMESTAMP_INVALID);
                }
                into.timestampNanos = in.integer();
                into.hasTimestamp = true;
                yield null;
            }
            case SAMPLE_UUID -> {
                if (!in.readString()) {
                    yield Malformation.of(fault(), Malformation.SAMPLE_UUID_INVALID);
                }
                yield takeId(in.buffer(), in.start(), in.length(), into) ? null : Malformation.SAMPLE_UUID_INVALID;
            }
            case CONVERSATION_ID -> readConversation(into);
            case TURN -> readTurn(into);
            case DATA -> dataDecoder.read(into) ? null : Malformation.of(fault(), Malformation.DATA_INVALID);
            case FINISH_REASON -> {
                if (!in.readText()) {
                    yield Malformation.of(fault(), Malformation.FINISH_REASON_INVALID);
                }
                into.finishReason = FinishReason.match(in.buffer(), in.start(), in.length());
                yield null;
            }
            case WORKER_ID -> readWorker(into);
            case SEQ -> readSequence(into);
            case SOURCE_ID -> readSource(into);
            case SCHEDULED_NS -> readScheduled(into);
            case LIFE -> readLife(into);
            case PART, TOKENS, LAST_TURN, LABELS, USAGE -> readOptional(lastKey, into);
            case UNKNOWN -> in.skip(1) ? null : Malformation.of(fault(), Malformation.TRUNCATED);
        };
    }

    private @Nullable Malformation readConversation(DecodedEvent into) {
        if (!cursor.readText()) {
            return Malformation.of(fault(), Malformation.CONVERSATION_ID_INVALID);
        }
        if (cursor.length() > 0 || into.hasOptional) {
            into.hasOptional = true;
            into.conversation.start = cursor.start();
            into.conversation.length = cursor.length();
        }
        return null;
    }

    private @Nullable Malformation readTurn(DecodedEvent into) {
        if (cursor.atNil()) {
            cursor.skipNil();
            if (into.hasOptional) {
                into.conversation.firstTurn = false;
            }
            return null;
        }
        into.hasOptional = true;
        if (!cursor.readInteger()) {
            return Malformation.of(fault(), Malformation.TURN_INVALID);
        }
        into.conversation.firstTurn = !cursor.integerExceedsLong() && cursor.integer() <= 1;
        return null;
    }

    private @Nullable Malformation readWorker(DecodedEvent into) {
        if (!cursor.readInteger()) {
            return Malformation.of(fault(), Malformation.WORKER_ID_INVALID);
        }
        into.workerId = cursor.integerExceedsLong() ? Long.MAX_VALUE : cursor.integer();
        into.hasWorkerId = true;
        return null;
    }

    /** Reads {@code seq}, which MLCommons endpoints does not have: a value of another type belongs to another extension and is skipped. */
    private @Nullable Malformation readSequence(DecodedEvent into) {
        into.hasSequence = false;
        if (cursor.peek() == MsgpackType.INTEGER && cursor.readInteger()) {
            into.sequence = cursor.integer();
            into.hasSequence = !cursor.integerExceedsLong() && into.sequence >= 0;
            return null;
        }
        return cursor.skip(1) ? null : Malformation.of(fault(), Malformation.TRUNCATED);
    }

    /** Reads {@code scheduled_ns} by the rule of {@link #readSequence}. */
    private @Nullable Malformation readScheduled(DecodedEvent into) {
        into.hasScheduled = false;
        if (cursor.peek() == MsgpackType.INTEGER && cursor.readInteger()) {
            into.scheduledNanos = cursor.integer();
            into.hasScheduled = !cursor.integerExceedsLong();
            return null;
        }
        return cursor.skip(1) ? null : Malformation.of(fault(), Malformation.TRUNCATED);
    }

    /** Reads {@code life} by the rule of {@link #readSequence}. */
    private @Nullable Malformation readLife(DecodedEvent into) {
        into.life = DecodedEvent.NO_LIFE;
        if (cursor.peek() == MsgpackType.INTEGER && cursor.readInteger()) {
            boolean fits = !cursor.integerExceedsLong() && cursor.integer() >= 0;
            into.life = fits ? cursor.integer() : DecodedEvent.NO_LIFE;
            return null;
        }
        return cursor.skip(1) ? null : Malformation.of(fault(), Malformation.TRUNCATED);
    }

    /** Reads a key that most records do not have, apart from the others, whose method stays small enough to be inlined. */
    private @Nullable Malformation readOptional(EventKey key, DecodedEvent into) {
        if (key == EventKey.LAST_TURN) {
            return readLastTurn(into);
        }
        boolean wellFormed = switch (key) {
            case PART -> chunkKeys.readPart(into);
            case TOKENS -> chunkKeys.readTokens(into);
            case LABELS -> labelDecoder.read(into);
            default -> usageDecoder.read(into);
        };
        return wellFormed ? null : Malformation.of(fault(), Malformation.TRUNCATED);
    }

    /** Reads {@code last_turn}: false and nil read as absent, a value of another type is rejected, and never the record. */
    private @Nullable Malformation readLastTurn(DecodedEvent into) {
        into.hasOptional = true;
        MsgpackType type = cursor.peek();
        if (type == MsgpackType.BOOLEAN) {
            boolean last = cursor.buffer().get(cursor.position()) == MSGPACK_TRUE;
            into.conversation.lastTurnState = last ? DecodedEvent.PRESENT : DecodedEvent.ABSENT;
        } else {
            into.conversation.lastTurnState = cursor.atNil() ? DecodedEvent.ABSENT : DecodedEvent.REJECTED;
        }
        return cursor.skip(1) ? null : Malformation.of(fault(), Malformation.TRUNCATED);
    }

    private @Nullable Malformation readSource(DecodedEvent into) {
        into.sourceLength = 0;
        if (cursor.peek() == MsgpackType.STRING && cursor.readString()) {
            into.sourceStart = cursor.start();
            into.sourceLength = cursor.length();
            return null;
        }
        return cursor.skip(1) ? null : Malformation.of(fault(), Malformation.TRUNCATED);
    }

    private MsgpackFault fault() {
        MsgpackFault fault = cursor.fault();
        return fault == null ? MsgpackFault.WRONG_TYPE : fault;
    }
}
