package io.metricsaggregator.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.runs.LiveMerge;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SessionState;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Frames of publishers that are wrong, or hostile. */
class FleetInputTest {
    private static Random random() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("FleetInputTest seed: -Dtest.seed=" + seed);
        return new Random(seed);
    }

    private static void frame(TestFleet fleet, byte[] frame) {
        fleet.input.onFrame(ByteBuffer.wrap(frame), 0, frame.length);
    }

    @Test
    void frames_that_are_no_snapshots_are_counted_and_change_nothing() {
        TestFleet fleet = new TestFleet();
        byte[][] frames = {
            {},
            new byte[39],
            new byte[40],
            new byte[80],
            Topic.frame(Topic.METRICS, new byte[] {(byte) 0xc1}),
            Topic.frame(Topic.METRICS, new byte[] {(byte) 0x90}),
            Topic.frame("METRICS", new byte[] {(byte) 0x90}),
            Topic.frame(Topic.METRICS, new byte[(int) FleetInput.FRAME_MAX_BYTES]),
        };
        for (byte[] each : frames) {
            frame(fleet, each);
        }
        assertThat(fleet.table.rows(fleet.nanos).discarded()).isEqualTo(frames.length);
        assertThat(fleet.rows()).isEmpty();
    }

    @Test
    void a_node_whose_settings_are_too_large_is_left_out() {
        TestFleet fleet = new TestFleet();
        TestNode node = new TestNode("a", "r");
        node.settings = Map.of("streaming", "x".repeat(70_000));
        fleet.receive(node, SessionState.LIVE);
        assertThat(fleet.row("a").refused())
                .isEqualTo("settings, environment and labels of more than 65536 characters");
        assertThat(fleet.next().extensions().run().settings()).isEmpty();
    }

    @Test
    void a_node_whose_rows_cannot_be_merged_loses_them_and_keeps_its_counts() {
        TestFleet fleet = new TestFleet((all, known) -> {
            if (all.stream().anyMatch(each -> each.workers().size() == 3)) {
                throw new IllegalStateException("a defect");
            }
            return LiveMerge.of(all, known);
        });
        TestNode good = new TestNode("good", "r1");
        TestNode bad = new TestNode("bad", "r2");
        good.sample(1000);
        bad.sample(1000);
        bad.workers = 3;
        fleet.receive(good, SessionState.LIVE);
        for (int round = 0; round < 2; round++) {
            fleet.receive(bad, SessionState.LIVE);
            MetricsSnapshot sum = fleet.next();
            assertThat(sum.counter(CounterName.TRACKED_SAMPLES_COMPLETED)).isEqualTo(2);
            assertThat(sum.extensions().workers()).hasSize(1);
            assertThat(fleet.row("bad").refused())
                    .isEqualTo("its rows cannot be merged: java.lang.IllegalStateException: a defect");
            assertThat(fleet.row("good").refused()).isNull();
            fleet.pass(1);
        }
    }

    @Test
    void damaged_snapshots_never_end_a_fleet_and_leave_the_others_in_its_sums() {
        Random random = random();
        MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
        TestFleet fleet = new TestFleet("f", new Expectation(0, List.of()), 64);
        TestNode good = new TestNode("good", "good");
        good.samples(20, random);
        fleet.receive(good, SessionState.LIVE);
        for (int round = 0; round < 1500; round++) {
            fleet.pass(0.01);
            TestNode bad = new TestNode("bad", "b" + round % 8);
            bad.samples(random.nextInt(6), random);
            bad.error();
            MetricsSnapshot snapshot = bad.snapshot(SessionState.LIVE, fleet.nanos, fleet.wall());
            byte[] payload = codec.encode(snapshot);
            for (int i = random.nextInt(4); i >= 0; i--) {
                payload[random.nextInt(payload.length)] = (byte) random.nextInt(256);
            }
            frame(fleet, Topic.frame(Topic.METRICS, payload));
            if (round % 20 == 0) {
                MetricsSnapshot sum = fleet.next();
                assertThat(codec.encode(sum)).isNotEmpty();
                assertThat(sum.extensions().optional().nodes().rows().get(0).completed())
                        .isEqualTo(20);
            }
        }
    }
}
