package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.event.server.ServerKey;
import io.metricsaggregator.event.server.ServerTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Records as objects: every key comes back, a value of another type costs its key, and what is no record is refused with the reason. */
class EventRecordCodecTest {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final EventRecordCodec codec = new EventRecordCodec();

    static byte[] packed(Map<String, ?> record) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private EventRecord decoded(Map<String, ?> keys) throws MalformedMessageException {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.issued");
        record.put("timestamp_ns", 7);
        record.putAll(keys);
        return codec.decode(ByteBuffer.wrap(packed(record)));
    }

    private EventRecord again(EventRecord record) throws MalformedMessageException {
        return codec.decode(ByteBuffer.wrap(codec.encode(record)));
    }

    private static EventRecord issued() {
        return EventRecord.sample(EventType.SAMPLE_ISSUED, 1, "a");
    }

    /** A record with every optional key, and a handle. */
    private static EventRecord whole() {
        return EventRecord.sample(EventType.SAMPLE_RECV_FIRST, 1, "a")
                .from(2, 3)
                .inLife(4)
                .scheduledAt(5)
                .withPart(ChunkPart.OUTPUT)
                .withTokens(4096)
                .withUsage(Usage.of(1, 2).countedByClient())
                .withLabels(Map.of("endpoint", "b"))
                .withLastTurn()
                .withTraceparent(TRACEPARENT)
                .withResponseId("chatcmpl-1")
                .withServer(
                        ServerTimes.from(null).with(ServerKey.values()[0], 5).onNodes("p", null))
                .withJob(new OptionalKeys.Job("j", List.of("b"), "agent", true));
    }

    /** A record without optional keys, and records with one. */
    private static List<EventRecord> alone() {
        return List.of(
                issued(),
                issued().scheduledAt(5),
                issued().withTraceparent(TRACEPARENT),
                issued().withResponseId("r"),
                issued().withPart(ChunkPart.REASONING),
                issued().withTokens(0),
                issued().withLastTurn(),
                issued().inConversation("c", 3L),
                issued().inConversation("c", null),
                issued().withJob(new OptionalKeys.Job("j", List.of(), null, false)),
                issued().withJob(new OptionalKeys.Job("", List.of("p"), null, false)),
                issued().withJob(new OptionalKeys.Job("", List.of(), "g", false)),
                issued().withJob(new OptionalKeys.Job("", List.of(), null, true)),
                issued().withServer(ServerTimes.from(null).with(ServerKey.values()[1], 5)),
                issued().withServer(ServerTimes.from(ServerTimes.Source.values()[0])
                        .with(ServerKey.values()[1], 5)
                        .onNodes(null, "d")));
    }

    @Test
    void bytes_that_are_no_record_and_unknown_types_are_malformed_with_the_reason() {
        assertThatThrownBy(() -> codec.decode(ByteBuffer.wrap(new byte[] {1})))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage(Malformation.NOT_A_MAP.text());
        assertThatThrownBy(() -> decoded(Map.of("event_type", "vendor.event")))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("event_type");
        for (String key : List.of("turn", "worker_id")) {
            assertThatThrownBy(() -> decoded(Map.of(key, BigInteger.ONE.shiftLeft(63))))
                    .as(key)
                    .isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void a_record_without_a_time_gets_that_of_its_receipt() throws MalformedMessageException {
        ByteBuffer bytes = ByteBuffer.wrap(packed(Map.of("event_type", "sample.issued")));
        assertThat(codec.decode(bytes, 99).timestampNanos()).isEqualTo(99);
        assertThat(codec.decode(ByteBuffer.wrap(codec.encode(issued())), 99).timestampNanos())
                .isEqualTo(1);
    }

    @Test
    void every_key_of_a_record_comes_back_alone_and_with_all_others() throws MalformedMessageException {
        assertThat(again(whole())).isEqualTo(whole());
        for (EventRecord each : alone()) {
            assertThat(again(each)).isEqualTo(each);
        }
    }

    @Test
    void a_handle_that_stands_for_the_sample_is_decoded_and_belongs_to_its_record_alone() {
        DecodedEvent event = new DecodedEvent();
        EventDecoder decoder = new EventDecoder();
        EventEncoder encoder = new EventEncoder();
        for (int handle : new int[] {0, 200, DecodedEvent.HANDLE_MAX, DecodedEvent.NO_HANDLE}) {
            byte[] bytes = encoder.encode(whole(), handle);
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .isNull();
            assertThat(event.handle()).isEqualTo(handle);
        }
    }

    @Test
    void a_record_cut_anywhere_is_truncated_whichever_key_is_its_last() {
        EventDecoder decoder = new EventDecoder();
        List<byte[]> records = new ArrayList<>();
        alone().forEach(each -> records.add(codec.encode(each)));
        records.add(codec.encode(issued().withTokens(4096)));
        records.add(codec.encode(issued().withUsage(Usage.of(1, 2))));
        records.add(codec.encode(issued().withLabels(Map.of("endpoint", "b"))));
        records.add(new EventEncoder().encode(whole(), 200));
        for (byte[] bytes : records) {
            for (int length = 0; length < bytes.length; length++) {
                assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, length, new DecodedEvent()))
                        .as("%d of %d bytes", length, bytes.length)
                        .isEqualTo(Malformation.TRUNCATED);
            }
        }
    }

    @Test
    void a_handle_of_another_type_is_rejected_and_the_keys_behind_it_are_read() {
        DecodedEvent event = new DecodedEvent();
        for (Object handle : List.of("5", -1, DecodedEvent.HANDLE_MAX + 1L, List.of(1))) {
            Map<String, Object> record = new LinkedHashMap<>();
            record.put("event_type", "sample.recv_first");
            record.put("handle", handle);
            record.put("timestamp_ns", 7);
            byte[] bytes = packed(record);
            assertThat(new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .as("%s", handle)
                    .isNull();
            assertThat(event.handle()).as("%s", handle).isEqualTo(DecodedFields.REJECTED_HANDLE);
            assertThat(event.timestampNanos()).isEqualTo(7);
        }
    }

    @Test
    void of_labels_that_are_given_twice_the_last_count() throws Exception {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(3).packString("event_type").packString("sample.issued");
            packer.packString("labels").packMapHeader(1).packString("a").packString("b");
            packer.packString("labels").packMapHeader(1).packString("c").packString("d");
            assertThat(codec.decode(ByteBuffer.wrap(packer.toByteArray()), 1)
                            .optional()
                            .labels())
                    .isEqualTo(Map.of("c", "d"));
        }
    }

    @Test
    void values_at_their_bounds_are_taken() throws MalformedMessageException {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 1; i < DecodedLabels.PAIRS_MAX; i++) {
            labels.put("k" + i, "");
        }
        labels.put("k".repeat(DecodedLabels.KEY_MAX_BYTES), "v".repeat(DecodedLabels.VALUE_MAX_BYTES));
        EventRecord record = issued().inLife(0)
                .from(0, 0)
                .withLabels(labels)
                .withJob(new OptionalKeys.Job(
                        "j",
                        Collections.nCopies(DecodedJob.PARENTS_MAX, "p"),
                        "g".repeat(DecodedJob.AGENT_MAX_BYTES),
                        false));
        assertThat(again(record)).isEqualTo(record);
        assertThat(Usage.of(1, 2).countedByClient().byClient()).isTrue();
    }

    @Test
    void a_header_that_counts_fewer_keys_than_follow_is_malformed() {
        byte[] bytes = codec.encode(issued().withTokens(1));
        for (int pairs = 0; pairs < 7; pairs++) {
            bytes[0] = (byte) (0x80 | pairs);
            assertThat(new EventDecoder().decode(ByteBuffer.wrap(bytes), 0, bytes.length, new DecodedEvent()))
                    .as("%d pairs", pairs)
                    .isEqualTo(Malformation.TRAILING_BYTES);
        }
    }

    @Test
    void keys_of_a_chunk_are_told_apart_from_all_others() {
        EventRecord chunk = issued();
        assertThat(chunk.optional().isOfChunk()).isTrue();
        assertThat(chunk.withTokens(1).optional().isOfChunk()).isTrue();
        assertThat(chunk.withPart(ChunkPart.OUTPUT).optional().isOfChunk()).isTrue();
        assertThat(chunk.withPart(ChunkPart.OUTPUT).withTokens(1).optional().isOfChunk())
                .isTrue();
        assertThat(chunk.withTokens(1).withLastTurn().optional().isOfChunk()).isFalse();
        assertThat(chunk.withUsage(Usage.of(1, 2)).optional().isOfChunk()).isFalse();
    }

    @Test
    void keys_that_differ_from_known_ones_in_one_letter_are_unknown() throws MalformedMessageException {
        for (String key : List.of(
                "handxx",
                "hbndle",
                "bx",
                "toke__",
                "job_ie",
                "serves",
                "labelt",
                "parentt",
                "agens",
                "usagf",
                "parl",
                "last_turm")) {
            assertThat(decoded(Map.of(key, 5, "sample_uuid", "a")))
                    .as(key)
                    .isEqualTo(EventRecord.sample(EventType.SAMPLE_ISSUED, 7, "a"));
        }
        for (Map<String, ?> usage : List.<Map<String, ?>>of(
                Map.of("prompt_tokens", 1, "bx", "client"),
                Map.of("prompt_tokens", 1, "xy", "client"),
                Map.of("prompt_tokens", 1, "spec_histogrbm", List.of(1)))) {
            assertThat(decoded(Map.of("usage", usage)).optional().usage())
                    .isEqualTo(new Usage(Map.of(UsageKey.PROMPT_TOKENS, 1L), false));
        }
        for (String by : List.of("cliexx", "servxx", "xxxxer", "xxxxnt")) {
            assertThat(decoded(Map.of("usage", Map.of("prompt_tokens", 1, "by", by)))
                            .optional()
                            .usage())
                    .as("neither the server nor the client counted")
                    .isNull();
        }
    }

    @Test
    void the_data_of_a_phase_is_found_by_the_types_of_its_elements() throws MalformedMessageException {
        for (PhaseData phase : List.of(
                new PhaseData("performance", true, 4096L),
                new PhaseData("warmup", false, null),
                new PhaseData("", false, null))) {
            EventRecord record =
                    EventRecord.session(EventType.SESSION_PHASE_START, 1).withData(phase);
            assertThat(again(record)).isEqualTo(record);
        }
        assertThat(decoded(Map.of("data", List.of("PhaseData", 5L, 2.5, "warmup", "second", true)))
                        .data())
                .isEqualTo(new PhaseData("warmup", true, 5L));
        assertThat(decoded(Map.of("data", List.of("PhaseData"))).data()).isEqualTo(new PhaseData("", false, null));
    }

    @Test
    void data_without_its_elements_has_empty_ones() throws MalformedMessageException {
        assertThat(decoded(Map.of("data", List.of("TextModelOutput"))).data())
                .isEqualTo(new TextModelOutput(new ModelText.Whole(""), null, null));
        assertThat(decoded(Map.of("data", List.of("ErrorData", "timeout"))).data())
                .isEqualTo(new ErrorData("timeout", ""));
        assertThatThrownBy(() -> decoded(Map.of("data", List.of("ErrorData"))))
                .as("the one element without a default")
                .isInstanceOf(MalformedMessageException.class);
        assertThat(decoded(Map.of("data", List.of("PromptData"))).data())
                .isEqualTo(new PromptData(null, null, null, null, null, null, null));
    }

    @Test
    void values_out_of_range_are_refused_where_a_record_is_made() {
        assertThatThrownBy(() -> issued().inLife(-1)).hasMessageContaining("life -1");
        assertThatThrownBy(() -> issued().from(1, -1)).hasMessageContaining("sequence -1");
        assertThatThrownBy(() -> issued().withTokens(DecodedEvent.CHUNK_TOKENS_MAX + 1))
                .hasMessageContaining("tokens 4097");
        assertThatThrownBy(() -> issued().withLabels(Map.of("", "a"))).hasMessageContaining("1 to 64 bytes");
        assertThatThrownBy(() -> issued().withLabels(Map.of("k", "v".repeat(257))))
                .hasMessageContaining("256 bytes");
        Map<String, String> many = new LinkedHashMap<>();
        for (int i = 0; i <= DecodedLabels.PAIRS_MAX; i++) {
            many.put("k" + i, "");
        }
        assertThatThrownBy(() -> issued().withLabels(many)).hasMessageContaining("9 labels");
        assertThatThrownBy(() -> Usage.of(1, 2).withSpecHistogram(Collections.nCopies(33, 0L)))
                .hasMessageContaining("at most 32");
        assertThatThrownBy(() -> Usage.of(5, 2).with(UsageKey.CACHED_TOKENS, 6)).hasMessageContaining("above");
        assertThat(new Usage(Map.of(UsageKey.CACHED_TOKENS, 6L), false).count(UsageKey.CACHED_TOKENS))
                .as("a part whose whole is unknown")
                .isEqualTo(6);
        assertThatThrownBy(() -> SampleIds.text(IdKind.LONG, 1, 2)).isInstanceOf(IllegalArgumentException.class);
    }
}
