package io.metricsaggregator.conformance;

import io.metricsaggregator.event.EventType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the received records with the steps of a script. A producer may choose its own sample ids: the n-th issued sample is the n-th of
 * the script. One owner at a time.
 */
final class ScriptRules {
    private static final long MILLI = 1_000_000L;
    private static final long PAUSE_MILLIS = 100;
    private static final long TOLERANCE = 20 * MILLI;

    private final Tally tally;
    private final Script script;
    private final Map<EventType, Long> counts = new EnumMap<>(EventType.class);
    private final Set<String> ids = new HashSet<>();
    /** The ids of the producer, in the order of their issue, for the named samples. */
    private final List<String> issued = new ArrayList<>();

    private final Map<String, List<SeenRecord>> kept = new HashMap<>();
    private long records;

    ScriptRules(Tally tally, Script script) {
        this.tally = tally;
        this.script = script;
    }

    void record(SeenRecord record) {
        EventType type = record.type();
        if (type == null) {
            return;
        }
        records++;
        counts.merge(type, 1L, Long::sum);
        String id = record.sample();
        if (!id.isEmpty() && ids.add(id) && issued.size() < script.namedSamples()) {
            issued.add(id);
        }
        if (id.isEmpty() || issued.contains(id)) {
            kept.computeIfAbsent(key(type, id), any -> new ArrayList<>()).add(record);
        }
    }

    private static String key(EventType type, String id) {
        return type.wireName() + " " + id;
    }

    /** Number of well-formed records of the load generator's types. */
    long records() {
        return records;
    }

    /** Compares everything received with the script. */
    void finish() {
        if (script.rule() == null) {
            counts();
            tally.judge(
                    Rule.ID_STABLE,
                    ids.size() == script.samples(),
                    () -> ids.size() + " different values of sample_uuid for " + script.samples() + " samples");
        }
        Map<String, Integer> places = new HashMap<>();
        List<@Nullable SeenRecord> matched = new ArrayList<>();
        for (Script.Step step : script.steps()) {
            SeenRecord record = match(step, places);
            matched.add(record);
            if (record != null && step.type() != null) {
                if (script.rule() == null) {
                    content(step, record);
                }
                extensions(step, record, matched.get(0));
            }
        }
        pauses(matched);
    }

    private void counts() {
        Map<EventType, Long> expected = new EnumMap<>(EventType.class);
        for (Script.Step step : script.steps()) {
            if (step.type() != null) {
                expected.merge(step.type(), 1L, Long::sum);
            } else {
                expected.merge(EventType.SAMPLE_ISSUED, step.samples(), Long::sum);
                expected.merge(EventType.SAMPLE_COMPLETE, step.samples(), Long::sum);
            }
        }
        Set<EventType> types = new HashSet<>(expected.keySet());
        types.addAll(counts.keySet());
        for (EventType type : types) {
            long want = expected.getOrDefault(type, 0L);
            long have = counts.getOrDefault(type, 0L);
            tally.judge(
                    Rule.AS_SCRIPTED, want == have, () -> have + " records " + type.wireName() + " instead of " + want);
        }
    }

    /** The record of a step; null if it was not received. */
    private @Nullable SeenRecord match(Script.Step step, Map<String, Integer> places) {
        if (step.type() == null) {
            return null;
        }
        int place = step.sample().isEmpty() ? -1 : place(step.sample());
        if (place >= issued.size()) {
            return null;
        }
        String key = key(step.type(), place < 0 ? "" : issued.get(place));
        List<SeenRecord> list = kept.getOrDefault(key, List.of());
        int index = places.merge(key, 1, Integer::sum) - 1;
        return index < list.size() ? list.get(index) : null;
    }

    /** The place of a sample among the script's samples, in the order of their issue. */
    private int place(String sample) {
        List<String> order = script.steps().stream()
                .filter(step -> step.type() == EventType.SAMPLE_ISSUED)
                .map(Script.Step::sample)
                .toList();
        return order.indexOf(sample);
    }

    private void content(Script.Step step, SeenRecord record) {
        List<?> data = record.fields().get("data") instanceof List<?> list ? list : List.of();
        equal(step, record, "prompt", at(data, 1));
        // The text of a chunk is optional: the daemon counts tokens in the completion.
        if (!data.isEmpty() || step.type() == EventType.SAMPLE_COMPLETE) {
            equal(step, record, "text", joined(at(data, 1)));
        }
        equal(step, record, "type", at(data, 1));
        equal(step, record, "message", at(data, 2));
        equal(step, record, "finish_reason", record.fields().get("finish_reason"));
        equal(step, record, "conversation", record.fields().get("conversation_id"));
        equal(step, record, "turn", record.fields().get("turn"));
    }

    private static @Nullable Object at(List<?> list, int index) {
        return index < list.size() ? list.get(index) : null;
    }

    private static @Nullable Object joined(@Nullable Object output) {
        if (!(output instanceof List<?> chunks)) {
            return output;
        }
        StringBuilder text = new StringBuilder();
        chunks.forEach(text::append);
        return text.toString();
    }

    private void equal(Script.Step step, SeenRecord record, String key, @Nullable Object have) {
        Object want = step.fields().get(key);
        if (want != null) {
            tally.judge(
                    Rule.AS_SCRIPTED,
                    want.equals(have),
                    () -> record.where() + " has " + key + " '" + have + "' instead of '" + want + "'");
        }
    }

    private void extensions(Script.Step step, SeenRecord record, @Nullable SeenRecord start) {
        Long begin = start == null ? null : start.integer("timestamp_ns");
        if (step.fields().get("scheduled_ms") instanceof Long millis && begin != null) {
            Long scheduled = record.integer("scheduled_ns");
            long want = begin + millis * MILLI;
            tally.judge(
                    Rule.SCHEDULED,
                    scheduled != null && Math.abs(scheduled - want) <= TOLERANCE,
                    () -> record.where()
                            + (scheduled == null
                                    ? " has no scheduled_ns"
                                    : " has a scheduled_ns " + (scheduled - want) / MILLI
                                            + " ms after that of the script"));
        }
        if (step.fields().get("usage") instanceof Map<?, ?> usage) {
            Map<?, ?> have = record.fields().get("usage") instanceof Map<?, ?> map ? map : Map.of();
            for (Map.Entry<?, ?> entry : usage.entrySet()) {
                Object value = have.get(entry.getKey());
                boolean same = entry.getValue() != null && entry.getValue().equals(value);
                // An absent "by" means the server.
                boolean implied = value == null && "server".equals(entry.getValue());
                tally.judge(
                        Rule.USAGE,
                        same || implied,
                        () -> record.where() + " has usage." + entry.getKey() + " " + value + " instead of "
                                + entry.getValue());
            }
        }
    }

    private void pauses(List<@Nullable SeenRecord> matched) {
        for (int i = 1; i < matched.size(); i++) {
            SeenRecord before = matched.get(i - 1);
            SeenRecord after = matched.get(i);
            long pause = (script.steps().get(i).atMillis()
                            - script.steps().get(i - 1).atMillis())
                    * MILLI;
            if (before == null || after == null || pause < PAUSE_MILLIS * MILLI) {
                continue;
            }
            Long from = before.integer("timestamp_ns");
            Long to = after.integer("timestamp_ns");
            if (from == null || to == null) {
                continue;
            }
            long shown = to - from;
            long received = after.receivedNanos() - before.receivedNanos();
            boolean near = Math.abs(shown - pause) <= TOLERANCE;
            // A busy host shifts steps, for the sender and the receiver alike.
            boolean shifted = shown >= pause / 2 && Math.abs(shown - received) <= TOLERANCE;
            tally.judge(
                    Rule.UNSCALED,
                    near || shifted,
                    () -> "a pause of " + pause / MILLI + " ms before " + after.where() + " is " + shown
                            + " ns in timestamp_ns and " + received + " ns between receipts");
        }
    }
}
