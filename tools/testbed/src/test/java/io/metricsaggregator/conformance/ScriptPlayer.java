package io.metricsaggregator.conformance;

import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Performs a script without sockets and time: makes the records of a producer that keeps all rules, each with the time of its step. */
final class ScriptPlayer {
    static final long MILLI = 1_000_000L;
    /** The clock at session.started. */
    static final long ZERO = 5_000_000_000L;

    /** A record before it is encoded, with the time at which it is received. */
    static final class Sent {
        final Map<String, Object> fields;
        long receivedNanos;

        Sent(Map<String, Object> fields, long receivedNanos) {
            this.fields = fields;
            this.receivedNanos = receivedNanos;
        }

        Object get(String key) {
            return fields.get(key);
        }

        boolean is(String type) {
            return type.equals(fields.get("event_type"));
        }

        Sent copy() {
            return new Sent(new LinkedHashMap<>(fields), receivedNanos);
        }
    }

    private ScriptPlayer() {}

    /** A producer's run: records, then frames, then what the runner noticed. */
    static final class Run {
        final List<Sent> records;
        final List<byte[]> frames = new ArrayList<>();
        final List<Long> received = new ArrayList<>();
        final Set<String> lives = new HashSet<>();
        Consumer<ProducerJudge> end = ProducerJudge::goodEnd;

        Run(List<Sent> records) {
            this.records = records;
        }

        Sent first(String type) {
            return records.stream().filter(each -> each.is(type)).findFirst().orElseThrow();
        }

        int place(String type) {
            return records.indexOf(first(type));
        }

        void encode() {
            for (Sent record : records) {
                frames.add(Topic.frame((String) record.get("event_type"), ProducerFaults.msgpack(record.fields)));
                received.add(record.receivedNanos);
            }
        }

        void insert(int place, byte[] frame) {
            frames.add(place, frame);
            received.add(place, received.get(place));
        }

        /** Swaps two records of the same sample, so that the times still increase. */
        void swap(int one, int other) {
            Object time = records.get(one).get("timestamp_ns");
            records.get(one).fields.put("timestamp_ns", records.get(other).get("timestamp_ns"));
            records.get(other).fields.put("timestamp_ns", time);
            long received = records.get(one).receivedNanos;
            records.get(one).receivedNanos = records.get(other).receivedNanos;
            records.get(other).receivedNanos = received;
            Collections.swap(records, one, other);
            renumber();
        }

        void renumber() {
            long number = 0;
            for (Sent record : records) {
                record.fields.put("seq", number++);
            }
        }
    }

    static List<Sent> play(Script script) {
        List<Sent> sent = new ArrayList<>();
        long flood = 0;
        for (Script.Step step : script.steps()) {
            long at = ZERO + step.atMillis() * MILLI;
            EventType type = step.type();
            if (type == null) {
                for (long i = 0; i < step.samples(); i++) {
                    sent.add(record(EventType.SAMPLE_ISSUED, at, "f" + flood, sent.size()));
                    sent.add(record(EventType.SAMPLE_COMPLETE, at, "f" + flood++, sent.size()));
                }
            } else {
                Sent record = record(type, at, step.sample(), sent.size());
                add(record.fields, step);
                sent.add(record);
            }
        }
        return sent;
    }

    private static Sent record(EventType type, long at, String sample, int number) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", type.wireName());
        fields.put("timestamp_ns", at);
        fields.put("sample_uuid", sample);
        fields.put("source_id", "player");
        fields.put("seq", (long) number);
        fields.put("life", 7L);
        return new Sent(fields, at + MILLI);
    }

    private static void add(Map<String, Object> fields, Script.Step step) {
        Map<String, ?> given = step.fields();
        switch (String.valueOf(given.get("do"))) {
            case "issue" -> fields.put("data", list("PromptData", given.get("prompt")));
            case "chunk", "complete" -> {
                if (given.get("text") != null) {
                    fields.put("data", list("TextModelOutput", given.get("text")));
                }
            }
            case "error" -> fields.put("data", list("ErrorData", given.get("type"), given.get("message")));
            default -> {}
        }
        copy(given, "finish_reason", fields, "finish_reason");
        copy(given, "usage", fields, "usage");
        copy(given, "turn", fields, "turn");
        copy(given, "conversation", fields, "conversation_id");
        if (given.get("scheduled_ms") instanceof Long millis) {
            fields.put("scheduled_ns", ZERO + millis * MILLI);
        }
    }

    private static void copy(Map<String, ?> from, String key, Map<String, Object> to, String name) {
        if (from.get(key) != null) {
            to.put(name, from.get(key));
        }
    }

    private static List<Object> list(Object... elements) {
        return new ArrayList<>(List.of(elements));
    }
}
