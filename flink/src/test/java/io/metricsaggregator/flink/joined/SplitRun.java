package io.metricsaggregator.flink.joined;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.Topic;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the frames of a run, one record each, as the journals of several nodes whose clocks differ. */
final class SplitRun {
    private static final long WALL_NANOS = 1_790_000_000_000_000_000L;
    private static final byte[] TIMESTAMP = "timestamp_ns".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SCHEDULED = "scheduled_ns".getBytes(StandardCharsets.US_ASCII);
    private static final byte UINT_64 = (byte) 0xcf;

    private SplitRun() {}

    /**
     * Writes a journal.
     *
     * @param node name of the node; null for a journal of a version that recorded neither node nor clock
     * @param behindNanos how far the clock of the node is behind that of {@code frames}
     */
    static Path write(
            Path directory,
            String id,
            @Nullable String node,
            long behindNanos,
            RunConfig config,
            List<ByteBuffer> frames)
            throws IOException {
        Path folder = JournalDirectory.open(directory).create(id, WALL_NANOS);
        Map<String, String> description = new LinkedHashMap<>(RunConfigCodec.encode(config));
        description.put("run_id", id);
        description.put("started_wall_ns", Long.toString(WALL_NANOS));
        if (node != null) {
            description.put("node", node);
            description.put("started_mono_ns", Long.toString(5_000_000_000L - behindNanos));
            description.put("wall_offset_uncertainty_ns", "40");
        }
        description.put("id_secret", "1234567890abcdef");
        try (JournalWriter writer = new JournalWriter(folder, description, 1, 0, 1 << 20, -1)) {
            long nanos = 0;
            for (ByteBuffer each : frames) {
                byte[] frame = shifted(each, -behindNanos);
                nanos = Math.max(nanos, time(frame, TIMESTAMP));
                writer.frame(ByteBuffer.wrap(frame), 0, frame.length, nanos);
                writer.endBurst(nanos);
            }
            writer.end(nanos, WALL_NANOS);
        }
        JournalDirectory.finish(folder);
        return folder;
    }

    /** A copy of a frame whose times are later. */
    static byte[] shifted(ByteBuffer frame, long nanos) {
        byte[] bytes = new byte[frame.remaining()];
        frame.duplicate().get(bytes);
        for (byte[] key : List.of(TIMESTAMP, SCHEDULED)) {
            int at = place(bytes, key);
            if (at >= 0) {
                ByteBuffer.wrap(bytes).putLong(at, time(bytes, key) + nanos);
            }
        }
        return bytes;
    }

    /** The frames with their times rounded down, in the order in which a joined run has them. */
    static List<ByteBuffer> rounded(List<ByteBuffer> frames, long nanos) {
        List<ByteBuffer> rounded = new ArrayList<>();
        for (ByteBuffer each : frames) {
            byte[] frame = shifted(each, 0);
            ByteBuffer.wrap(frame).putLong(place(frame, TIMESTAMP), time(frame, TIMESTAMP) / nanos * nanos);
            rounded.add(ByteBuffer.wrap(frame));
        }
        rounded.sort(Comparator.<ByteBuffer>comparingLong(each -> time(each.array(), TIMESTAMP))
                .thenComparingInt(SplitRun::rank));
        return rounded;
    }

    private static byte rank(ByteBuffer frame) {
        DecodedEvent event = new DecodedEvent();
        new EventDecoder().decode(frame, Topic.LENGTH, frame.capacity() - Topic.LENGTH, event);
        return NodeRecord.rank(event.type());
    }

    /** The time of a frame's record in nanoseconds. */
    static long time(ByteBuffer frame) {
        return time(shifted(frame, 0), TIMESTAMP);
    }

    private static long time(byte[] frame, byte[] key) {
        return ByteBuffer.wrap(frame).getLong(place(frame, key));
    }

    /** Place of the 8 bytes of a time; −1 if the frame has none. */
    private static int place(byte[] frame, byte[] key) {
        for (int at = 40; at + key.length + 9 <= frame.length; at++) {
            int same = 0;
            while (same < key.length && frame[at + same] == key[same]) {
                same++;
            }
            if (same == key.length && frame[at + key.length] == UINT_64) {
                return at + key.length + 1;
            }
        }
        return -1;
    }

    /** The frames whose topic begins with one of the given texts, or with none of them. */
    static List<ByteBuffer> of(List<ByteBuffer> frames, boolean matching, String... types) {
        List<ByteBuffer> chosen = new ArrayList<>();
        for (ByteBuffer each : frames) {
            String topic = StandardCharsets.US_ASCII
                    .decode(each.duplicate().limit(each.position() + 40))
                    .toString();
            boolean matches = false;
            for (String type : types) {
                matches |= topic.startsWith(type);
            }
            if (matches == matching) {
                chosen.add(each);
            }
        }
        return chosen;
    }
}
