package io.metricsaggregator.journal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Sixteen bytes as 32 lower-case hexadecimal digits, eight digits at a time; and numbers in arrays of bytes, big-endian unless they say so. */
final class Hex {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LITTLE_INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;

    private Hex() {}

    static long longAt(byte[] b, int at) {
        return (long) LONGS.get(b, at);
    }

    static void longTo(byte[] b, int at, long value) {
        LONGS.set(b, at, value);
    }

    static int littleIntAt(byte[] b, int at) {
        return (int) LITTLE_INTS.get(b, at);
    }

    static void littleIntTo(byte[] b, int at, int value) {
        LITTLE_INTS.set(b, at, value);
    }

    /** Reads 32 digits into two longs from {@code to} on; false if one is not a digit in lower case. */
    static boolean parse(byte[] b, int at, long[] into, int to) {
        long first = longAt(b, at);
        long second = longAt(b, at + 8);
        long third = longAt(b, at + 16);
        long fourth = longAt(b, at + 24);
        long firstValues = values(first);
        long secondValues = values(second);
        long thirdValues = values(third);
        long fourthValues = values(fourth);
        into[to] = joined(firstValues) << 32 | joined(secondValues);
        into[to + 1] = joined(thirdValues) << 32 | joined(fourthValues);
        return ((digits(firstValues) ^ first)
                        | (digits(secondValues) ^ second)
                        | (digits(thirdValues) ^ third)
                        | (digits(fourthValues) ^ fourth))
                == 0;
    }

    /** Writes 32 digits. */
    static void write(byte[] to, int at, long high, long low) {
        longTo(to, at, spread(high >>> 32));
        longTo(to, at + 8, spread(high));
        longTo(to, at + 16, spread(low >>> 32));
        longTo(to, at + 24, spread(low));
    }

    /** The values of eight digits, a byte each; of other characters something below 16. */
    private static long values(long digits) {
        return (digits & 0x0f * ONES) + 9 * (digits >>> 6 & ONES) & 0x0f * ONES;
    }

    private static long digits(long values) {
        return values + 0x30 * ONES + 0x27 * (((values + 6 * ONES) >>> 4) & ONES);
    }

    private static long joined(long values) {
        long v = (values >>> 4 | values) & 0x00ff00ff00ff00ffL;
        v = (v >>> 8 | v) & 0x0000ffff0000ffffL;
        return (v >>> 16 | v) & 0xffffffffL;
    }

    private static long spread(long half) {
        long v = half & 0xffffffffL;
        v = (v << 16 | v) & 0x0000ffff0000ffffL;
        v = (v << 8 | v) & 0x00ff00ff00ff00ffL;
        return digits((v << 4 | v) & 0x0f * ONES);
    }
}
