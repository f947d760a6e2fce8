package io.metricsaggregator.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
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
    /** First entry of a segment with packed entries, as {@link #RUN}: a program that does not know it reads none of the segment. */
    static final byte PACKED_RUN = 'p';
    /** {@link #PACKED_RUN} of earlier builds, whose values are all stored. */
    static final byte PACKED_RUN_2 = 'q';
    /** {@link #PACKED_RUN_2} of earlier builds still, whose shapes take each number of eight bytes for a time. */
    static final byte PACKED_RUN_1 = 'r';
    /** A row of bursts and frames with consecutive numbers, the first of which is that of this entry: see {@link PackFormat}. */
    static final byte PACKED = 'P';
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

    /** Whether an entry is the first one of a segment. */
    static boolean isRun(byte kind) {
        return kind == RUN || kind == PACKED_RUN || kind == PACKED_RUN_2 || kind == PACKED_RUN_1;
    }

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

    /**
     * Writes the checksums of the entries that lie whole within a part of a buffer.
     *
     * @param buffer position and limit change
     * @param start where an entry begins
     * @return where the first entry begins that does not; {@code end} if all do
     */
    static int seal(CRC32C crc, ByteBuffer buffer, int start, int end) {
        int at = start;
        while (end - at > HEAD_BYTES) {
            int length = buffer.clear().getInt(at);
            if (length > end - at - HEAD_BYTES) {
                break;
            }
            crc.reset();
            crc.update(buffer.position(at).limit(at + 4));
            crc.update(buffer.clear().position(at + 8).limit(at + HEAD_BYTES + length));
            buffer.putInt(at + 4, (int) crc.getValue());
            at += HEAD_BYTES + length;
        }
        return at;
    }

    /**
     * Whether an entry of the sequence begins within the first {@code end} bytes.
     *
     * @param next the number of the entry at their start
     * @param entryBytes fewest bytes that an entry with a number of its own takes
     */
    static boolean isAnyWithin(CRC32C crc, ByteBuffer buffer, int end, long next, int entryBytes) {
        for (int at = 0; at <= end - HEAD_BYTES - 1; at++) {
            int length = buffer.getInt(at);
            long ahead = buffer.getLong(at + 8) - next;
            // No more entries than this fit in front of it.
            if (length >= 1
                    && length <= end - at - HEAD_BYTES
                    && ahead >= 1
                    && ahead <= 1 + at / entryBytes
                    && isWhole(crc, buffer, at)) {
                return true;
            }
        }
        return false;
    }

    /** Reads the payload of a {@link #RUN} behind its kind; of a name given twice the first value counts. */
    static Map<String, String> description(ByteBuffer payload) {
        Map<String, String> description = new LinkedHashMap<>();
        StandardCharsets.UTF_8.decode(payload).toString().lines().forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                description.putIfAbsent(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        return description;
    }

    /** Whether the bytes from {@code at} are an entry with the right checksum; the buffer must hold as many as its head says. */
    static boolean isWhole(CRC32C crc, ByteBuffer buffer, int at) {
        int length = buffer.getInt(at);
        int payload = at + HEAD_BYTES;
        return checksum(crc, length, buffer.getLong(at + 8), buffer.get(payload), buffer.slice(payload + 1, length - 1))
                == buffer.getInt(at + 4);
    }
}
