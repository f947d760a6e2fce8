package io.metricsaggregator.event;

/** How a sample id is held in two longs. Two ids are the same sample only if kind and both longs agree. */
public enum IdKind {
    /** The empty id, of an event without a sample. */
    EMPTY,
    /** 32 lower-case hexadecimal digits: their 128 bits. */
    HEX,
    /** 32 lower-case hexadecimal digits with dashes, 8-4-4-4-12: their 128 bits. */
    UUID,
    /** 1 to 15 bytes of text: the bytes, and their number in the lowest byte. */
    SHORT,
    /** Any other text: a hash of 128 bits. Equal hashes do not imply equal ids, so the bytes must be compared. */
    LONG
}
