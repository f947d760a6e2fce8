package io.metricsaggregator.fold;

import io.metricsaggregator.event.ChunkPart;
import io.metricsaggregator.event.ErrorData;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.ModelText;
import io.metricsaggregator.event.PromptData;
import io.metricsaggregator.event.TextModelOutput;
import io.metricsaggregator.event.Usage;
import io.metricsaggregator.event.UsageKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Events of a run in any order: samples issued twice and never, times up to two seconds back, long ids, windows without end, many kinds of error. */
final class EventSoup {
    private static final long SECOND = 1_000_000_000L;

    private final Random random;
    private final int samples;
    private final boolean conversations;
    private long now = 1_000 * SECOND;

    EventSoup(Random random) {
        this.random = random;
        this.samples = 1 + random.nextInt(60);
        this.conversations = random.nextInt(4) == 0;
    }

    /** Whether some samples belong to conversations. */
    boolean hasConversations() {
        return conversations;
    }

    /** A run that begins as runs do, and may then do anything; null stands for a record that is torn. */
    List<EventRecord> events(int count) {
        List<EventRecord> events = new ArrayList<>();
        if (random.nextInt(5) > 0) {
            events.add(session(EventType.SESSION_STARTED));
            events.add(session(EventType.SESSION_START_PERFORMANCE_TRACKING));
            // The folds of optional keys begin with the first sample that has them.
            events.add(issued("first"));
            events.add(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, now, "first")
                    .withPart(ChunkPart.OUTPUT)
                    .withTokens(2));
            events.add(EventRecord.sample(EventType.SAMPLE_COMPLETE, now + 5, "first")
                    .withUsage(Usage.of(7, 3)));
        }
        for (int i = 0; i < count; i++) {
            now += random.nextInt(50) == 0 ? random.nextLong(20 * SECOND) : random.nextLong(SECOND / 20);
            events.add(random.nextInt(60) == 0 ? null : next());
        }
        return events;
    }

    private long time() {
        return switch (random.nextInt(60)) {
            case 0, 1, 2, 3, 4, 5 -> now - random.nextLong(2 * SECOND);
            case 6 -> random.nextInt(10) == 0 ? random.nextLong() : now;
            default -> now;
        };
    }

    private EventRecord session(EventType type) {
        return EventRecord.session(type, time());
    }

    private String id() {
        int sample = random.nextInt(samples);
        return switch (sample % 5) {
            case 0 -> "s" + sample;
            case 1 -> String.format("%032x", sample);
            case 2 -> "00000000-0000-4000-8000-" + String.format("%012x", sample);
            case 3 -> "a sample with an id that two longs do not hold, number " + sample;
            default -> random.nextInt(8) == 0 ? "" : "sample " + sample;
        };
    }

    private EventRecord next() {
        return switch (random.nextInt(100)) {
            case 0 -> session(EventType.SESSION_STARTED);
            case 1, 2, 3 -> session(EventType.SESSION_START_PERFORMANCE_TRACKING);
            case 4, 5 -> session(EventType.SESSION_STOP_PERFORMANCE_TRACKING);
            case 6 -> session(random.nextInt(4) == 0 ? EventType.SESSION_INTERRUPTED : EventType.SESSION_PHASE_START);
            case 7 -> session(random.nextInt(12) == 0 ? EventType.SESSION_ENDED : EventType.SESSION_STOP_LOADGEN);
            case 8, 9, 10, 11, 12, 13, 14 -> error();
            case 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35 -> issued(id());
            case 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55 ->
                chunk(EventType.SAMPLE_RECV_FIRST);
            case 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78 ->
                chunk(EventType.SAMPLE_RECV_NON_FIRST);
            default -> completed();
        };
    }

    private EventRecord error() {
        EventType[] types = {
            EventType.ERROR_GENERIC, EventType.ERROR_LOADGEN, EventType.ERROR_SESSION, EventType.ERROR_CLIENT
        };
        return EventRecord.sample(types[random.nextInt(types.length)], time(), id())
                .withData(new ErrorData("kind " + random.nextInt(120), "message " + random.nextInt(5)));
    }

    private EventRecord issued(String id) {
        EventRecord event = new EventRecord(
                EventType.SAMPLE_ISSUED,
                time(),
                id,
                conversations && random.nextInt(6) == 0 ? "conversation " + random.nextInt(3) : "",
                null,
                random.nextInt(3) == 0
                        ? PromptData.ofTokenIds(Collections.nCopies(random.nextInt(400), 7L))
                        : PromptData.ofText("prompt"),
                null,
                random.nextInt(2) == 0 ? (Long) random.nextLong(45) : null,
                null,
                random.nextInt(3) == 0 ? (Long) (now - random.nextLong(SECOND)) : null);
        return random.nextInt(2) == 0
                ? event
                : event.withLabels(Map.of(
                        "endpoint",
                        "host " + random.nextInt(45),
                        "key " + random.nextInt(11),
                        "value " + random.nextInt(3)));
    }

    private EventRecord chunk(EventType type) {
        EventRecord event = EventRecord.sample(type, time(), id());
        if (random.nextInt(3) == 0) {
            event = event.withPart(ChunkPart.values()[random.nextInt(ChunkPart.values().length)]);
        }
        return random.nextInt(3) == 0 ? event.withTokens(random.nextInt(9)) : event;
    }

    private EventRecord completed() {
        EventRecord event = EventRecord.sample(EventType.SAMPLE_COMPLETE, time(), id());
        if (random.nextInt(2) == 0) {
            event = event.withData(new TextModelOutput(new ModelText.Whole("text"), null, null));
        }
        if (random.nextInt(2) == 0) {
            event = event.withFinishReason(random.nextBoolean() ? "stop" : "whatever");
        }
        return random.nextInt(2) == 0
                ? event
                : event.withUsage(Usage.of(100 + random.nextInt(900), random.nextInt(90))
                        .with(UsageKey.CACHED_TOKENS, random.nextInt(100)));
    }
}
