package io.metricsaggregator.event.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TopicTest {
    private static final byte[] PAYLOAD = {1, 2, 3};

    /** Places a frame in the middle of a buffer. */
    private static ByteBuffer among(byte[] frame) {
        return ByteBuffer.allocate(frame.length + 10).put(5, frame);
    }

    @Test
    void aFrameIsThePaddedTopicFollowedByThePayload() {
        byte[] frame = Topic.frame("sample.issued", PAYLOAD);
        assertThat(frame)
                .hasSize(43)
                .endsWith(PAYLOAD)
                .startsWith("sample.issued\0".getBytes(StandardCharsets.US_ASCII));
        assertThat(Arrays.copyOf(frame, Topic.LENGTH)).isEqualTo(Topic.pad("sample.issued"));
        assertThat(Topic.read(among(frame), 5)).isEqualTo("sample.issued");
        assertThat(Topic.isBatch(among(frame), 5)).isFalse();
        String longest = "x".repeat(Topic.LENGTH);
        assertThat(Topic.read(among(Topic.frame(longest, PAYLOAD)), 5)).isEqualTo(longest);
        assertThat(Topic.read(among(Topic.frame("", PAYLOAD)), 5)).isEmpty();
        assertThatThrownBy(() -> Topic.pad(longest + "x")).hasMessageContaining(longest);
    }

    @Test
    void onlyTheExactTopicMarksABatchOrAFrameOfChunks() {
        byte[] batch = Topic.frame(Topic.BATCH, PAYLOAD);
        byte[] chunks = Topic.frame(Topic.CHUNKS, PAYLOAD);
        assertThat(Topic.isBatch(among(batch), 5)).isTrue();
        assertThat(Topic.isChunks(among(chunks), 5)).isTrue();
        for (int bit = 0; bit < 8 * Topic.LENGTH; bit++) {
            batch[bit / 8] ^= (byte) (1 << bit % 8);
            chunks[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(Topic.isBatch(among(batch), 5)).as("bit %d", bit).isFalse();
            assertThat(Topic.isChunks(among(chunks), 5)).as("bit %d", bit).isFalse();
            batch[bit / 8] ^= (byte) (1 << bit % 8);
            chunks[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void aTopicThatIsNotPrintableIsNotReturned() {
        for (int b : new int[] {1, 0x1f, 0x7f, 0x80, 0xff}) {
            byte[] frame = Topic.frame("sample", PAYLOAD);
            frame[3] = (byte) b;
            assertThat(Topic.read(among(frame), 5)).as("byte %d", b).isNull();
        }
        byte[] frame = Topic.frame("a b~", PAYLOAD);
        assertThat(Topic.read(among(frame), 5)).isEqualTo("a b~");
    }
}
