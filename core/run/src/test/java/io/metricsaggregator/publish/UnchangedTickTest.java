package io.metricsaggregator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Ticks copy and encode only what changed since the tick before, and no byte of a frame shows it. */
class UnchangedTickTest {
    private static final long SECOND = 1_000_000_000L;

    /** A run whose events a test makes up. */
    private static final class Node {
        final RunConfig config = RunConfig.builder()
                .version("test")
                .streaming(Streaming.ON)
                .trackAll(true)
                .build();
        final LiveRun run;
        private final EventEncoder encoder = new EventEncoder();
        private final ByteBuffer received = ByteBuffer.allocateDirect(1 << 16);
        private final SteadyJudge judge = new SteadyJudge(60);
        long now = 1000 * SECOND;

        Node() {
            try {
                run = new RunAssembler(config, new RunResources(null, 10_000, 1 << 24, null), () -> now)
                        .live(SECOND / 4, RunJournal.open(null, config));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void send(byte[] frame) {
            received.clear();
            received.put(frame).flip();
            run.ingest().onFrame(received, 0, frame.length);
            run.ingest().onBurstEnd();
        }

        void send(EventRecord event) {
            send(Topic.frame(event.type().wireName(), encoder.encode(event)));
        }

        MetricsSnapshot tick() {
            run.enterLive();
            return run.take(now, new TransportStats()).render(judge);
        }
    }

    /** One random action of a producer, or none. */
    private static void step(Node node, Random random, Map<String, Long> open, long number) {
        String id = open.isEmpty() ? "none" : List.copyOf(open.keySet()).get(random.nextInt(open.size()));
        int choice = random.nextInt(12);
        node.now += random.nextInt(300_000_000);
        switch (choice) {
            case 0, 1, 2 -> {
                EventRecord issued = EventRecord.sample(EventType.SAMPLE_ISSUED, node.now, "s" + number)
                        .from(random.nextInt(3), number);
                if (random.nextInt(3) == 0) {
                    issued = issued.withLabels(Map.of("endpoint", "e" + random.nextInt(2)));
                }
                if (random.nextInt(3) == 0) {
                    issued = issued.inConversation("c" + random.nextInt(3), null);
                }
                open.put("s" + number, number);
                node.send(issued);
            }
            case 3, 4 -> node.send(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, node.now, id));
            case 5 -> node.send(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, node.now, id));
            case 6, 7 -> {
                node.send(EventRecord.sample(EventType.SAMPLE_COMPLETE, node.now, id));
                open.remove(id);
            }
            case 8 -> node.send(EventRecord.sample(EventType.ERROR_CLIENT, node.now, id));
            case 9 -> node.send(Topic.frame("sample.complete", new byte[] {(byte) 0xc1}));
            case 10 -> node.send(custom(node.now, random.nextInt(4)));
            default -> {}
        }
    }

    private static byte[] custom(long nanos, int value) {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            MsgpackTree.write(
                    Map.of("event_type", "metric.record", "timestamp_ns", nanos, "name", "depth", "value", (double)
                            value),
                    packer);
            return Topic.frame("metric.record", packer.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void history(long seed, Consumer<Node> beforeEachStep, Consumer<Node> atTheEnd) {
        Random random = new Random(seed);
        Map<String, Long> open = new HashMap<>();
        Node node = new Node();
        node.send(EventRecord.session(EventType.SESSION_STARTED, node.now));
        int steps = random.nextInt(250);
        for (long i = 0; i < steps; i++) {
            beforeEachStep.accept(node);
            step(node, random, open, i);
        }
        atTheEnd.accept(node);
    }

    @Test
    void anEncoderThatReusesBytesWritesTheSameFrameAsANewOne() {
        for (long seed = 1; seed <= 10; seed++) {
            MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
            long[] copied = new long[1];
            String what = "seed " + seed;
            history(
                    seed,
                    node -> {
                        MetricsSnapshot snapshot = node.tick();
                        MsgpackSnapshotCodec fresh = new MsgpackSnapshotCodec();
                        assertThat(codec.encode(snapshot)).as(what).isEqualTo(fresh.encode(snapshot));
                        copied[0] += fresh.encodedParts() - codec.encodedParts();
                    },
                    node -> {});
            assertThat(copied[0]).as("parts copied, " + what).isPositive();
        }
    }

    /** What a tick copies from the folds, without the identity of the run and the cost of the daemon. */
    private static List<Object> content(MetricsSnapshot snapshot) {
        List<Object> content = new ArrayList<>();
        for (Metric metric : snapshot.metrics()) {
            boolean ofTicks = metric.name().startsWith("ticks_");
            content.add(metric instanceof SeriesMetric series ? bytes(series) : ofTicks ? "" : metric);
        }
        Slices slices = snapshot.extensions().slices();
        content.add(slices.outside());
        slices.columns().forEach(column -> content.add(column.name() + Arrays.toString(column.values())));
        content.add(snapshot.extensions().workers());
        content.add(snapshot.extensions().errors());
        content.add(snapshot.extensions().malformed());
        content.add(snapshot.extensions().slowest());
        // Its age counts from the tick that first saw the newest record.
        content.add(snapshot.extensions().inFlight().count());
        content.add(snapshot.extensions().optional());
        return content;
    }

    private static String bytes(SeriesMetric series) {
        MetricsSnapshot alone =
                new MetricsSnapshot(1, 1, SessionState.LIVE, 0, List.of(series), SnapshotExtensions.NONE);
        return series.name() + Arrays.hashCode(new MsgpackSnapshotCodec().encode(alone));
    }

    @Test
    void aRunThatTickedBeforeEachRecordShowsTheSameAsOneThatTicksOnce() {
        for (long seed = 1; seed <= 20; seed++) {
            List<List<Object>> ends = new ArrayList<>();
            history(seed, Node::tick, node -> ends.add(content(node.tick())));
            history(seed, node -> {}, node -> ends.add(content(node.tick())));
            for (int i = 0; i < ends.get(0).size(); i++) {
                assertThat(ends.get(0).get(i))
                        .as("seed " + seed)
                        .isEqualTo(ends.get(1).get(i));
            }
        }
    }

    @Test
    void aTickWithoutRecordsRendersNoSeriesAndEncodesNoMetricAgain() {
        Node node = new Node();
        node.send(EventRecord.session(EventType.SESSION_STARTED, node.now));
        for (int i = 0; i < 200; i++) {
            node.send(EventRecord.sample(EventType.SAMPLE_ISSUED, node.now, "s" + i));
            node.send(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, node.now + 1000 * i, "s" + i));
            node.now += SECOND / 10;
            node.send(EventRecord.sample(EventType.SAMPLE_COMPLETE, node.now + 5000 * i, "s" + i));
        }
        MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
        node.now += SECOND;
        MetricsSnapshot before = node.tick();
        codec.encode(before);
        int others = codec.encodedParts() - before.metrics().size();
        assertThat(before.metrics()).hasSizeGreaterThan(60);
        node.now += SECOND / 4;
        MetricsSnapshot after = node.tick();
        codec.encode(after);
        // Of the others the slices are copied, too.
        assertThat(codec.encodedParts()).isBetween(1, others - 1);
        for (int i = 0; i < after.metrics().size(); i++) {
            if (after.metrics().get(i) instanceof SeriesMetric series && series.count() > 0) {
                assertThat(series)
                        .as("%s is not rendered again", series.name())
                        .isSameAs(before.metrics().get(i));
            }
        }
        assertThat(after.extensions().slices()).isSameAs(before.extensions().slices());
    }
}
