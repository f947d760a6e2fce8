package io.metricsaggregator.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.codec.Seed;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The optional key {@code usage}: a valid map is read, and nothing under the key costs the record. */
class UsageTest {
    private static final Map<String, Object> EXAMPLE = Map.of(
            "prompt_tokens", 2000,
            "completion_tokens", 8,
            "cached_tokens", 1536,
            "cache_write_tokens", 0,
            "reasoning_tokens", 3,
            "accepted_prediction_tokens", 0,
            "rejected_prediction_tokens", 0,
            "spec_drafts", 3,
            "spec_draft_tokens", 12,
            "spec_accepted_tokens", 5);

    private final EventDecoder decoder = new EventDecoder();
    private final EventRecordCodec codec = new EventRecordCodec();
    private final DecodedEvent event = new DecodedEvent();

    private static byte[] packed(@Nullable Object usage) throws IOException {
        Map<String, @Nullable Object> record = new LinkedHashMap<>();
        record.put("event_type", "sample.complete");
        record.put("timestamp_ns", 7);
        record.put("sample_uuid", "a");
        record.put("usage", usage);
        record.put("finish_reason", "stop");
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(record, packer);
            return packer.toByteArray();
        }
    }

    /** Decodes a completion with that usage, which must be well-formed and have its other keys. */
    private DecodedEvent decoded(@Nullable Object usage) throws IOException {
        byte[] bytes = packed(usage);
        assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                .as("%s", usage)
                .isNull();
        assertThat(event.type()).isEqualTo(EventType.SAMPLE_COMPLETE);
        assertThat(event.finishReason()).as("a key behind usage").isEqualTo(FinishReason.STOP);
        return event;
    }

    @Test
    void everyCountOfTheExampleIsRead() throws IOException {
        assertThat(decoded(EXAMPLE).hasUsage()).isTrue();
        Map<String, Object> read = new HashMap<>();
        for (UsageKey key : UsageKey.values()) {
            read.put(key.wireName(), (int) event.usage().count(key));
        }
        assertThat(read).isEqualTo(EXAMPLE);
        assertThat(event.usage().isByClient()).isFalse();
        assertThat(decoded(Map.of("completion_tokens", 4, "by", "client"))
                        .usage()
                        .isByClient())
                .isTrue();
        assertThat(event.usage().has(UsageKey.PROMPT_TOKENS))
                .as("left over from the record before")
                .isFalse();
        assertThat(decoded(Map.of("completion_tokens", 4, "by", "server"))
                        .usage()
                        .isByClient())
                .isFalse();
    }

    @Test
    void aUsageThatBreaksARuleIsRejectedWholeAndTheRecordStays() throws IOException {
        List<@Nullable Object> bad = new ArrayList<>(List.of(
                "not a map",
                17,
                List.of(1),
                Map.of("prompt_tokens", -1),
                Map.of("prompt_tokens", 5.0),
                Map.of("prompt_tokens", true),
                Map.of("prompt_tokens", "5"),
                Map.of("prompt_tokens", BigInteger.ONE.shiftLeft(63)),
                Map.of("prompt_tokens", 5, "cached_tokens", 6),
                Map.of("completion_tokens", 5, "reasoning_tokens", 6),
                Map.of("prompt_tokens", 5, "by", "proxy"),
                Map.of("prompt_tokens", 5, "by", "sErver"),
                Map.of("prompt_tokens", 5, "by", 1),
                Map.of(1, 2)));
        for (Object usage : bad) {
            decoded(usage);
            assertThat(event.isUsageRejected()).as("%s", usage).isTrue();
            assertThat(event.hasUsage()).as("%s", usage).isFalse();
        }
    }

    @Test
    void nilAnEmptyMapAndUnknownKeysReadAsAbsent() throws IOException {
        Map<String, @Nullable Object> nil = new LinkedHashMap<>();
        nil.put("cached_tokens", null);
        nil.put("by", null);
        for (Object usage : new @Nullable Object[] {null, Map.of(), nil, Map.of("audio_tokens", List.of(Map.of()))}) {
            decoded(usage);
            assertThat(event.isUsageRejected()).as("%s", usage).isFalse();
            assertThat(event.hasUsage()).as("%s", usage).isFalse();
        }
        nil.put("prompt_tokens", 3);
        nil.put("audio_tokens", -4.5);
        assertThat(decoded(nil).usage().count(UsageKey.PROMPT_TOKENS)).isEqualTo(3);
        assertThat(event.usage().has(UsageKey.CACHED_TOKENS)).isFalse();
    }

    @Test
    void ofDuplicateKeysTheLastOneCounts() throws IOException {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packMapHeader(3).packString("usage").packString("bad");
            packer.packString("event_type").packString("sample.complete");
            packer.packString("usage").packMapHeader(2);
            packer.packString("prompt_tokens").packInt(-3).packString("prompt_tokens");
            packer.packInt(4);
            byte[] bytes = packer.toByteArray();
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, bytes.length, event))
                    .isNull();
        }
        assertThat(event.isUsageRejected())
                .as("a negative count, although a later one replaces it")
                .isTrue();
    }

    @Test
    void aRecordCutWithinItsUsageIsTruncated() throws IOException {
        byte[] bytes = packed(EXAMPLE);
        for (int length = 40; length < bytes.length; length++) {
            assertThat(decoder.decode(ByteBuffer.wrap(bytes), 0, length, event))
                    .as("%d of %d bytes", length, bytes.length)
                    .isNotNull();
        }
    }

    @Test
    void aUsageSurvivesEncodingAndDecodingAsObjects() throws MalformedMessageException {
        Random random = Seed.random(UsageTest.class);
        for (int i = 0; i < 500; i++) {
            Usage usage = Usage.of(random.nextInt(1 << random.nextInt(30)), random.nextInt(500));
            for (UsageKey key : UsageKey.values()) {
                if (key.ordinal() > 1 && random.nextBoolean()) {
                    long most = key == UsageKey.CACHED_TOKENS
                            ? usage.counts().get(UsageKey.PROMPT_TOKENS)
                            : usage.counts().get(UsageKey.COMPLETION_TOKENS);
                    usage = usage.with(key, random.nextLong(most + 1));
                }
            }
            EventRecord sent = EventRecord.sample(EventType.SAMPLE_COMPLETE, i, "a")
                    .withUsage(random.nextBoolean() ? usage : usage.countedByClient())
                    .inLife(4)
                    .from(2, 3);
            assertThat(codec.decode(ByteBuffer.wrap(codec.encode(sent)))).isEqualTo(sent);
        }
    }

    /** Σ of the entries is the number of drafts, Σ of i times the i-th entry that of accepted tokens. */
    private static Map<String, @Nullable Object> speculative(long drafts, long accepted, @Nullable Object histogram) {
        Map<String, @Nullable Object> usage = new LinkedHashMap<>();
        usage.put("spec_histogram", histogram);
        usage.put("spec_drafts", drafts);
        usage.put("spec_draft_tokens", 129);
        usage.put("spec_accepted_tokens", accepted);
        return usage;
    }

    @Test
    void aHistogramOfSpeculativeDecodingIsReadBeforeAndBehindItsCounts() throws IOException {
        List<Integer> steps = List.of(39, 1, 0, 3);
        Map<String, @Nullable Object> behind = speculative(43, 10, null);
        behind.remove("spec_histogram");
        behind.put("spec_histogram", steps);
        for (Map<String, @Nullable Object> usage : List.of(speculative(43, 10, steps), behind)) {
            assertThat(decoded(usage).usage().toUsage().specHistogram()).containsExactly(39L, 1L, 0L, 3L);
            assertThat(event.usage().isHistogramRejected()).isFalse();
        }
        assertThat(decoded(speculative(43, 10, null)).usage().histogramEntries())
                .as("left over from the record before")
                .isZero();
        assertThat(event.usage().isHistogramRejected()).isFalse();
        assertThat(decoded(speculative(0, 0, List.of())).usage().isHistogramRejected())
                .isFalse();
        List<Integer> longest = new ArrayList<>(Collections.nCopies(32, 1));
        assertThat(decoded(speculative(32, 31 * 16, longest)).usage().histogramEntries())
                .isEqualTo(32);
    }

    @Test
    void aHistogramThatBreaksARuleIsRejectedAloneAndTheCountsStay() throws IOException {
        List<Map<String, @Nullable Object>> bad = List.of(
                speculative(44, 10, List.of(39, 1, 0, 3)),
                speculative(43, 9, List.of(39, 1, 0, 3)),
                speculative(43, 10, List.of()),
                speculative(43, 10, List.of(39, 1, 0, 3.0)),
                speculative(43, 10, List.of(40, 0, 0, 4, -1)),
                speculative(43, 10, List.of(39, 1, 0, 3, BigInteger.ONE.shiftLeft(63))),
                speculative(43, 10, "39"),
                speculative(43, 10, 43),
                speculative(43, 10, Map.of(0, 43)),
                speculative(0, 0, Collections.nCopies(33, 0)),
                speculative(Long.MAX_VALUE - 1, 1, List.of(Long.MAX_VALUE, Long.MAX_VALUE)));
        for (Map<String, @Nullable Object> usage : bad) {
            assertThat(decoded(usage).usage().isHistogramRejected())
                    .as("%s", usage)
                    .isTrue();
            assertThat(event.isUsageRejected()).as("%s", usage).isFalse();
            assertThat(event.usage().count(UsageKey.SPEC_DRAFT_TOKENS)).isEqualTo(129);
            assertThat(event.usage().histogramEntries()).isZero();
            assertThat(event.usage().toUsage().specHistogram()).isEmpty();
        }
        decoded(Map.of("spec_histogram", List.of(1)));
        assertThat(event.usage().isHistogramRejected()).as("without its counts").isTrue();
        assertThat(event.hasUsage()).isFalse();
        decoded(null);
        assertThat(event.usage().isHistogramRejected()).isFalse();
    }

    @Test
    void a_histogram_survives_encoding_and_decoding_as_objects() throws MalformedMessageException {
        Random random = Seed.random(UsageTest.class);
        for (int i = 0; i < 500; i++) {
            List<Long> steps = random.longs(1 + random.nextInt(32), 0, 1L << random.nextInt(40))
                    .boxed()
                    .toList();
            long drafts = 0;
            long accepted = 0;
            for (int j = 0; j < steps.size(); j++) {
                drafts += steps.get(j);
                accepted += j * steps.get(j);
            }
            Usage usage = Usage.of(1, 2)
                    .with(UsageKey.SPEC_DRAFTS, drafts)
                    .with(UsageKey.SPEC_ACCEPTED_TOKENS, accepted)
                    .withSpecHistogram(steps);
            EventRecord sent = EventRecord.sample(EventType.SAMPLE_COMPLETE, i, "a")
                    .withUsage(random.nextBoolean() ? usage : usage.countedByClient());
            assertThat(codec.decode(ByteBuffer.wrap(codec.encode(sent)))).isEqualTo(sent);
        }
    }

    @Test
    void the_steps_of_a_histogram_are_read_by_accepted_tokens() throws IOException {
        decoded(Map.of("spec_drafts", 7, "spec_accepted_tokens", 9, "spec_histogram", List.of(1, 3, 3)));
        assertThat(event.usage().histogramEntries()).isEqualTo(3);
        assertThat(event.usage().steps(0)).isEqualTo(1);
        assertThat(event.usage().steps(2)).isEqualTo(3);
    }

    @Test
    void anImpossibleUsageCannotBeMade() {
        assertThatThrownBy(() -> Usage.of(-1, 0)).hasMessageContaining("prompt_tokens -1 is negative");
        assertThatThrownBy(() -> Usage.of(5, 1).with(UsageKey.CACHED_TOKENS, 6))
                .hasMessageContaining("cached_tokens 6 is above prompt_tokens 5");
        assertThatThrownBy(() -> Usage.of(5, 1).with(UsageKey.REASONING_TOKENS, 2))
                .hasMessageContaining("reasoning_tokens 2 is above completion_tokens 1");
        Usage speculative = Usage.of(5, 1).with(UsageKey.SPEC_DRAFTS, 44).with(UsageKey.SPEC_ACCEPTED_TOKENS, 10);
        assertThatThrownBy(() -> speculative.withSpecHistogram(List.of(39L, 1L, 0L, 3L)))
                .hasMessageContaining("spec_histogram [39, 1, 0, 3]")
                .hasMessageContaining("spec_drafts 44 and spec_accepted_tokens 10");
        assertThatThrownBy(() -> Usage.of(5, 1).withSpecHistogram(List.of(1L)))
                .hasMessageContaining("spec_drafts null");
    }
}
