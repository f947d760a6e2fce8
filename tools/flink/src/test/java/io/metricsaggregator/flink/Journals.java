package io.metricsaggregator.flink;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.producer.SyntheticLoad;
import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes journals as a daemon would have recorded them. */
public final class Journals {
    private static final long STARTED_WALL_NANOS = 1_790_000_000_000_000_000L;
    private static final long SEGMENT_BYTES = 1 << 15;
    private static final int FRAMES_PER_BURST = 16;

    private Journals() {}

    /** Names of the golden cases of the load generator's events. */
    public static List<String> goldenNames() throws IOException {
        try (Stream<Path> folders =
                Files.list(Path.of(System.getProperty("golden.dir", "../../quality/golden"), "endpoints"))) {
            return folders.filter(each -> Files.exists(each.resolve("frames.bin")))
                    .map(each -> each.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** Writes the frames of a golden case as a finished run below {@code directory}; returns the run's folder. */
    public static Path golden(String name, Path directory) throws IOException {
        GoldenCase golden = new GoldenCase(name);
        RunConfig config = RunConfig.builder()
                .version("test")
                .streaming(golden.streaming() ? Streaming.ON : Streaming.OFF)
                .earlyStopping(golden.earlyStopping())
                .build();
        return write(directory, "golden-" + name.replace('_', '-'), config, golden.frames(), true);
    }

    /** A load of some seconds with answers in chunks, errors and a warm-up. */
    public static SyntheticLoad.Shape shape(long seed, double seconds, boolean optionalKeys) {
        return new SyntheticLoad.Shape(
                40, (long) (seconds * 1e9), 1_000_000_000L, true, 0.05, 4, 12, 40, 8, seed, optionalKeys);
    }

    /** Writes a synthetic run below {@code directory}, finished or not; returns the run's folder. */
    public static Path synthetic(String id, SyntheticLoad.Shape shape, Path directory, boolean isDone)
            throws IOException {
        RunConfig config = RunConfig.builder().version("test").build();
        return write(directory, id, config, frames(shape), isDone);
    }

    /** The frames of a synthetic load. */
    public static List<ByteBuffer> frames(SyntheticLoad.Shape shape) {
        SyntheticLoad load = new SyntheticLoad(shape, 1_000_000_000_000L + shape.seed());
        EventEncoder encoder = new EventEncoder();
        List<ByteBuffer> frames = new ArrayList<>();
        for (EventRecord event = load.next(); event != null; event = load.next()) {
            frames.add(ByteBuffer.wrap(Topic.frame(event.type().wireName(), encoder.encode(event))));
        }
        return frames;
    }

    /** Ids of every kind in turn: as the load makes them, UUIDs, up to 15 bytes, and longer than any other kind. */
    public static List<ByteBuffer> framesWithIdsOfEveryKind(SyntheticLoad.Shape shape) {
        SyntheticLoad load = new SyntheticLoad(shape, 1_000_000_000_000L + shape.seed());
        EventEncoder encoder = new EventEncoder();
        List<ByteBuffer> frames = new ArrayList<>();
        for (EventRecord event = load.next(); event != null; event = load.next()) {
            EventRecord renamed = event.sampleUuid().isEmpty() ? event : withId(event, id(event.sampleUuid()));
            frames.add(ByteBuffer.wrap(Topic.frame(event.type().wireName(), encoder.encode(renamed))));
        }
        return frames;
    }

    private static String id(String hexadecimal) {
        return switch (hexadecimal.charAt(0) % 4) {
            case 0 -> hexadecimal;
            case 1 -> hexadecimal.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
            case 2 -> hexadecimal.substring(0, 15);
            default -> "request/" + hexadecimal.repeat(4) + "/of a tenant with a long name";
        };
    }

    private static EventRecord withId(EventRecord of, String id) {
        return new EventRecord(
                of.type(),
                of.timestampNanos(),
                id,
                of.conversationId(),
                of.turn(),
                of.data(),
                of.finishReason(),
                of.workerId(),
                of.sequence(),
                of.scheduledNanos(),
                of.life(),
                of.optional());
    }

    /** Writes frames as a run: a burst of {@value #FRAMES_PER_BURST} frames each millisecond. */
    public static Path write(Path directory, String id, RunConfig config, List<ByteBuffer> frames, boolean isDone)
            throws IOException {
        Path folder = JournalDirectory.open(directory).create(id, STARTED_WALL_NANOS);
        Map<String, String> description = new LinkedHashMap<>(RunConfigCodec.encode(config));
        description.put("run_id", id);
        description.put("started_wall_ns", Long.toString(STARTED_WALL_NANOS));
        description.put("id_secret", "1234567890abcdef");
        description.put("environment.host", "test");
        long nanos = 5_000_000_000L;
        try (JournalWriter writer = new JournalWriter(folder, description, 1, 0, SEGMENT_BYTES, -1)) {
            writer.wallClock(at -> STARTED_WALL_NANOS + at);
            int inBurst = 0;
            for (ByteBuffer frame : frames) {
                writer.frame(frame, frame.position(), frame.remaining(), nanos);
                if (++inBurst == FRAMES_PER_BURST) {
                    writer.endBurst(nanos);
                    nanos += 1_000_000;
                    inBurst = 0;
                }
            }
            writer.endBurst(nanos);
            if (isDone) {
                writer.end(nanos, STARTED_WALL_NANOS + nanos);
            }
        }
        if (isDone) {
            JournalDirectory.finish(folder);
        }
        return folder;
    }
}
