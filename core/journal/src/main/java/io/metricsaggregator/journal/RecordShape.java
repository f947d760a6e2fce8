package io.metricsaggregator.journal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What records of one form have in common: the bytes that are the same in each, and between them fields that vary. Learned from one record, a MessagePack
 * map with string keys, by the writer and again by the reader: the same bytes give the same shape. Whether a shape is a good one decides the size of a
 * journal, never its content. One thread.
 */
final class RecordShape {
    /** Eight bytes, stored as the difference to the eight bytes before, whatever their shape: the first such number of a record, its time. */
    static final byte TIME = 1;
    /** 32 lower-case hexadecimal digits. */
    static final byte HEX = 2;
    /** Eight bytes, stored as the difference to those of the record of this shape before. */
    static final byte NUMBER_8 = 3;
    /** Four bytes, stored as the difference to those of the record of this shape before. */
    static final byte NUMBER_4 = 4;
    /** Two bytes, stored as the difference to those of the record of this shape before. */
    static final byte NUMBER_2 = 5;
    /** Bytes of a known number that are stored as they are. */
    static final byte RAW = 6;
    /** One MessagePack value of any kind and length, stored as it is unless it is that of the record of this shape before. */
    static final byte VALUE = 7;

    static final int FIELDS_MAX = 32;
    /** Bytes that an array holds behind a record, with any content. */
    static final int SLACK_BYTES = 8;

    /** Longer values are not compared with the one before. */
    static final int KEPT_MAX_BYTES = 128;

    private static final int RECORD_MAX_BYTES = 1 << 16;
    private static final int RECORD_MIN_BYTES = 8;
    private static final int HEX_BYTES = 32;
    private static final byte[] TYPE_KEY = {'e', 'v', 'e', 'n', 't', '_', 't', 'y', 'p', 'e'};

    /** The record that the shape was learned from. */
    final byte[] bytes;
    /** Kinds of the fields in order; what is between them is the same in each record. */
    final byte[] kinds;
    /** Position of each field in {@link #bytes}. */
    final int[] positions;
    /** Bytes of each field; of a {@link #VALUE}, those in {@link #bytes}. */
    final int[] lengths;
    /** The latest number of each numeric field. */
    final long[] numbers;
    /** The latest {@link #VALUE} of each such field, empty if none was short enough. */
    private final byte[][] values;

    private final int[] valueBytes;
    /** The parts of a record in front of each {@link #VALUE} and behind the last one, whose lengths are the same in each record. */
    final Run[] runs;

    private RecordShape(Learner learned) {
        bytes = learned.b;
        kinds = Arrays.copyOf(learned.kinds, learned.fields);
        positions = Arrays.copyOf(learned.positions, learned.fields);
        lengths = Arrays.copyOf(learned.lengths, learned.fields);
        numbers = new long[learned.fields];
        values = new byte[learned.fields][];
        valueBytes = new int[learned.fields];
        List<Run> found = new ArrayList<>();
        int first = 0;
        int from = 0;
        for (int i = 0; i < kinds.length; i++) {
            if (kinds[i] == VALUE) {
                values[i] = new byte[KEPT_MAX_BYTES];
                keep(i, bytes, positions[i], positions[i] + lengths[i]);
                found.add(new Run(from, positions[i], first, i));
                first = i + 1;
                from = positions[i] + lengths[i];
            }
        }
        found.add(new Run(from, bytes.length, first, kinds.length));
        runs = found.toArray(new Run[0]);
    }

    /** Whether a {@link #VALUE} is that of the record before; if not, it is kept for the next one. */
    boolean repeats(int field, byte[] b, int from, int end) {
        if (Arrays.equals(b, from, end, values[field], 0, valueBytes[field])) {
            return true;
        }
        keep(field, b, from, end);
        return false;
    }

    /** Keeps a {@link #VALUE} for the next record, if it is short enough. */
    void keep(int field, byte[] b, int from, int end) {
        if (end - from <= KEPT_MAX_BYTES) {
            valueBytes[field] = end - from;
            System.arraycopy(b, from, values[field], 0, end - from);
        }
    }

    /** Writes the latest {@link #VALUE}; returns its length. */
    int latestTo(int field, byte[] to, int at) {
        System.arraycopy(values[field], 0, to, at, valueBytes[field]);
        return valueBytes[field];
    }

    /** Bytes of {@link #bytes} between two values, or in front of the first or behind the last. */
    final class Run {
        final int from;
        final int length;
        /** Its fields: the first, and the one behind the last. */
        final int firstField;

        final int endField;
        /** The bytes eight at a time, the last eight ending with the run, and which of their bits are the same in each record. */
        private final long[] words;

        private final long[] masks;

        private Run(int from, int end, int firstField, int endField) {
            this.from = from;
            this.length = end - from;
            this.firstField = firstField;
            this.endField = endField;
            byte[] padded = Arrays.copyOf(bytes, bytes.length + SLACK_BYTES);
            byte[] same = new byte[padded.length];
            Arrays.fill(same, from, end, (byte) 0xff);
            for (int i = firstField; i < endField; i++) {
                Arrays.fill(same, positions[i], positions[i] + lengths[i], (byte) 0);
            }
            masks = new long[(length + 7) / 8];
            words = new long[masks.length];
            for (int i = 0; i < masks.length; i++) {
                int at = wordAt(from, i);
                masks[i] = Hex.longAt(same, at);
                words[i] = Hex.longAt(padded, at) & masks[i];
            }
        }

        private int wordAt(int start, int word) {
            return start + Math.max(0, Math.min(8 * word, length - 8));
        }

        /** Whether the bytes of a record from {@code start} on are those of the run; fields may hold anything. Reads up to eight bytes more. */
        boolean isLike(byte[] b, int start) {
            long different = 0;
            int last = masks.length - 1;
            for (int i = 0; i < last; i++) {
                different |= (Hex.longAt(b, start + 8 * i) & masks[i]) ^ words[i];
            }
            return last < 0 || (different | ((Hex.longAt(b, wordAt(start, last)) & masks[last]) ^ words[last])) == 0;
        }
    }

    /**
     * The shape of a record; null if it is not such a map, or has too many fields.
     *
     * @param timesOnly whether each number of eight bytes is a {@link #TIME}, as in segments of earlier builds
     */
    static @Nullable RecordShape learn(byte[] record, int from, int end, boolean timesOnly) {
        if (end - from < RECORD_MIN_BYTES || end - from > RECORD_MAX_BYTES) {
            return null;
        }
        Learner learner = new Learner(Arrays.copyOfRange(record, from, end), timesOnly);
        return learner.learn() ? new RecordShape(learner) : null;
    }

    /** End of the MessagePack value that begins at a position; −1 if it is not whole before {@code end}. */
    static int skip(byte[] b, int from, int end) {
        long values = 1;
        long at = from;
        while (values > 0) {
            if (at >= end) {
                return -1;
            }
            int position = (int) at;
            int head = b[position] & 0xff;
            int sizeBytes = sizeBytes(head);
            if (position + 1 + sizeBytes > end) {
                return -1;
            }
            long size = size(b, position + 1, sizeBytes);
            at = position + 1L + sizeBytes + content(head, size);
            values += children(head, size) - 1;
        }
        return at <= end ? (int) at : -1;
    }

    /** Bytes behind a head that say how long its value is. */
    private static int sizeBytes(int head) {
        return switch (head) {
            case 0xc4, 0xc7, 0xd9 -> 1;
            case 0xc5, 0xc8, 0xda, 0xdc, 0xde -> 2;
            case 0xc6, 0xc9, 0xdb, 0xdd, 0xdf -> 4;
            default -> 0;
        };
    }

    private static long size(byte[] b, int from, int count) {
        long size = 0;
        for (int i = 0; i < count; i++) {
            size = (size << 8) | (b[from + i] & 0xff);
        }
        return size;
    }

    /** Bytes of a value behind its head and size, without the values in it. */
    private static long content(int head, long size) {
        if (head >= 0xa0 && head < 0xc0) {
            return head & 0x1f;
        }
        return switch (head) {
            case 0xc4, 0xc5, 0xc6, 0xd9, 0xda, 0xdb -> size;
            case 0xc7, 0xc8, 0xc9 -> size + 1;
            case 0xcc, 0xd0 -> 1;
            case 0xcd, 0xd1, 0xd4 -> 2;
            case 0xd5 -> 3;
            case 0xca, 0xce, 0xd2 -> 4;
            case 0xd6 -> 5;
            case 0xcb, 0xcf, 0xd3 -> 8;
            case 0xd7 -> 9;
            case 0xd8 -> 17;
            default -> 0;
        };
    }

    private static long children(int head, long size) {
        if (head >= 0x80 && head < 0xa0) {
            return head < 0x90 ? 2 * (head & 0xf) : head & 0xf;
        }
        return switch (head) {
            case 0xdc, 0xdd -> size;
            case 0xde, 0xdf -> 2 * size;
            default -> 0;
        };
    }

    /** Walks one record. */
    private static final class Learner {
        final byte[] b;
        private final long[] id = new long[2];
        final byte[] kinds = new byte[FIELDS_MAX];
        final int[] lengths = new int[FIELDS_MAX];
        final int[] positions = new int[FIELDS_MAX];
        int fields;
        private final boolean timesOnly;

        Learner(byte[] bytes, boolean timesOnly) {
            b = bytes;
            this.timesOnly = timesOnly;
        }

        boolean learn() {
            int head = b[0] & 0xff;
            if (head != 0xde && (head < 0x80 || head > 0x8f)) {
                return false;
            }
            int at = 1 + sizeBytes(head);
            long keys = children(head, size(b, 1, at - 1)) / 2;
            for (long i = 0; i < keys; i++) {
                int key = at;
                int value = skip(b, key, b.length);
                int end = value < 0 || (b[key] & 0xe0) != 0xa0 ? -1 : skip(b, value, b.length);
                if (end < 0 || !value(key, value, end)) {
                    return false;
                }
                at = end;
            }
            return at == b.length;
        }

        private boolean value(int key, int from, int end) {
            int head = b[from] & 0xff;
            if (head <= 0x7f || head >= 0xe0) {
                return field(RAW, from, end);
            }
            return switch (head) {
                case 0xcc, 0xd0, 0xca, 0xcb -> field(RAW, from + 1, end);
                case 0xcd, 0xd1 -> field(NUMBER_2, from + 1, end);
                case 0xce, 0xd2 -> field(NUMBER_4, from + 1, end);
                case 0xcf, 0xd3 -> field(eightBytes(), from + 1, end);
                // Nothing, a truth value or an empty string: more often than not the same in the next record.
                case 0xc0, 0xc2, 0xc3, 0xa0 -> true;
                default -> isType(key, from) || (isId(from, end) ? field(HEX, from + 2, end) : field(VALUE, from, end));
            };
        }

        private byte eightBytes() {
            boolean isFirst = true;
            for (int i = 0; i < fields; i++) {
                isFirst &= kinds[i] != TIME;
            }
            return isFirst || timesOnly ? TIME : NUMBER_8;
        }

        private boolean isId(int from, int end) {
            return b[from] == (byte) 0xd9 && end - from == 2 + HEX_BYTES && Hex.parse(b, from + 2, id, 0);
        }

        private boolean isType(int key, int value) {
            return Arrays.equals(b, key + 1, value, TYPE_KEY, 0, TYPE_KEY.length);
        }

        /** Adds a field; false if there are too many. */
        private boolean field(byte kind, int from, int end) {
            if (fields == FIELDS_MAX) {
                return false;
            }
            kinds[fields] = kind;
            positions[fields] = from;
            lengths[fields++] = end - from;
            return true;
        }
    }
}
