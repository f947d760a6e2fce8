package io.metricsaggregator.conformance;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.EventType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A producer case: the steps a producer performs, and how the kit subscribes.
 *
 * @param name the case's name, such as {@code 02_streaming}
 * @param level the lowest level at which the case is run
 * @param description one sentence
 * @param rule the rule that the case judges besides those of every case; null for none. With a rule, records may be missing
 * @param timeoutSeconds maximum time until the command has ended
 * @param subscriber how the kit subscribes
 * @param steps the steps in order
 * @param json the case as one line of JSON, for the producer's standard input
 */
record Script(
        String name,
        Level level,
        String description,
        @Nullable Rule rule,
        long timeoutSeconds,
        Subscriber subscriber,
        List<Step> steps,
        String json) {

    /**
     * How the kit subscribes.
     *
     * @param lateMillis time between the binding of the endpoint and the subscription; 0 to subscribe at once
     * @param pauseAfterRecords number of records after which the kit stops reading; 0 for never
     * @param pauseMillis time without reading
     * @param disconnectAfterRecords number of records after which the kit disconnects; 0 for never
     * @param disconnectMillis time until it connects again
     */
    record Subscriber(
            long lateMillis,
            long pauseAfterRecords,
            long pauseMillis,
            long disconnectAfterRecords,
            long disconnectMillis) {}

    /**
     * One step.
     *
     * @param atMillis its time since session.started
     * @param type the type of its record; null for a flood
     * @param sample the sample's id in the script; empty for none
     * @param samples number of samples of a flood, each issued and completed; 0 for other steps
     * @param fields all keys of the step
     */
    record Step(
            long atMillis,
            @Nullable EventType type,
            String sample,
            long samples,
            Map<String, @Nullable Object> fields) {}

    /**
     * Reads a case.
     *
     * @throws IOException if the file is not a case; the message names the file and the cause
     */
    static Script read(Path file) throws IOException {
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.json$", "");
        try {
            return of(name, JsonTree.read(Files.readAllBytes(file)));
        } catch (MalformedMessageException | IllegalArgumentException e) {
            throw new IOException(file + " is not a producer case: " + e.getMessage(), e);
        }
    }

    private static Script of(String name, Map<String, @Nullable Object> json) {
        Map<?, ?> subscriber = json.get("subscriber") instanceof Map<?, ?> map ? map : Map.of();
        List<Step> steps = new ArrayList<>();
        Set<String> streamed = new HashSet<>();
        if (json.get("steps") instanceof List<?> list) {
            for (Object step : list) {
                steps.add(step(step, streamed));
            }
        }
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("steps are missing");
        }
        return new Script(
                name,
                Level.of((int) number(json, "level", 0)),
                String.valueOf(json.get("description")),
                json.get("rule") instanceof String id ? rule(id) : null,
                number(json, "timeout_s", 30),
                new Subscriber(
                        number(subscriber, "late_ms", 0),
                        number(subscriber, "pause_after_records", 0),
                        number(subscriber, "pause_ms", 0),
                        number(subscriber, "disconnect_after_records", 0),
                        number(subscriber, "disconnect_ms", 0)),
                List.copyOf(steps),
                new String(JsonTree.writeLine(json), StandardCharsets.UTF_8));
    }

    private static Rule rule(String id) {
        for (Rule rule : Rule.values()) {
            if (rule.id().equals(id)) {
                return rule;
            }
        }
        throw new IllegalArgumentException("rule " + id + " is unknown");
    }

    private static Step step(@Nullable Object value, Set<String> streamed) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("a step is not an object");
        }
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        map.forEach((key, field) -> fields.put(String.valueOf(key), field));
        String sample = fields.get("sample") instanceof String id ? id : "";
        String verb = String.valueOf(fields.get("do"));
        EventType type = switch (verb) {
            case "session", "error" -> type(String.valueOf(fields.get("event")));
            case "issue" -> EventType.SAMPLE_ISSUED;
            case "chunk" -> streamed.add(sample) ? EventType.SAMPLE_RECV_FIRST : EventType.SAMPLE_RECV_NON_FIRST;
            case "complete" -> EventType.SAMPLE_COMPLETE;
            case "flood" -> null;
            default -> throw new IllegalArgumentException("step " + verb + " is unknown");
        };
        return new Step(number(map, "at_ms", 0), type, sample, number(map, "samples", 0), fields);
    }

    private static EventType type(String name) {
        for (EventType type : EventType.values()) {
            if (type.wireName().equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException("event " + name + " is unknown");
    }

    private static long number(Map<?, ?> map, String key, long absent) {
        return map.get(key) instanceof Long number ? number : absent;
    }

    /** Number of records that the steps make. */
    long records() {
        return steps.stream()
                .mapToLong(step -> step.type() == null ? 2 * step.samples() : 1)
                .sum();
    }

    /** Number of samples that the steps issue. */
    long samples() {
        return steps.stream()
                .mapToLong(step -> step.type() == EventType.SAMPLE_ISSUED ? 1 : step.samples())
                .sum();
    }

    /** Number of issues by name, which precede every flood. */
    long namedSamples() {
        return steps.stream()
                .filter(step -> step.type() == EventType.SAMPLE_ISSUED)
                .count();
    }
}
