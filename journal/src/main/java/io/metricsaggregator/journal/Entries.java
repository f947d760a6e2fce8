package io.metricsaggregator.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The form of a segment: entries, one after the other, each {@code length u32 | CRC32C u32 | sequence u64 | payload}, big-endian.
 * The checksum is over length, sequence and payload; the first byte of a payload says what it is.
 */
final class Entries {
    static final int HEAD_BYTES = 16;
    /** As much as a frame may have, and some more. */
    static final int PAYLOAD_MAX_BYTES = (1 << 30) + 1024;

    /** The first entry of a segment: what run it is of, as lines {@code name=value} in UTF-8. */
    static final byte RUN = 'R';
    /** A read burst begins: the monotonic clock in nanoseconds, 8 bytes. */
    static final byte BURST = 'B';
    /** A frame as it was received. */
    static final byte FRAME = 'F';
    /** The monotonic clock and the wall clock (since 1970 UTC) at one moment, both in nanoseconds, 16 bytes. */
    static final byte CLOCK = 'C';

    /** The process that wrote what is before this died, and another resumed: both wall-clock times since 1970 UTC in nanoseconds, 16 bytes. */
    static final byte OUTAGE = 'O';
    /** Frames of this run that could not be written so far, over all its processes: 8 bytes. */
    static final byte MISSED = 'M';

    private Entries() {}

    /** The checksum of an entry with a payload of that kind and rest, which is read to its end. */
    static int checksum(CRC32C crc, int length, long sequence, byte kind, ByteBuffer rest) {
        crc.reset();
        for (int shift = 24; shift >= 0; shift -= 8) {
            crc.update(length >>> shift);
        }
        for (int shift = 56; shift >= 0; shift -= 8) {
            crc.update((int) (sequence >>> shift));
        }
        crc.update(kind);
        crc.update(rest);
        return (int) crc.getValue();
    }
}
