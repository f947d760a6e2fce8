package io.metricsaggregator.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.flink.stream.RunFrame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages of any producer become frames of runs, or are dropped. */
class FrameDeserializerTest {
    private static final byte[] FRAME = new byte[50];
    private static final FrameDeserializer DESERIALIZER = new FrameDeserializer(1000);

    private static List<RunFrame> read(
            byte @Nullable [] key, byte @Nullable [] value, byte @Nullable [] seq, long millis) {
        Headers headers = new RecordHeaders();
        if (seq != null) {
            headers.add(FrameDeserializer.SEQ, seq);
        }
        ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>(
                "events", 3, 17, millis, TimestampType.CREATE_TIME, 0, 0, key, value, headers, Optional.empty());
        List<RunFrame> frames = new ArrayList<>();
        DESERIALIZER.deserialize(message, new ListCollector<>(frames));
        return frames;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void theKeyNamesTheRunAndTheHeaderNumbersItsMessages() {
        RunFrame frame = read(ascii("00c0ffee00c0ffee"), FRAME, ascii("42"), 1_700_000_000_123L)
                .get(0);
        assertThat(frame.run()).isEqualTo("00c0ffee00c0ffee");
        assertThat(frame.source()).isEqualTo(3);
        assertThat(frame.sequence()).isEqualTo(42);
        assertThat(frame.nanos()).isEqualTo(1_700_000_000_123_000_000L);
        assertThat(frame.frame()).isSameAs(FRAME);
    }

    @Test
    void messagesOfAPartitionWithoutAKeyAreOneRun() {
        assertThat(read(null, FRAME, null, 0).get(0).run()).isEqualTo("partition-3");
        assertThat(read(new byte[0], FRAME, null, 0).get(0).run()).isEqualTo("partition-3");
    }

    @Test
    void aKeyThatIsNotTheNameOfAFolderIsHashed() {
        for (String key : List.of("../../etc/passwd", ".hidden", "a/b", "a b", "ü", "x".repeat(129), "..")) {
            String run = read(key.getBytes(StandardCharsets.UTF_8), FRAME, null, 0)
                    .get(0)
                    .run();
            assertThat(run).as(key).matches("key-[0-9a-f]{32}");
        }
        assertThat(RunKey.name(ascii("a/b"), 0)).isNotEqualTo(RunKey.name(ascii("a/c"), 0));
    }

    @Test
    void messagesWithoutAValueOrAboveTheLimitAreDropped() {
        assertThat(read(ascii("run"), null, null, 0)).isEmpty();
        assertThat(read(ascii("run"), new byte[1001], null, 0)).isEmpty();
        assertThat(read(ascii("run"), new byte[0], null, 0)).hasSize(1);
    }

    @Test
    void aHeaderThatIsNotANumberDoesNotNumberTheMessage() {
        for (String seq : List.of("", "-1", "1.5", "9".repeat(19), "abc", " 1")) {
            assertThat(read(ascii("run"), FRAME, ascii(seq), 0).get(0).sequence())
                    .as(seq)
                    .isEqualTo(RunFrame.NOT_NUMBERED);
        }
        assertThat(read(ascii("run"), FRAME, ascii("000000000000000007"), 0)
                        .get(0)
                        .sequence())
                .isEqualTo(7);
    }

    @Test
    void noBytesMakeTheDeserializerThrow() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] key = new byte[random.nextInt(200)];
            byte[] seq = new byte[random.nextInt(25)];
            random.nextBytes(key);
            random.nextBytes(seq);
            List<RunFrame> frames = read(key, new byte[random.nextInt(2000)], seq, random.nextLong());
            assertThat(frames.stream()
                            .allMatch(each -> each.run().matches("[A-Za-z0-9_-][A-Za-z0-9._-]*") && each.nanos() >= 0))
                    .as("seed %d", seed)
                    .isTrue();
        }
    }
}
