package io.metricsaggregator.codec;

/** Why a {@link MsgpackCursor} failed to read a value. */
public enum MsgpackFault {
    /** The value, or the number of elements it declares, goes beyond the end of the input. */
    TRUNCATED("goes beyond the end of the input"),
    /** The value is of another msgpack type than the one requested. */
    WRONG_TYPE("is of the wrong type"),
    /** The byte 0xc1, which msgpack never uses. */
    RESERVED_BYTE("contains the reserved byte 0xc1"),
    /** Containers nested deeper than {@link MsgpackCursor#MAX_DEPTH}. */
    TOO_DEEP("is nested too deep"),
    /** An unsigned 64-bit integer above 2^63 − 1 where a signed one is needed. */
    INTEGER_OUT_OF_RANGE("does not fit a signed 64-bit integer"),
    /** A string that is not valid UTF-8. */
    INVALID_UTF8("is not valid UTF-8");

    private final String text;

    MsgpackFault(String text) {
        this.text = text;
    }

    /** A predicate for a message: "the value {@code text}". */
    public String text() {
        return text;
    }
}
