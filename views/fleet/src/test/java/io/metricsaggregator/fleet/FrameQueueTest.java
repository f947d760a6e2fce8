package io.metricsaggregator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SessionState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameQueueTest {
    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    private final List<String> decoded = new ArrayList<>();
    private long nanos;
    private final FrameQueue queue = queue(1 << 20);

    private FrameQueue queue(long bytesMax) {
        return new FrameQueue(this::decode, () -> nanos, bytesMax);
    }

    private void decode(ByteBuffer buffer, int start, int length) {
        byte[] payload = new byte[length - Topic.LENGTH];
        buffer.get(start + Topic.LENGTH, payload);
        nanos += 10;
        try {
            MetricsSnapshot snapshot = codec.decode(ByteBuffer.wrap(payload));
            decoded.add(snapshot.extensions().run().runId() + " " + snapshot.counter());
        } catch (io.metricsaggregator.codec.MalformedMessageException e) {
            decoded.add("malformed");
        }
    }

    private static MetricsSnapshot snapshot(String run, int counter) {
        TestNode node = new TestNode("n", run);
        MetricsSnapshot snapshot = node.snapshot(SessionState.LIVE, counter, TestFleet.WALL + counter);
        return new MetricsSnapshot(
                counter,
                snapshot.timestampNanos(),
                snapshot.state(),
                snapshot.pendingTasks(),
                snapshot.metrics(),
                snapshot.extensions());
    }

    private void receive(FrameQueue into, String run, int counter) {
        byte[] frame = Topic.frame(Topic.METRICS, codec.encode(snapshot(run, counter)));
        // Not at the start of the buffer, which the queue must copy.
        ByteBuffer buffer = ByteBuffer.allocateDirect(frame.length + 7).put(7, frame);
        into.onFrame(buffer, 7, frame.length);
        for (int i = 0; i < buffer.limit(); i++) {
            buffer.put(i, (byte) 0);
        }
    }

    @Test
    void frames_are_decoded_as_they_come_until_the_tick_is_due() {
        queue.atOnceUntil(25);
        for (int i = 1; i <= 5; i++) {
            receive(queue, "a", i);
        }
        assertThat(decoded).containsExactly("a 1", "a 2", "a 3");
        assertThat(queue.isEmpty()).isFalse();
        queue.decode(Long.MAX_VALUE);
        assertThat(decoded).containsExactly("a 1", "a 2", "a 3", "a 5");
    }

    @Test
    void of_waiting_frames_the_latest_of_each_run_is_decoded_and_the_first_to_wait_comes_first() {
        for (int i = 1; i <= 100; i++) {
            receive(queue, "a", i);
            receive(queue, "b", i);
        }
        assertThat(decoded).isEmpty();
        queue.decode(10);
        assertThat(decoded).containsExactly("a 100");
        queue.decode(1000);
        assertThat(decoded).containsExactly("a 100", "b 100");
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void a_frame_that_is_not_later_than_the_waiting_one_is_judged_after_it() {
        receive(queue, "a", 5);
        receive(queue, "a", 5);
        receive(queue, "b", 1);
        assertThat(decoded).containsExactly("a 5", "a 5");
    }

    @Test
    void what_cannot_be_read_in_passing_or_has_no_room_is_decoded_at_once() {
        byte[] foreign = Topic.frame(Topic.METRICS, "no snapshot".getBytes(StandardCharsets.US_ASCII));
        queue.onFrame(ByteBuffer.wrap(foreign), 0, foreign.length);
        receive(queue, "x".repeat(40), 1);
        FrameQueue small = queue(100);
        receive(small, "a", 1);
        assertThat(decoded).containsExactly("malformed", "x".repeat(40) + " 1", "a 1");
        assertThat(queue.isEmpty()).isTrue();
        assertThat(small.isEmpty()).isTrue();
    }

    @Test
    void a_frame_cut_anywhere_is_decoded_at_once_or_waits_and_never_throws() {
        byte[] frame = Topic.frame(Topic.METRICS, codec.encode(snapshot("a", 1)));
        for (int length = Topic.LENGTH; length <= frame.length; length++) {
            queue.onFrame(ByteBuffer.wrap(frame, 0, length).slice(), 0, length);
        }
        queue.decode(Long.MAX_VALUE);
        assertThat(decoded).contains("malformed", "a 1").hasSize(frame.length - Topic.LENGTH + 1);
    }
}
