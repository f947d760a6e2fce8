package io.metricsaggregator.flink.journal;

import io.metricsaggregator.journal.JournalReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One entry of a run's journal.
 *
 * @param run folder of the run, as a URI
 * @param position sequence number of the entry: increases within a run, with gaps
 * @param kind what the entry is
 * @param nanos {@code FRAME}: monotonic time of receipt; {@code END}: that of the end; {@code OUTAGE}: its start, wall clock since 1970 UTC; 0 for {@code RUN}
 * @param untilNanos {@code FRAME}, {@code END}: wall clock at {@code nanos}, since 1970 UTC; {@code OUTAGE}: its end on that clock; 0 for {@code RUN}
 * @param bytes {@code FRAME}: topic and payload; {@code RUN}, {@code END}: see {@link #description} and {@link #damage}; never changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record JournalEntry(String run, long position, Kind kind, long nanos, long untilNanos, byte[] bytes) {
    private static final byte[] NOTHING = {};

    /** What an entry is. */
    public enum Kind {
        /** The description of the run: the first entry, at position 0. */
        RUN,
        /** A frame as it was received. */
        FRAME,
        /** The daemon was down between two frames. */
        OUTAGE,
        /** The last entry: what could not be read. */
        END
    }

    /**
     * What of a journal could not be read.
     *
     * @param skippedBytes bytes behind the undamaged prefixes of segments
     * @param tornBytes bytes of entries that a killed process did not finish writing
     * @param missingEntries entries missing from the sequence
     * @param missedFrames frames that the daemon received and could not write
     * @param skippedFrames frames that killed the daemon, and are left out
     */
    public record Damage(
            long skippedBytes, long tornBytes, long missingEntries, long missedFrames, long skippedFrames) {}

    static JournalEntry run(String run, Map<String, String> description) {
        StringBuilder lines = new StringBuilder();
        description.forEach(
                (name, value) -> lines.append(name).append('=').append(value).append('\n'));
        return new JournalEntry(run, 0, Kind.RUN, 0, 0, lines.toString().getBytes(StandardCharsets.UTF_8));
    }

    static JournalEntry frame(String run, long position, long nanos, long wallNanos, byte[] bytes) {
        return new JournalEntry(run, position, Kind.FRAME, nanos, wallNanos, bytes);
    }

    static JournalEntry outage(String run, long position, long fromNanos, long toNanos) {
        return new JournalEntry(run, position, Kind.OUTAGE, fromNanos, toNanos, NOTHING);
    }

    static JournalEntry end(String run, JournalReader reader, long startedWallNanos, long skippedFrames) {
        byte[] counts = ByteBuffer.allocate(5 * Long.BYTES)
                .putLong(reader.skippedBytes())
                .putLong(reader.tornBytes())
                .putLong(reader.missingEntries())
                .putLong(reader.missedFrames())
                .putLong(skippedFrames)
                .array();
        return new JournalEntry(
                run,
                reader.nextSequence(),
                Kind.END,
                reader.clock().endNanos(),
                reader.clock().endWallNanos(startedWallNanos),
                counts);
    }

    /** The settings and the identity of the run, by name; of a {@code RUN} entry. */
    public Map<String, String> description() {
        Map<String, String> description = new LinkedHashMap<>();
        new String(bytes, StandardCharsets.UTF_8).lines().forEach(line -> {
            int equals = line.indexOf('=');
            description.put(line.substring(0, equals), line.substring(equals + 1));
        });
        return description;
    }

    /** What could not be read; of an {@code END} entry. */
    public Damage damage() {
        ByteBuffer counts = ByteBuffer.wrap(bytes);
        return new Damage(counts.getLong(), counts.getLong(), counts.getLong(), counts.getLong(), counts.getLong());
    }
}
