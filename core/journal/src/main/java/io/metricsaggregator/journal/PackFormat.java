package io.metricsaggregator.journal;

import java.util.Arrays;

/**
 * What the writer and the reader of packed entries both know of a segment so far: topics, shapes of records, ids, times. Both change it in the same way, so
 * a packed entry can be read only after those before it in its segment.
 *
 * <p>A packed entry stands for a row of bursts and frames: {@code 'P' | flags u8 | entries | bytes of the frames | bytes of the columns: numbers, texts,
 * texts as stored | numbers | texts}, with varints. Flag 1: texts are deflated, without header, as a part of one stream for the segment. An entry in
 * {@code numbers} begins with a byte: its form in the lowest two bits, and the number of its topic in the others.
 */
class PackFormat {
    static final int DEFLATED = 1;
    /** Forms of entries. */
    static final int OTHER = 0;
    /** A frame of one record behind its topic. */
    static final int SINGLE = 1;
    /** A frame of an array of binaries with the shortest heads. */
    static final int SHORTEST = 2;
    /** A frame of an array of binaries whose heads are 0xc5 with two bytes of length. */
    static final int TWO_BYTES = 3;

    /** Of form {@link #OTHER}: a frame whose bytes are among the texts. */
    static final int PLAIN_FRAME = 0;
    /** Of form {@link #OTHER}: a burst. */
    static final int BURST = 1 << 2;

    /** Of form {@link #OTHER}: a frame of chunks. Its bytes are among the texts, but the offsets are stored as differences, each to the one before. */
    static final int CHUNKS = 2 << 2;

    /** The first byte of such an array, and the values in front of the binary. */
    static final byte CHUNKS_ARRAY = (byte) 0x99;

    static final int OFFSETS = 6;

    /** Fewest bytes of a burst or frame in a packed entry. */
    static final int INNER_BYTES = 2;

    static final int TOPIC_BYTES = 40;
    static final int TOPICS_MAX = 62;
    static final int NEW_TOPIC = 63;
    static final int SHAPES_MAX = 64;
    /** In place of a shape: a record among the texts, from which a shape is learned. */
    static final int NEW_SHAPE = 0xfe;
    /** In place of a shape: a record among the texts. */
    static final int NO_SHAPE = 0xff;
    /** In place of the place of an id: the id follows, 16 bytes. */
    static final int NEW_ID = 0xffff;

    /** Largest number of bytes of the frames in a packed entry. */
    static final int ENTRY_MAX_BYTES = 2 << 20;

    final byte[][] topics = new byte[TOPICS_MAX][];
    int topicCount;
    final RecordShape[] shapes = new RecordShape[SHAPES_MAX];
    int shapeCount;
    /** Two longs for each id, at a place that follows from the id: a later one takes the place of an earlier one. */
    private final long[] table = new long[2 << 16];

    long time;
    long burst;

    /** Forgets everything, for the next segment. */
    void reset() {
        Arrays.fill(topics, null);
        topicCount = 0;
        Arrays.fill(shapes, null);
        shapeCount = 0;
        Arrays.fill(table, 0);
        time = 0;
        burst = 0;
    }

    static int place(long high, long low) {
        int place = (int) (((high ^ Long.rotateLeft(low, 29)) * 0x9e3779b97f4a7c15L) >>> 48);
        return place == NEW_ID ? 0 : place;
    }

    final boolean isAt(int place, long high, long low) {
        return table[2 * place] == high && table[2 * place + 1] == low;
    }

    final void keep(int place, long high, long low) {
        table[2 * place] = high;
        table[2 * place + 1] = low;
    }

    final long highAt(int place) {
        return table[2 * place];
    }

    final long lowAt(int place) {
        return table[2 * place + 1];
    }

    /** Writes eight bytes whatever the length of the number, without a branch that depends on it, unless it needs more. */
    static int varint(byte[] to, int from, long value) {
        if (value >>> 56 != 0) {
            return longVarint(to, from, value);
        }
        long groups = (value & 0xfffffffL) | ((value & 0xfffffff0000000L) << 4);
        groups = (groups & 0x3fff00003fffL) | ((groups & 0xfffc0000fffc000L) << 2);
        groups = (groups & 0x7f007f007f007fL) | ((groups & 0x3f803f803f803f80L) << 1);
        // Seven bits a byte: 37 / 256 is a seventh for so few.
        int count = ((70 - Long.numberOfLeadingZeros(value | 1)) * 37) >>> 8;
        long more = 0x8080808080808080L & ((1L << (8 * (count - 1))) - 1);
        Hex.longTo(to, from, Long.reverseBytes(groups | more));
        return from + count;
    }

    private static int longVarint(byte[] to, int from, long value) {
        int at = from;
        long left = value;
        while ((left & ~0x7fL) != 0) {
            to[at++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        to[at++] = (byte) left;
        return at;
    }

    static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    static long unzigzag(long value) {
        return value >>> 1 ^ -(value & 1);
    }
}
