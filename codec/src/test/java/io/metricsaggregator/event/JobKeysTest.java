package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The keys of jobs of an issue: a value of another type or range costs its key only. */
class JobKeysTest {
    private static final long SEED = 7;

    private final EventDecoder decoder = new EventDecoder();
    private final DecodedEvent event = new DecodedEvent();

    private DecodedJob decoded(Map<String, ?> keys) throws IOException {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.issued");
        record.putAll(keys);
        record.put("timestamp_ns", 7);
        record.put("sample_uuid", "a");
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            byte[] bytes = packer.toByteArray();
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .as("%s", keys)
                    .isNull();
        }
        assertThat(event.timestampNanos()).as("a key behind it").isEqualTo(7);
        return event.job();
    }

    @Test
    void encoded_keys_are_decoded_and_identified_by_hashes_of_their_texts() throws MalformedMessageException {
        OptionalKeys.Job keys = new OptionalKeys.Job("job", List.of("a", "b-2"), "planner", true);
        EventRecord record =
                EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "id").withJob(keys);
        byte[] bytes = new EventEncoder().encode(record);
        assertThat(new EventRecordCodec().decode(ByteBuffer.wrap(bytes))).isEqualTo(record);
        decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event);
        DecodedJob job = event.job();
        assertThat(job.hash(SEED)).isEqualTo(DecodedJob.hash("job", SEED));
        assertThat(job.parents(SEED)).containsExactly(DecodedJob.hash("a", SEED), DecodedJob.hash("b-2", SEED));
        assertThat(DecodedJob.sample(event, SEED)).isEqualTo(DecodedJob.hash("id", SEED));
        assertThat(job.agent()).isEqualTo("planner");
        assertThat(job.isLast()).isTrue();
    }

    @Test
    void keys_of_another_type_or_range_are_rejected_apart_from_the_others() throws IOException {
        Map<String, List<Object>> wrong = Map.of(
                "job_id", List.of(5, true, List.of()),
                "parents",
                        List.of(
                                "a",
                                Map.of(),
                                List.of(5),
                                Collections.singletonList(null),
                                Collections.nCopies(9, "a")),
                "agent", List.of(5, "x".repeat(65)),
                "last_of_job", List.of(1, "true"));
        Map<String, Object> valid =
                Map.of("job_id", "j", "parents", List.of("a"), "agent", "x".repeat(64), "last_of_job", true);
        for (Map.Entry<String, List<Object>> each : wrong.entrySet()) {
            for (Object value : each.getValue()) {
                Map<String, Object> keys = new LinkedHashMap<>(valid);
                keys.put(each.getKey(), value);
                DecodedJob job = decoded(keys);
                assertThat(job.isRejected()).as("%s", keys).isTrue();
                assertThat(job.isPresent()).as("%s", keys).isTrue();
                assertThat(job.hasId()).isEqualTo(!each.getKey().equals("job_id"));
                assertThat(job.parents(SEED)).hasSize(each.getKey().equals("parents") ? 0 : 1);
                assertThat(job.agent().isEmpty()).isEqualTo(each.getKey().equals("agent"));
                assertThat(job.isLast()).isEqualTo(!each.getKey().equals("last_of_job"));
            }
        }
    }

    @Test
    void nil_false_and_empty_values_are_absent() throws IOException {
        Map<String, @Nullable Object> keys = new LinkedHashMap<>();
        keys.put("job_id", null);
        keys.put("parents", null);
        keys.put("agent", null);
        keys.put("last_of_job", null);
        assertThat(decoded(keys).isPresent()).isFalse();
        assertThat(event.job().isRejected()).isFalse();
        assertThat(decoded(Map.of("job_id", "", "parents", List.of(), "agent", "", "last_of_job", false))
                        .isPresent())
                .isFalse();
        assertThat(event.job().isRejected()).isFalse();
    }

    @Test
    void each_key_alone_makes_the_sample_one_of_a_job() throws IOException {
        for (Map<String, ?> each : List.<Map<String, ?>>of(
                Map.of("job_id", "j"),
                Map.of("parents", List.of("a")),
                Map.of("agent", "g"),
                Map.of("last_of_job", true))) {
            assertThat(decoded(each).isPresent()).as("%s", each).isTrue();
        }
    }

    @Test
    void keys_do_not_outlive_their_record() throws IOException {
        decoded(Map.of("job_id", "j", "parents", List.of("a"), "agent", 5, "last_of_job", true));
        assertThat(decoded(Map.of()).isPresent()).isFalse();
        assertThat(event.job().isRejected()).isFalse();
    }

    @Test
    void keys_beyond_their_bounds_are_refused_where_they_are_made() {
        assertThatThrownBy(() -> new OptionalKeys.Job("j", Collections.nCopies(9, "a"), null, false))
                .hasMessageContaining("9 parents");
        assertThatThrownBy(() -> new OptionalKeys.Job("j", List.of(), "é".repeat(33), false))
                .hasMessageContaining("64 bytes");
    }
}
