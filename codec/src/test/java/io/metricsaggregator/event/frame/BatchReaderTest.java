package io.metricsaggregator.event.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.Golden;
import io.metricsaggregator.codec.Seed;
import io.metricsaggregator.event.EventEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchReaderTest {
    private final BatchReader reader = new BatchReader();

    @Test
    void aBatchReturnsItsRecordsInOrder() {
        Random random = Seed.random(BatchReaderTest.class);
        EventEncoder encoder = new EventEncoder();
        for (int size : new int[] {0, 1, 2, 15, 16, 1000, 70_000}) {
            List<byte[]> payloads = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                byte[] payload = new byte[i % 100 == 50 ? 70_000 / Math.max(1, size / 100) : random.nextInt(4)];
                random.nextBytes(payload);
                payloads.add(payload);
            }
            byte[] batch = encoder.encodeBatch(payloads);
            assertThat(reader.open(ByteBuffer.wrap(batch), 0, batch.length)).isEqualTo(size);
            for (byte[] payload : payloads) {
                assertThat(reader.next()).isTrue();
                assertThat(Arrays.copyOfRange(batch, reader.start(), reader.start() + reader.length()))
                        .isEqualTo(payload);
            }
            assertThat(reader.next()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "c0",
                "80",
                "92c400",
                "91a0",
                "9100",
                "90c0",
                "91c40100c0",
                "91c402ff",
                "ddffffffff",
                "91c6ffffffff",
                "91",
                "91c1",
                "93c400c40001",
                "91c405000000",
                "91c5000500ff0000",
                "92c50005ffffffffc400",
                "91c50001ff00"
            })
    void aMalformedBatchIsRejectedAsAWhole(String hex) {
        byte[] batch = Golden.hex(hex);
        assertThat(reader.open(ByteBuffer.wrap(batch), 0, batch.length)).isEqualTo(-1);
        assertThat(reader.next()).isFalse();
    }

    @Test
    void theGoldenCorruptBatchesAreRejectedExceptTheEmptyOne() throws IOException {
        int corrupt = 0;
        int nothing = 0;
        for (byte[] frame : Golden.frames("08a_malformed")) {
            ByteBuffer buffer = ByteBuffer.wrap(frame);
            if (frame.length <= Topic.LENGTH) {
                nothing++;
            } else if (Topic.isBatch(buffer, 0) && reader.open(buffer, Topic.LENGTH, frame.length - Topic.LENGTH) < 0) {
                corrupt++;
            }
        }
        // Eight corrupt batches; the one without a payload counts as an empty frame, as do six others.
        assertThat(corrupt).isEqualTo(7);
        assertThat(nothing).isEqualTo(7);
    }

    @Test
    void onlyTheExactTopicIsABatch() {
        assertThat(isBatch("batch")).isTrue();
        assertThat(isBatch("batch2")).isFalse();
        assertThat(isBatch("batc")).isFalse();
        byte[] stray = Topic.pad("batch");
        stray[39] = 1;
        assertThat(Topic.isBatch(ByteBuffer.wrap(stray), 0)).isFalse();
    }

    private static boolean isBatch(String topic) {
        return Topic.isBatch(ByteBuffer.wrap(Topic.pad(topic)), 0);
    }
}
