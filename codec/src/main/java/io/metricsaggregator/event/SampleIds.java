package io.metricsaggregator.event;

import io.metricsaggregator.codec.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Packs sample ids into two longs without creating an object, and back into text for people. */
public final class SampleIds {
    private static final int HEX_LENGTH = 32;
    private static final int UUID_LENGTH = 36;
    private static final int SHORT_MAX = 15;

    private static final long LOW_BITS = 0x0101010101010101L;
    private static final long LOW_NIBBLES = 0x0f0f0f0f0f0f0f0fL;
    private static final int DASH = '-';

    /** The start of the hashes of long ids outside of runs that keep a secret of their own. */
    static final long PROCESS_SECRET = new SecureRandom().nextLong();

    private static final long MULTIPLIER_1 = 0x9e3779b97f4a7c15L;
    private static final long MULTIPLIER_2 = 0xc2b2ae3d27d4eb4fL;

    private SampleIds() {}

    /**
     * Packs the id in a range that holds valid UTF-8.
     *
     * @param secret the start of the hash of a long id, so that a producer cannot choose ids that collide
     */
    static void pack(ByteBuffer buffer, int start, int length, DecodedEvent into, long secret) {
        if (length == HEX_LENGTH) {
            if (packHex(buffer, start, into)) {
                return;
            }
        } else if (length == UUID_LENGTH) {
            if (packUuid(buffer, start, into)) {
                return;
            }
        } else if (length <= SHORT_MAX) {
            packShort(buffer, start, length, into);
            return;
        }
        into.idKind = IdKind.LONG;
        into.idHigh = hash(buffer, start, length, secret, MULTIPLIER_1);
        into.idLow = hash(buffer, start, length, ~secret, MULTIPLIER_2);
    }

    private static boolean packHex(ByteBuffer buffer, int start, DecodedEvent into) {
        return packDigits(
                buffer.getLong(start),
                buffer.getLong(start + 8),
                buffer.getLong(start + 16),
                buffer.getLong(start + 24),
                IdKind.HEX,
                into);
    }

    /**
     * Packs four words of eight lower-case hexadecimal digits; returns false, with the event as it was, if they are none. A byte of a packed half has a digit of
     * the first word and one of the second at the same place: that takes a tenth of the instructions that the digits in their order would.
     */
    static boolean packDigits(long a, long b, long c, long d, IdKind kind, DecodedEvent into) {
        long lettersA = (a >>> 6) & LOW_BITS;
        long lettersB = (b >>> 6) & LOW_BITS;
        long lettersC = (c >>> 6) & LOW_BITS;
        long lettersD = (d >>> 6) & LOW_BITS;
        long valuesA = values(a, lettersA);
        long valuesB = values(b, lettersB);
        long valuesC = values(c, lettersC);
        long valuesD = values(d, lettersD);
        long wrong = wrong(valuesA, lettersA)
                | wrong(valuesB, lettersB)
                | wrong(valuesC, lettersC)
                | wrong(valuesD, lettersD);
        if ((wrong & 0xf0f0f0f0f0f0f0f0L) != 0) {
            return false;
        }
        into.idKind = kind;
        into.idHigh = valuesA << 4 | valuesB;
        into.idLow = valuesC << 4 | valuesD;
        return true;
    }

    private static boolean packUuid(ByteBuffer buffer, int start, DecodedEvent into) {
        if (buffer.get(start + 8) != DASH
                || buffer.get(start + 13) != DASH
                || buffer.get(start + 18) != DASH
                || buffer.get(start + 23) != DASH) {
            return false;
        }
        return packDigits(
                buffer.getLong(start),
                join(buffer.getInt(start + 9), buffer.getInt(start + 14)),
                join(buffer.getInt(start + 19), buffer.getInt(start + 24)),
                buffer.getLong(start + 28),
                IdKind.UUID,
                into);
    }

    private static long join(int high, int low) {
        return ((long) high << 32) | (low & 0xffffffffL);
    }

    /** The values of eight lower-case hexadecimal digits, one a byte; 1 in a byte of {@code letters} marks one from a to f. */
    private static long values(long digits, long letters) {
        return digits - (0x30 * LOW_BITS + letters * 0x27);
    }

    /**
     * Bits of which one of the upper four in a byte is set if a byte was no such digit: its value is not within 0 to 15, or a letter's is below
     * 10, or another's is not. The lowest such byte shows it, whatever it borrows from those above.
     */
    private static long wrong(long values, long letters) {
        return values | ((values + 6 * LOW_BITS) ^ (letters << 4));
    }

    /** The 16 digits of a packed half in their order. */
    private static long unzip(long half) {
        return pack8(half >>> 4 & LOW_NIBBLES) << 32 | pack8(half & LOW_NIBBLES);
    }

    /** Packs eight values of four bits, one per byte, into 32 bits. */
    private static long pack8(long values) {
        long pairs = (values | values >>> 4) & 0x00ff00ff00ff00ffL;
        long quads = (pairs | pairs >>> 8) & 0x0000ffff0000ffffL;
        return (quads | quads >>> 16) & 0xffffffffL;
    }

    private static void packShort(ByteBuffer buffer, int start, int length, DecodedEvent into) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < length; i++) {
            long b = buffer.get(start + i) & 0xffL;
            if (i < 8) {
                high |= b << (56 - 8 * i);
            } else {
                low |= b << (56 - 8 * (i - 8));
            }
        }
        into.idKind = length == 0 ? IdKind.EMPTY : IdKind.SHORT;
        into.idHigh = high;
        into.idLow = low | length;
    }

    /** A hash of 64 bits of any text, which differs between two seeds. */
    static long hash(ByteBuffer buffer, int start, int length, long seed) {
        return hash(buffer, start, length, seed, MULTIPLIER_1);
    }

    private static long hash(ByteBuffer buffer, int start, int length, long seed, long multiplier) {
        long h = seed ^ length * multiplier;
        int position = start;
        int end = start + length;
        for (; position + 8 <= end; position += 8) {
            h = mix(h ^ buffer.getLong(position), multiplier);
        }
        for (; position < end; position++) {
            h = mix(h ^ buffer.get(position), multiplier);
        }
        return h;
    }

    private static long mix(long h, long multiplier) {
        long product = h * multiplier;
        return product ^ product >>> 32 ^ Math.multiplyHigh(h, multiplier);
    }

    /** The id of an event as text, for logs and errors; not for the event path. */
    public static String text(DecodedEvent event) {
        return event.idKind == IdKind.LONG
                ? Utf8.read(event.buffer, event.idStart, event.idLength)
                : text(event.idKind, event.idHigh, event.idLow);
    }

    /**
     * The text of an id that two longs hold in full.
     *
     * @throws IllegalArgumentException for {@link IdKind#LONG}, of which they hold only a hash
     */
    public static String text(IdKind kind, long high, long low) {
        return switch (kind) {
            case EMPTY -> "";
            case HEX -> hex(unzip(high)) + hex(unzip(low));
            case UUID -> new java.util.UUID(unzip(high), unzip(low)).toString();
            case SHORT -> shortText(high, low);
            case LONG -> throw new IllegalArgumentException("a long id does not fit into two longs");
        };
    }

    private static String hex(long bits) {
        return HexFormat.of().toHexDigits(bits);
    }

    private static String shortText(long high, long low) {
        byte[] bytes = ByteBuffer.allocate(16).putLong(high).putLong(low).array();
        return new String(bytes, 0, bytes[15], StandardCharsets.UTF_8);
    }
}
