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

    static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    static long unzigzag(long value) {
        return value >>> 1 ^ -(value & 1);
    }
}
