package io.metricsaggregator.conformance;

import static io.metricsaggregator.conformance.ScriptPlayer.MILLI;
import static io.metricsaggregator.conformance.ScriptPlayer.ZERO;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.conformance.ScriptPlayer.Run;
import io.metricsaggregator.event.frame.ChunkFrameEncoder;
import io.metricsaggregator.event.frame.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Mistakes of producers, at least one for each rule, each made in a run that keeps all other rules. */
final class ProducerFaults {
    private ProducerFaults() {}

    /**
     * A mistake.
     *
     * @param also rules that cannot be kept by a producer that makes it
     */
    record Fault(
            Rule rule, String scenario, String mistake, Consumer<Run> records, Consumer<Run> frames, Set<Rule> also) {}

    static byte[] msgpack(Object value) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(value, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Fault records(Rule rule, String scenario, String mistake, Consumer<Run> change, Rule... also) {
        return new Fault(rule, scenario, mistake, change, run -> {}, Set.of(also));
    }

    private static Fault frames(Rule rule, String scenario, String mistake, Consumer<Run> change) {
        return new Fault(rule, scenario, mistake, run -> {}, change, Set.of());
    }

    /** A malformed record in a batch of its own, beside the right ones. */
    private static Fault extra(Rule rule, String mistake, byte[] record) {
        return frames(rule, "01_minimal", mistake, run -> run.insert(2, batch(record)));
    }

    private static byte[] batch(Object... elements) {
        return Topic.frame(Topic.BATCH, msgpack(List.of(elements)));
    }

    private static Map<String, Object> issue(String key, Object value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", "sample.issued");
        fields.put("timestamp_ns", ZERO);
        fields.put("sample_uuid", "x");
        fields.put(key, value);
        return fields;
    }

    private static byte[] frame(int handle) {
        ChunkFrameEncoder chunks = new ChunkFrameEncoder("player", 7);
        chunks.add(handle, ZERO, null, null);
        return chunks.take(2);
    }

    private static byte[] payload(byte[] frame) {
        return Arrays.copyOfRange(frame, Topic.LENGTH, frame.length);
    }

    private static byte[] join(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /** A map with one more pair than before. */
    private static byte[] repeated(byte[] map, String key, Object value) {
        byte[] longer = join(map, join(msgpack(key), msgpack(value)));
        longer[0]++;
        return longer;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static final String WATCH = "watch 02_streaming";
    static final String FLOOD = "flood";

    private static List<Fault> wire() {
        return List.of(
                records(
                        Rule.COMMAND_ENDS,
                        "01_minimal",
                        "it does not end",
                        run -> run.end = judge -> judge.badEnd("x")),
                frames(Rule.ONE_FRAME, "01_minimal", "multipart", run -> {
                    byte[] payload = payload(run.frames.get(2));
                    run.frames.set(2, Topic.pad("sample.issued"));
                    run.insert(3, payload);
                }),
                frames(
                        Rule.TOPIC_PADDED,
                        "01_minimal",
                        "no padding",
                        run -> run.frames.set(2, join(ascii("sample.issued"), payload(run.frames.get(2))))),
                frames(
                        Rule.TOPIC_PADDED,
                        "01_minimal",
                        "spaces",
                        run -> run.frames.set(
                                2, join(ascii(String.format("%-40s", "sample.issued")), payload(run.frames.get(2))))),
                frames(
                        Rule.TOPIC_KNOWN,
                        "01_minimal",
                        "a misspelt topic",
                        run -> run.frames.set(2, Topic.frame("sample.issue", payload(run.frames.get(2))))),
                frames(
                        Rule.TOPIC_MATCHES,
                        "01_minimal",
                        "another topic",
                        run -> run.frames.set(2, Topic.frame("sample.complete", payload(run.frames.get(2))))),
                frames(
                        Rule.BATCH_FORM,
                        "01_minimal",
                        "maps in a batch",
                        run -> run.frames.set(2, batch(run.records.get(2).fields))),
                frames(
                        Rule.BATCH_FORM,
                        "01_minimal",
                        "bytes after a batch",
                        run -> run.frames.set(2, join(batch(payload(run.frames.get(2))), new byte[8]))),
                frames(Rule.BATCH_FILLED, "01_minimal", "an empty batch", run -> run.insert(2, batch())),
                frames(
                        Rule.BATCH_FILLED,
                        "01_minimal",
                        "an empty element",
                        run -> run.frames.set(2, batch(payload(run.frames.get(2)), new byte[0]))),
                extra(Rule.RECORD_MAP, "an array", msgpack(List.of("sample.issued", ZERO))),
                extra(Rule.RECORD_MAP, "the whole buffer", join(msgpack(issue("turn", 1L)), new byte[16])),
                extra(Rule.EVENT_TYPE, "an unknown type", msgpack(issue("event_type", "sample.issue"))),
                extra(Rule.EVENT_TYPE, "no type", msgpack(Map.of("timestamp_ns", ZERO))),
                extra(Rule.TIMESTAMP_INTEGER, "a float", msgpack(issue("timestamp_ns", 1e15))),
                extra(Rule.KEY_TYPES, "an id as bin", msgpack(issue("sample_uuid", new byte[] {'x'}))),
                extra(Rule.KEY_TYPES, "data as a map", msgpack(issue("data", Map.of("text", "x")))),
                records(
                        Rule.KEY_TYPES,
                        "08 without a script",
                        "scheduled_ns as text",
                        run -> run.records.get(3).fields.put("scheduled_ns", "soon")),
                frames(
                        Rule.KEYS_UNIQUE,
                        "01_minimal",
                        "a key twice",
                        run -> run.frames.set(
                                2, Topic.frame("sample.issued", repeated(payload(run.frames.get(2)), "life", 7L)))),
                records(
                        Rule.SAMPLE_ID,
                        WATCH,
                        "an empty id",
                        run -> run.first("sample.recv_non_first").fields.put("sample_uuid", "")),
                records(
                        Rule.ID_STABLE,
                        "01_minimal",
                        "another id at the end",
                        run -> run.first("sample.complete").fields.put("sample_uuid", "other"),
                        Rule.ISSUED_FIRST));
    }

    private static List<Fault> life() {
        return List.of(
                records(Rule.STARTED_FIRST, "01_minimal", "tracking first", run -> run.swap(0, 1)),
                records(
                        Rule.ENDED_LAST,
                        "01_minimal",
                        "a record after the end",
                        run -> run.swap(run.records.size() - 2, run.records.size() - 1)),
                records(Rule.TRACKED, WATCH, "no tracking", run -> {
                    run.records.remove(run.place("session.start_performance_tracking"));
                    run.renumber();
                }),
                records(
                        Rule.ISSUED_FIRST,
                        "02_streaming",
                        "the issue after the first chunk",
                        run -> run.swap(run.place("sample.issued"), run.place("sample.recv_first"))),
                records(Rule.ISSUED_ONCE, WATCH, "two issues", run -> {
                    run.records.add(3, run.first("sample.issued").copy());
                    run.renumber();
                }),
                records(
                        Rule.ONE_RECV_FIRST,
                        WATCH,
                        "two first chunks",
                        run -> run.first("sample.recv_non_first").fields.put("event_type", "sample.recv_first")),
                records(
                        Rule.RECV_FIRST_FIRST,
                        WATCH,
                        "no first chunk",
                        run -> run.first("sample.recv_first").fields.put("event_type", "sample.recv_non_first")),
                records(
                        Rule.ERROR_FIRST,
                        "04_errors",
                        "the error after the end",
                        run -> run.swap(run.place("error.client"), run.place("error.client") + 1)),
                records(
                        Rule.NOTHING_AFTER,
                        "02_streaming",
                        "a chunk after the end",
                        run -> run.swap(run.place("sample.complete") - 1, run.place("sample.complete"))),
                records(
                        Rule.FINISH_REASON,
                        WATCH,
                        "a reason of the server",
                        run -> run.first("sample.complete").fields.put("finish_reason", "eos_token")),
                records(
                        Rule.AS_SCRIPTED,
                        "01_minimal",
                        "another prompt",
                        run -> run.first("sample.issued").fields.put("data", List.of("PromptData", "What?"))),
                records(Rule.AS_SCRIPTED, "02_streaming", "a chunk missing", run -> {
                    run.records.remove(run.place("sample.recv_non_first"));
                    run.renumber();
                }));
    }

    private static void times(Run run, java.util.function.LongUnaryOperator change) {
        run.records.forEach(
                each -> each.fields.put("timestamp_ns", change.applyAsLong((Long) each.get("timestamp_ns"))));
    }

    private static List<Fault> time() {
        return List.of(
                records(
                        Rule.TIME_PRESENT,
                        "01_minimal",
                        "no time",
                        run -> run.first("sample.issued").fields.remove("timestamp_ns")),
                records(
                        Rule.NOT_EPOCH,
                        "01_minimal",
                        "the wall clock",
                        run -> times(run, time -> time + 1_790_000_000_000_000_000L)),
                records(
                        Rule.MONOTONIC_CLOCK,
                        "01_minimal",
                        "since the start",
                        run -> times(run, time -> time - ZERO + 1)),
                records(Rule.MONOTONIC_CLOCK, "01_minimal", "microseconds", run -> times(run, time -> time / 1000)),
                records(
                        Rule.MONOTONIC_CLOCK,
                        "01_minimal",
                        "the future",
                        run -> run.first("sample.issued")
                                .fields
                                .compute("timestamp_ns", (key, time) -> (Long) time + 8 * MILLI)),
                records(
                        Rule.NOT_DECREASING,
                        "02_streaming",
                        "a chunk before another",
                        run -> run.first("sample.recv_non_first")
                                .fields
                                .compute("timestamp_ns", (key, time) -> (Long) time - 15 * MILLI)),
                records(
                        Rule.UNSCALED,
                        "05_pauses",
                        "half as fast",
                        run -> times(run, time -> ZERO + (time - ZERO) / 2)),
                records(
                        Rule.UNSCALED,
                        "05_pauses",
                        "one time for a batch",
                        run -> run.records
                                .get(3)
                                .fields
                                .put("timestamp_ns", run.records.get(2).get("timestamp_ns"))));
    }

    private static List<Fault> lossAndOurs() {
        return List.of(
                records(
                        Rule.CHUNKS,
                        "02_streaming",
                        "a handle on a later chunk",
                        run -> run.first("sample.recv_non_first").fields.put("handle", 3L)),
                frames(
                        Rule.CHUNKS,
                        "02_streaming",
                        "a frame of chunks without columns",
                        run -> run.insert(2, Topic.frame(Topic.CHUNKS, msgpack(List.of(1L, "player", 7L, 2L))))),
                frames(
                        Rule.CHUNKS,
                        "02_streaming",
                        "a handle that was not given",
                        run -> run.insert(2, Topic.frame(Topic.CHUNKS, frame(5)))),
                records(
                        Rule.WAITS,
                        "06_late_subscriber",
                        "it does not wait",
                        run -> run.records.subList(0, 3).clear()),
                records(Rule.NONE_OR_TOLD, FLOOD, "drops without gaps in seq", run -> {
                    run.records.subList(20, 30).clear();
                    run.renumber();
                }),
                records(
                        Rule.LINGER,
                        "08 as exit",
                        "the end is cut off",
                        run -> run.records
                                .subList(run.records.size() - 3, run.records.size())
                                .clear()),
                records(
                        Rule.RECONNECT,
                        "08_reconnect",
                        "nothing after the interruption",
                        run -> run.end = judge -> {
                            judge.goodEnd();
                            judge.reconnected();
                        }),
                records(
                        Rule.SEQ,
                        "01_minimal",
                        "a gap",
                        run -> run.records
                                .subList(3, run.records.size())
                                .forEach(each -> each.fields.compute("seq", (key, number) -> (Long) number + 1))),
                records(
                        Rule.SEQ,
                        "01_minimal",
                        "no number",
                        run -> run.records.get(run.records.size() - 1).fields.remove("seq")),
                records(
                        Rule.SOURCE,
                        "01_minimal",
                        "no life",
                        run -> run.records.forEach(each -> each.fields.remove("life"))),
                records(Rule.LIFE_UNIQUE, "01_minimal", "the same life twice", run -> run.lives.add("player\n7")),
                records(
                        Rule.SCHEDULED,
                        "10_extensions",
                        "the issue as schedule",
                        run -> run.first("sample.issued")
                                .fields
                                .compute("scheduled_ns", (key, time) -> (Long) time + 30 * MILLI)),
                records(
                        Rule.SCHEDULED,
                        "10_extensions",
                        "a schedule on the end",
                        run -> run.first("sample.complete").fields.put("scheduled_ns", ZERO)),
                usage("a float", "prompt_tokens", 3.0),
                usage("another count", "prompt_tokens", 4L),
                usage("more cached than there are", "cached_tokens", 4L),
                usage("an unknown counter", "by", "guess"),
                usage("steps without drafts", "spec_histogram", List.of(1L)),
                usage("a step below 0", "spec_histogram", List.of(1L, -1L)),
                usage("a histogram in words", "spec_histogram", "1"),
                server("a negative time", "queue_ns", -1L),
                server("milliseconds as a real", "ttft_ns", 85.2),
                server("another source", "source", "guess"),
                server("a long name", "decode_node", "x".repeat(65)),
                records(
                        Rule.SERVER,
                        "10_extensions",
                        "server times of an issue",
                        run -> run.first("sample.issued").fields.put("server", Map.of("queue_ns", 1L))));
    }

    private static Fault server(String mistake, String key, Object value) {
        return records(
                Rule.SERVER,
                "10_extensions",
                mistake,
                run -> run.first("sample.complete").fields.put("server", Map.of(key, value)));
    }

    private static Fault usage(String mistake, String key, Object value) {
        return records(Rule.USAGE, "10_extensions", mistake, run -> {
            var usage = new LinkedHashMap<Object, Object>(
                    (Map<?, ?>) run.first("sample.complete").get("usage"));
            usage.put(key, value);
            run.first("sample.complete").fields.put("usage", usage);
        });
    }

    static List<Fault> all() {
        return Stream.of(wire(), life(), time(), lossAndOurs())
                .flatMap(List::stream)
                .toList();
    }
}
