package io.metricsaggregator.codec;

import org.jspecify.annotations.Nullable;

/** The type of a msgpack value, which its first byte determines. */
public enum MsgpackType {
    NIL,
    BOOLEAN,
    INTEGER,
    FLOAT,
    STRING,
    BINARY,
    ARRAY,
    MAP,
    EXTENSION;

    private static final @Nullable MsgpackType[] BY_FIRST_BYTE = new @Nullable MsgpackType[256];

    static {
        for (int b = 0; b < 256; b++) {
            BY_FIRST_BYTE[b] = classify(b);
        }
    }

    /** The type that starts with this byte; null for the reserved byte 0xc1. */
    public static @Nullable MsgpackType ofFirstByte(byte first) {
        return BY_FIRST_BYTE[first & 0xff];
    }

    private static @Nullable MsgpackType classify(int b) {
        if (b <= 0x7f || b >= 0xe0) {
            return INTEGER;
        }
        if (b <= 0x8f) {
            return MAP;
        }
        if (b <= 0x9f) {
            return ARRAY;
        }
        if (b <= 0xbf) {
            return STRING;
        }
        return switch (b) {
            case 0xc0 -> NIL;
            case 0xc1 -> null;
            case 0xc2, 0xc3 -> BOOLEAN;
            case 0xc4, 0xc5, 0xc6 -> BINARY;
            case 0xca, 0xcb -> FLOAT;
            case 0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3 -> INTEGER;
            case 0xd9, 0xda, 0xdb -> STRING;
            case 0xdc, 0xdd -> ARRAY;
            case 0xde, 0xdf -> MAP;
            default -> EXTENSION;
        };
    }
}
