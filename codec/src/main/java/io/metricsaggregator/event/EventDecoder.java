package io.metricsaggregator.event;

import io.metricsaggregator.codec.MsgpackCursor;
import io.metricsaggregator.codec.MsgpackFault;
import io.metricsaggregator.codec.MsgpackType;
import io.metricsaggregator.codec.Utf8;
import io.metricsaggregator.event.server.ServerReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one event record into a {@link DecodedEvent}, without creating an object. Any bytes are allowed; bytes that are not
 * a record give a {@link Malformation}.
 *
 * <p>The values of the load generator's own keys are judged by its rules only in records of its types: a record of another type may give {@code data} or
 * {@code turn} a meaning of its own, and the type can come after them. A violation of such a rule is therefore kept until the type is known.
 *
 * <p>Encoders write the keys in one order, so {@link OrderedKeysDecoder} tries that layout first; from the first difference on, the general loop reads the
 * record; it takes any order, width and unknown key. Both accept and reject the same records.
 *
 * <p>Holds scratch state: one decoder per thread.
 */
public final class EventDecoder {
    private static final byte MSGPACK_TRUE = (byte) 0xc3;

    private final MsgpackCursor cursor = new MsgpackCursor();
    private final EventDataDecoder dataDecoder = new EventDataDecoder(cursor);
    private final ServerReader serverReader = new ServerReader(cursor);
    private final OptionalKeyDecoder optionalKeys = new OptionalKeyDecoder(cursor);
    private final OrderedKeysDecoder layout;
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
        this.layout = new OrderedKeysDecoder(idSecret);
    }

    /**
     * Decodes the record that fills a range.
     *
     * @param buffer big-endian; holds the range; its position and limit are not used
     * @return null if the record is well-formed (its {@link DecodedEvent#type} is null if only its type is unknown), or the
     *     reason why it is malformed, and {@code into} is then undefined
     */
    public @Nullable Malformation decode(ByteBuffer buffer, int start, int length, DecodedEvent into) {
        if (length >= OrderedKeysDecoder.BYTES_MIN && length <= OrderedKeysDecoder.BYTES_MAX) {
            long read = layout.read(buffer, start, length, into);
            if (read == start + length) {
                return null;
            }
            if (read != OrderedKeysDecoder.NOTHING && decodeOn(read, start + length, into)) {
                return null;
            }
        }
        return decodeAny(buffer, start, length, into);
    }

    /** Decodes in turn an unusual pair and the usual ones behind it; returns whether the record is well-formed. */
    private boolean decodeOn(long usual, int end, DecodedEvent into) {
        long read = usual;
        while (read >>> 32 != 0) {
            int pairs = (int) (read >>> 32);
            int at = (int) read;
            cursor.reset(into.buffer, at, end - at);
            if (readPair(into) != null) {
                return false;
            }
            read = layout.readOn(cursor.position(), end, pairs - 1, into);
        }
        return read == end;
    }

    /** As {@link #decode}, but without trying the usual layout first. */
    @Nullable
    Malformation decodeAny(ByteBuffer buffer, int start, int length, DecodedEvent into) {
        into.clear(buffer, start);
        MsgpackCursor in = cursor.reset(buffer, start, length);
        return in.readMapHeader() ? decodePairs(in.count(), into) : Malformation.of(fault(), Malformation.NOT_A_MAP);
    }

    /** Decodes the pairs from the cursor on, behind which the record must end. */
    private @Nullable Malformation decodePairs(int count, DecodedEvent into) {
        MsgpackCursor in = cursor;
        boolean typeSeen = false;
        Malformation broken = null;
        for (int pairs = count; pairs > 0; pairs--) {
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
        return OrderedKeysDecoder.mayBe(type, buffer, start, length);
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
                into.hasExtension = true;
                into.finishReason = FinishReason.match(in.buffer(), in.start(), in.length());
                yield null;
            }
            case WORKER_ID -> readWorker(into);
            case SEQ -> readSequence(into);
            case SOURCE_ID -> readSource(into);
            case SCHEDULED_NS -> readScheduled(into);
            case LIFE -> readLife(into);
            case PART, TOKENS, HANDLE, LAST_TURN, LABELS, USAGE, SERVER, TRACEPARENT, RESPONSE_ID ->
                readOptional(lastKey, into);
            case JOB_ID, PARENTS, AGENT, LAST_OF_JOB -> readJob(into);
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
        into.hasExtension = true;
        into.workerId = cursor.integerExceedsLong() ? Long.MAX_VALUE : cursor.integer();
        into.hasWorkerId = true;
        return null;
    }

    /** Reads {@code seq}, which MLCommons endpoints does not have: a value of another type belongs to another extension and is skipped. */
    private @Nullable Malformation readSequence(DecodedEvent into) {
        into.hasExtension = true;
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
        into.hasExtension = true;
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
        into.hasExtension = true;
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
            case PART -> optionalKeys.readPart(into);
            case TOKENS -> optionalKeys.readTokens(into);
            case HANDLE -> optionalKeys.readHandle(into);
            case LABELS -> optionalKeys.readLabels(into);
            case TRACEPARENT, RESPONSE_ID -> optionalKeys.readTrace(key, into);
            case SERVER -> readServer(into);
            default -> optionalKeys.readUsage(into);
        };
        return wellFormed ? null : Malformation.of(fault(), Malformation.TRUNCATED);
    }

    private boolean readServer(DecodedEvent into) {
        into.hasOptional = true;
        return serverReader.read(into.server);
    }

    private @Nullable Malformation readJob(DecodedEvent into) {
        into.hasOptional = true;
        return into.job.read(lastKey, cursor) ? null : Malformation.of(fault(), Malformation.TRUNCATED);
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
        into.hasExtension = true;
        into.sourceLength = 0;
        into.sourceRun = 0;
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
