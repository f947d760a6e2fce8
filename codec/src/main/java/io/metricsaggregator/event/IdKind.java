package io.metricsaggregator.event;

/** How a sample id is held in two longs. Two ids are the same sample only if kind and both longs agree. */
public enum IdKind {
    /** The empty id: no sample. */
    EMPTY,
    /** 32 lower-case hexadecimal digits: their 128 bits. */
    HEX,
    /** The same with dashes, 8-4-4-4-12. */
    UUID,
    /** 1 to 15 bytes of text: the bytes themselves, and in the lowest byte their number. */
    SHORT,
    /** Anything else: a hash of 128 bits; the bytes themselves have to be compared. */
    LONG
}
