package io.metricsaggregator.event;

import io.metricsaggregator.codec.Utf8;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads the pairs of a record as encoders write them: event_type, timestamp_ns and sample_uuid, then in any order source_id and
 * those of {@link OrderedKeysValues}. Stops at the first other one, so that {@link EventDecoder} reads it in general; takes a pair only if the general decoder would
 * read it alike.
 *
 * <p>Works on a copy of the record in an array: the compiler then removes nearly all bounds checks, which in a direct buffer take more time than the
 * copy. One owner at a time.
 */
final class OrderedKeysDecoder {
    /** Returned for a record of which no pair was taken. */
    static final long NOTHING = 0;

    /** The bytes up to and including the header of the uuid, behind the longest short event type: they are read without further checks. */
    static final int BYTES_MIN = 13 + 31 + 22 + 14;

    /** Longer records are left to the general decoder, which then spends its time on their texts. */
    static final int BYTES_MAX = 8192;

    /** Bytes behind the record in the copy, so that words may reach beyond its end. What is read there is taken only if its end is within the record. */
    static final int SLACK = 64;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle HALVES = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final int TAIL_BYTES = 29;
    private static final int TAIL_BYTES_BEFORE_DATA = 23;
    private static final int HEX_BYTES = 32;

    /** Header of a map with two bytes for the number of its pairs, of which the higher one is 0. */
    private static final short LONG_MAP = (short) 0xde00;

    // Keys with the msgpack headers around them, as big-endian words that overlap where they have to.
    private static final long EVENT_TYPE_1 = 0x80aa6576656e745fL; // header of a map, "event_"
    private static final long EVENT_TYPE_1_BITS = 0xf0ffffffffffffffL; // all but the number of pairs
    private static final long EVENT_TYPE_2 = 0x6e745f74797065a0L; // "nt_type", header of a string
    private static final long EVENT_TYPE_2_BITS = 0xffffffffffffffe0L; // all but the length of the string
    private static final long TIMESTAMP_1 = 0xac74696d65737461L; // "timesta"
    private static final long TIMESTAMP_2 = 0x74616d705f6e73cfL; // "tamp_ns", header of a 64-bit unsigned integer
    private static final long SAMPLE_UUID_1 = 0xab73616d706c655fL; // "sample_"
    private static final long SAMPLE_UUID_2 = 0x655f75756964L; // "e_uuid"
    static final long CONVERSATION_1 = 0xaf636f6e76657273L; // "convers"
    static final long CONVERSATION_2 = 0x6174696f6e5f6964L; // "ation_id"
    private static final long TAIL_3 = 0xa0a47475726ec0a4L; // "", "turn", nil, header of "data"
    private static final long TAIL_4 = 0x6ec0a464617461c0L; // "n", nil, "data", nil

    static final long WORKER_ID_1 = 0xa9776f726b65725fL; // "worker_"
    static final long WORKER_ID_2 = 0x6f726b65725f6964L; // "orker_id"
    static final int SEQ = 0xa3736571; // "seq"
    private static final long SOURCE_ID_1 = 0xa9736f757263655fL; // "source_"
    private static final long SOURCE_ID_2 = 0x6f757263655f6964L; // "ource_id"
    /** The key life and the header of a 64-bit unsigned integer. */
    private static final long LIFE_LONG = 0xa46c696665cfL;

    private static final int LIFE_BYTES = 6 + Long.BYTES;
    private static final int LAST_PAIRS = 3;
    private static final int SOURCE_KEY_BYTES = 10;
    private static final int SOURCE_BYTES_MAX = SOURCE_KEY_BYTES + 2 + 255;

    private final long idSecret;
    /** The key and the name of the latest source, as a record has them, and the number of the run of records with it. */
    private final byte[] source = new byte[SOURCE_BYTES_MAX];

    private int sourceBytes;
    private int sourceNameAt;
    private long sourceRun;
    private long runs;
    private final byte[] copy = new byte[BYTES_MAX + SLACK];

    OrderedKeysDecoder(long idSecret) {
        this.idSecret = idSecret;
    }

    static long word(byte[] bytes, int at) {
        return (long) WORDS.get(bytes, at);
    }

    /**
     * Reads what a record has in this layout.
     *
     * @param length from {@link #BYTES_MIN} to {@link #BYTES_MAX}
     * @return where the pairs taken end, and in the upper 32 bits the number of pairs that follow; {@link #NOTHING}, with {@code into}
     *     undefined, if none was taken
     */
    long read(ByteBuffer buffer, int start, int length, DecodedEvent into) {
        int skipped = skipped(buffer, start);
        byte[] bytes = copy;
        buffer.get(start + skipped, bytes, 0, length - skipped);
        // Of a long header its number of pairs is left: in the short one it has bits around it. They are not stored,
        // since the load of a word waits for a store into it.
        long first = word(bytes, 0) ^ (long) skipped << (Long.SIZE - 2);
        return read(buffer, bytes, first, start + skipped, length - skipped, into);
    }

    /** Bytes of a long header of a map, as msgspec writes where absent keys are left out, that a short one does not have: 2, or 0 if it is short. */
    private static int skipped(ByteBuffer buffer, int start) {
        return buffer.getShort(start) == LONG_MAP ? 2 : 0;
    }

    private long read(ByteBuffer buffer, byte[] bytes, long first, int start, int length, DecodedEvent into) {
        long second = word(bytes, 5);
        int typeLength = (int) second & 0x1f;
        if ((((first ^ EVENT_TYPE_1) & EVENT_TYPE_1_BITS) | ((second ^ EVENT_TYPE_2) & EVENT_TYPE_2_BITS)) != 0) {
            return NOTHING;
        }
        int at = 13 + typeLength;
        EventType type = EventType.match(
                word(bytes, 13), word(bytes, 13 + Math.min(8, typeLength - 8)), word(bytes, at - 8), typeLength);
        long idWord = word(bytes, at + 28);
        if (((word(bytes, at) ^ TIMESTAMP_1) | (word(bytes, at + 6) ^ TIMESTAMP_2)) != 0
                || ((word(bytes, at + 22) ^ SAMPLE_UUID_1) | ((idWord >>> 16) ^ SAMPLE_UUID_2)) != 0) {
            return NOTHING;
        }
        long timestampNanos = word(bytes, at + 14);
        int pairs = (int) (first >>> 56) & 0x0f;
        if (type == null || (timestampNanos | (pairs - 3) | (3 * Long.BYTES - typeLength)) < 0) {
            return NOTHING;
        }
        int idAt = at + 36;
        if ((idWord & 0xffff) == (0xd900 | HEX_BYTES)
                && length - idAt >= HEX_BYTES
                && SampleIds.packDigits(
                        word(bytes, idAt),
                        word(bytes, idAt + 8),
                        word(bytes, idAt + 16),
                        word(bytes, idAt + 24),
                        IdKind.HEX,
                        into)) {
            into.idStart = start + idAt;
            into.idLength = HEX_BYTES;
            at = idAt + HEX_BYTES;
        } else {
            at = readId(buffer, start + idAt, start + length, (int) idWord & 0xffff, into) - start;
            if (at < 0) {
                return NOTHING;
            }
        }
        into.begin(buffer, start, type, timestampNanos);
        pairs -= 3;
        boolean conversationNext = bytes[at] == (byte) (CONVERSATION_1 >>> 56) && pairs >= 3;
        long tail = conversationNext ? readTail(bytes, at, length, pairs, into) : rest(pairs, at);
        int left = (int) (tail >> 32);
        // The one call, so that what is compiled with this method stays within what the compiler inlines.
        return left > 0 ? readPairs(bytes, (int) tail, length, left, into) : rest(-left, start + (int) tail);
    }

    private static long rest(int pairs, int place) {
        return (long) pairs << 32 | place;
    }

    /**
     * Reads an empty conversation_id, turn nil, data, worker_id, seq and life, as far as they come in this order.
     *
     * @return where they end in the record, and in the upper 32 bits the number of pairs that follow, negative if the next one is unusual
     */
    private static long readTail(byte[] bytes, int at, int length, int pairs, DecodedEvent into) {
        if (length - at < TAIL_BYTES
                || ((word(bytes, at) ^ CONVERSATION_1)
                                | (word(bytes, at + 8) ^ CONVERSATION_2)
                                | ((word(bytes, at + 16) ^ TAIL_3) >>> 8))
                        != 0) {
            return rest(pairs, at);
        }
        long data = word(bytes, at + 21) ^ TAIL_4;
        int end = at + TAIL_BYTES;
        if (data != 0) {
            int before = at + TAIL_BYTES_BEFORE_DATA;
            if (data >>> 8 != 0) {
                return rest(pairs - 2, before);
            }
            end = OrderedKeysValues.readData(bytes, end - 1, length, into);
            if (end < 0) {
                return rest(2 - pairs, before);
            }
        }
        int last = pairs == 5 || pairs == 6 ? readWorker(bytes, end, length, pairs == 6, into) : -1;
        return last < 0 ? rest(pairs - 3, end) : rest(0, last);
    }

    /**
     * Reads further pairs of the record read last, as far as they are usual ones.
     *
     * @param position where they begin
     * @param end the end of the record
     * @param pairs how many there are
     * @return as {@link #read(ByteBuffer, int, int, DecodedEvent)}
     */
    long readOn(int position, int end, int pairs, DecodedEvent into) {
        return readPairs(copy, position - into.recordStart, end - into.recordStart, pairs, into);
    }

    /** Reads pairs as far as they are usual ones, in any order. */
    private long readPairs(byte[] bytes, int at, int length, int pairs, DecodedEvent into) {
        int left = pairs;
        int place = at;
        while (left > 0) {
            if (left == LAST_PAIRS && readLast(bytes, place, length, into)) {
                return rest(0, into.recordStart + length);
            }
            int end = readPair(bytes, place, length, into);
            if (end < 0) {
                break;
            }
            place = end;
            left--;
        }
        return rest(left, into.recordStart + place);
    }

    /** Reads a pair; returns its end, or −1 if it is an unusual one. */
    private int readPair(byte[] bytes, int place, int length, DecodedEvent into) {
        return word(bytes, place) == SOURCE_ID_1 && word(bytes, place + 2) == SOURCE_ID_2
                ? readSourceId(bytes, place, length, into)
                : OrderedKeysValues.readPair(bytes, place, length, into);
    }

    /** Reads source_id, seq and life that end a record of the source before; returns whether they do. */
    private boolean readLast(byte[] bytes, int place, int length, DecodedEvent into) {
        int key = place + sourceBytes;
        int sequence = key + 4;
        int end = length - LIFE_BYTES;
        if (sequence >= end
                || end - sequence != OrderedKeysValues.integerBytes(bytes[sequence])
                || (int) HALVES.get(bytes, key) != SEQ) {
            return false;
        }
        long number = OrderedKeysValues.integer(bytes, sequence, end - sequence);
        long life = word(bytes, end + LIFE_BYTES - Long.BYTES);
        if (word(bytes, end) >>> 16 != LIFE_LONG || (number | life) < 0 || !isLatestSource(bytes, place, length)) {
            return false;
        }
        into.sequence = number;
        into.hasSequence = true;
        into.life = life;
        setLatestSource(place, into);
        return true;
    }

    private void setLatestSource(int place, DecodedEvent into) {
        into.hasExtension = true;
        into.sourceStart = into.recordStart + place + sourceNameAt;
        into.sourceLength = sourceBytes - sourceNameAt;
        into.sourceRun = sourceRun;
        if (into.sourceRunOf != this) {
            into.sourceRunOf = this;
        }
    }

    /** Reads the key source_id and a text of at most 255 bytes; returns its end, or −1 if there is something else. */
    private int readSourceId(byte[] bytes, int place, int length, DecodedEvent into) {
        if (!isLatestSource(bytes, place, length) && !takeSource(bytes, place, length)) {
            return -1;
        }
        setLatestSource(place, into);
        return place + sourceBytes;
    }

    private boolean isLatestSource(byte[] bytes, int place, int length) {
        int last = sourceBytes - Long.BYTES;
        if (last < 0 || sourceBytes > length - place) {
            return false;
        }
        for (int i = 0; i < last; i += Long.BYTES) {
            if (word(bytes, place + i) != word(source, i)) {
                return false;
            }
        }
        return word(bytes, place + last) == word(source, last);
    }

    /** Takes the name of another source than the latest; returns whether it is one. */
    private boolean takeSource(byte[] bytes, int place, int length) {
        int at = place + SOURCE_KEY_BYTES;
        int header = bytes[at] & 0xff;
        boolean isLong = header == 0xd9;
        if (!isLong && (header & 0xe0) != 0xa0) {
            return false;
        }
        int size = isLong ? bytes[at + 1] & 0xff : header & 0x1f;
        int from = at + (isLong ? 2 : 1);
        if (from + size > length) {
            return false;
        }
        sourceNameAt = from - place;
        sourceBytes = sourceNameAt + size;
        System.arraycopy(bytes, place, source, 0, sourceBytes);
        // An empty name is none.
        sourceRun = size == 0 ? 0 : ++runs;
        return true;
    }

    /** Reads worker_id, seq and, where it follows, a life of eight bytes, all at least 0; returns their end, or −1 if the bytes are others. */
    private static int readWorker(byte[] bytes, int at, int length, boolean lifeFollows, DecodedEvent into) {
        int worker = at + 10;
        int workerBytes = OrderedKeysValues.integerBytes(bytes[worker]);
        int key = worker + workerBytes;
        int sequence = key + 4;
        if (word(bytes, at) != WORKER_ID_1
                || word(bytes, at + 2) != WORKER_ID_2
                || workerBytes == 0
                || (int) HALVES.get(bytes, key) != SEQ) {
            return -1;
        }
        int sequenceBytes = OrderedKeysValues.integerBytes(bytes[sequence]);
        long workerId = OrderedKeysValues.integer(bytes, worker, workerBytes);
        long number = OrderedKeysValues.integer(bytes, sequence, sequenceBytes);
        int end = sequence + sequenceBytes;
        long life = 0;
        if (lifeFollows) {
            life = word(bytes, end) >>> 16 == LIFE_LONG ? word(bytes, end + LIFE_BYTES - Long.BYTES) : -1;
            end += LIFE_BYTES;
        }
        if (sequenceBytes == 0 || end > length || (workerId | number | life) < 0) {
            return -1;
        }
        if (lifeFollows) {
            into.life = life;
        }
        into.hasExtension = true;
        into.workerId = workerId;
        into.hasWorkerId = true;
        into.sequence = number;
        into.hasSequence = true;
        return end;
    }

    /** As {@link EventDecoder#mayBe}. */
    static boolean mayBe(EventType type, ByteBuffer buffer, int start, int length) {
        if (length < BYTES_MIN) {
            return true;
        }
        // A long header ends with a number of pairs, of which any is taken here.
        int skipped = skipped(buffer, start);
        int at = start + skipped;
        long bits = skipped == 0 ? EVENT_TYPE_1_BITS : -1L >>> Byte.SIZE;
        if (((buffer.getLong(at) ^ EVENT_TYPE_1) & bits) != 0) {
            return true;
        }
        long header = buffer.getLong(at + 5) ^ EVENT_TYPE_2;
        return (header & EVENT_TYPE_2_BITS) != 0 || EventType.match(buffer, at + 13, (int) header) == type;
    }

    /**
     * Reads an id of any kind and length.
     *
     * @param at behind a header of two bytes
     * @param header the two bytes before {@code at}
     * @return the end of the id; −1 if it is not a valid one of at most 255 bytes
     */
    private int readId(ByteBuffer buffer, int at, int end, int header, DecodedEvent into) {
        int idLength;
        int idStart;
        if (header >>> 8 == 0xd9) {
            idLength = header & 0xff;
            idStart = at;
        } else if ((header >>> 8 & 0xe0) == 0xa0) {
            idLength = header >>> 8 & 0x1f;
            idStart = at - 1;
        } else {
            return -1;
        }
        if (end - idStart < idLength) {
            return -1;
        }
        into.idStart = idStart;
        into.idLength = idLength;
        SampleIds.pack(buffer, idStart, idLength, into, idSecret);
        // A packed UUID is ASCII; any other text must be checked for UTF-8.
        boolean valid = into.idKind == IdKind.UUID || Utf8.isValid(buffer, idStart, idLength);
        return valid ? idStart + idLength : -1;
    }
}
