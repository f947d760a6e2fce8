package io.metricsaggregator.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventRecordCodec;
import io.metricsaggregator.event.Malformation;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The vectors, which msgspec and a packer in Python wrote, against this project's codec. */
class VectorsTest {
    /** Keys that the object form of a record does not hold, so that its encoding lacks them. */
    private static final Set<String> NOT_HELD = Set.of("source_id", "usage");

    private static List<?> vectors(String name) throws IOException {
        try (Suite kit = Suite.open(null)) {
            Map<String, ?> document = JsonTree.read(Files.readAllBytes(kit.file("vectors/" + name + ".json")));
            return (List<?>) document.get(name);
        }
    }

    private static ByteBuffer bytes(Object hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex((String) hex));
    }

    private static DynamicTest test(Map<?, ?> vector, org.junit.jupiter.api.function.Executable body) {
        return DynamicTest.dynamicTest((String) vector.get("name"), body);
    }

    private static Stream<Map<?, ?>> maps(List<?> list) {
        return list.stream().map(each -> (Map<?, ?>) each);
    }

    @TestFactory
    Stream<DynamicTest> every_legal_encoding_decodes_to_the_same_record() throws IOException {
        List<?> records = vectors("records");
        assertThat(records).hasSizeGreaterThan(20);
        return maps(records)
                .map(vector -> test(vector, () -> {
                    EventRecordCodec codec = new EventRecordCodec();
                    EventRecord record = codec.decode(bytes(vector.get("canonical")));
                    assertThat((List<?>) vector.get("other")).hasSizeGreaterThan(5);
                    for (Object other : (List<?>) vector.get("other")) {
                        Map<?, ?> form = (Map<?, ?>) other;
                        assertThat(codec.decode(bytes(form.get("hex"))))
                                .as("%s", form.get("how"))
                                .isEqualTo(record);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> the_canonical_bytes_have_the_value_and_are_what_our_encoder_writes() throws IOException {
        return maps(vectors("records"))
                .map(vector -> test(vector, () -> {
                    Map<?, ?> value = (Map<?, ?>) vector.get("value");
                    Object tree = new MsgpackTree().read(bytes(vector.get("canonical")));
                    assertThat(tag(tree)).isEqualTo(value);
                    if (value.keySet().stream().noneMatch(NOT_HELD::contains)) {
                        EventRecordCodec codec = new EventRecordCodec();
                        byte[] encoded = codec.encode(codec.decode(bytes(vector.get("canonical"))));
                        assertThat(HexFormat.of().formatHex(encoded)).isEqualTo(vector.get("canonical"));
                    }
                }));
    }

    private static Object tag(Object value) {
        if (value instanceof Number number) {
            return Map.of(number instanceof Double ? "$float" : "$int", number.toString());
        }
        if (value instanceof List<?> list) {
            return list.stream().map(VectorsTest::tag).collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> tagged = new LinkedHashMap<>();
            map.forEach((key, each) -> tagged.put(key, tag(each)));
            return tagged;
        }
        return value;
    }

    @TestFactory
    Stream<DynamicTest> every_invalid_record_is_rejected_with_the_documented_reason() throws IOException {
        return maps(vectors("invalid"))
                .map(vector -> test(vector, () -> {
                    ByteBuffer record = bytes(vector.get("hex"));
                    Malformation wrong = new EventDecoder().decode(record, 0, record.capacity(), new DecodedEvent());
                    assertThat(wrong).isNotNull();
                    assertThat(wrong.reason()).isEqualTo(vector.get("reason"));
                }));
    }

    @Test
    void the_invalid_records_cover_every_reason() throws IOException {
        assertThat(maps(vectors("invalid"))
                        .map(vector -> String.valueOf(vector.get("reason")))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(Stream.of(Malformation.values())
                        .map(Malformation::reason)
                        .toList());
    }

    @TestFactory
    Stream<DynamicTest> frames_hold_the_listed_records() throws IOException {
        return maps(vectors("frames"))
                .map(vector -> test(vector, () -> {
                    ByteBuffer frame = bytes(vector.get("hex"));
                    List<Map<?, ?>> found = new ArrayList<>();
                    Tally tally = new Tally();
                    new FrameReader(tally, record -> found.add(record.fields())).frame(frame, 0, frame.capacity(), 0);
                    String counter = (String) vector.get("counter");
                    // Of a malformed frame the kit reads what it can, so as to judge the rest of its rules; a consumer
                    // must drop it.
                    if (!counter.contains("malformed")) {
                        List<Object> expected = new ArrayList<>();
                        for (Object record : (List<?>) vector.get("records")) {
                            expected.add(new MsgpackTree().read(bytes(record)));
                        }
                        assertThat(found).isEqualTo(expected);
                    }
                    assertThat(tally.state(Rule.BATCH_FORM) == Tally.State.BROKEN)
                            .isEqualTo(counter.equals("batches_malformed"));
                    assertThat(tally.state(Rule.ONE_FRAME) == Tally.State.BROKEN)
                            .isEqualTo(counter.equals("frames_empty"));
                    assertThat(tally.state(Rule.TOPIC_PADDED) == Tally.State.BROKEN)
                            .isEqualTo(counter.equals("malformed"));
                }));
    }

    @TestFactory
    Stream<DynamicTest> snapshots_decode_to_their_json_form() throws IOException {
        return maps(vectors("snapshots"))
                .map(vector -> test(vector, () -> {
                    byte[] json =
                            new JsonSnapshotCodec().encode(new MsgpackSnapshotCodec().decode(bytes(vector.get("hex"))));
                    Map<String, ?> actual = JsonTree.read(json);
                    Map<?, ?> expected = (Map<?, ?>) vector.get("json");
                    for (String key : List.of("counter", "timestamp_ns", "state", "n_pending_tasks")) {
                        assertThat((Object) actual.get(key)).as(key).isEqualTo(expected.get(key));
                    }
                    @SuppressWarnings("unchecked")
                    Map<String, Map<?, ?>> metrics = SnapshotComparison.byName((Map<String, Object>) expected);
                    Map<String, Map<?, ?>> found = SnapshotComparison.byName(new LinkedHashMap<>(actual));
                    assertThat(found.keySet()).containsExactlyElementsOf(metrics.keySet());
                    metrics.forEach(
                            (name, metric) -> assertThat(SnapshotComparison.difference(name, metric, found.get(name)))
                                    .as(name)
                                    .isEmpty());
                }));
    }
}
