package io.metricsaggregator.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The format of a segment: a sequence of entries {@code length u32 | CRC32C u32 | sequence u64 | payload}, big-endian. The checksum
 * covers length, sequence and payload; the first byte of a payload is its kind.
 */
final class Entries {
    static final int HEAD_BYTES = 16;
    /** Largest payload of an entry: above the largest frame. */
    static final int PAYLOAD_MAX_BYTES = (1 << 30) + 1024;

    /** First entry of each segment: the description of the run, as lines {@code name=value} in UTF-8. */
    static final byte RUN = 'R';
    /** Start of a burst: the monotonic clock in nanoseconds, 8 bytes. */
    static final byte BURST = 'B';
    /** A frame as it was received. */
    static final byte FRAME = 'F';
    /** Monotonic and wall clock (since 1970 UTC) at the same moment, in nanoseconds, 16 bytes. */
    static final byte CLOCK = 'C';

    /** Outage between two processes of a run: wall clock of its start and its end, since 1970 UTC in nanoseconds, 16 bytes. */
    static final byte OUTAGE = 'O';
    /** Number of frames of this run that could not be written, over all its processes: 8 bytes. */
    static final byte MISSED = 'M';

    private Entries() {}

    /** Computes the checksum of an entry; consumes {@code rest}, the payload after its first byte. */
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

    /** Whether the bytes from {@code at} are an entry with the right checksum; the buffer must hold as many as its head says. */
    static boolean isWhole(CRC32C crc, ByteBuffer buffer, int at) {
        int length = buffer.getInt(at);
        int payload = at + HEAD_BYTES;
        return checksum(crc, length, buffer.getLong(at + 8), buffer.get(payload), buffer.slice(payload + 1, length - 1))
                == buffer.getInt(at + 4);
    }
}
