package io.metricsaggregator.benchmarks;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.publish.SnapshotDraft;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Snapshot frames of a simulated daemon, made by a daemon's own fold from synthetic events in simulated time: 64 workers, streamed answers, durations
 * that spread over three decades. The run is simulated until its frame has the wanted size; from there on one frame an interval is kept.
 */
final class NodeFrames {
    /** Name of the node in the frames; a sender writes another of the same length over it. */
    static final String NODE = "node-0000";

    private static final long SECOND = 1_000_000_000L;
    private static final int WORKERS = 64;
    private static final int SAMPLES_PER_SECOND = 60;
    private static final int CHUNKS = 12;
    private static final int BATCH = 200;
    private static final long SIMULATED_MAX_SECONDS = 4 * 3600;

    private final Random random = new Random(42);
    private final PriorityQueue<EventRecord> due =
            new PriorityQueue<>((a, b) -> Long.compare(a.timestampNanos(), b.timestampNanos()));
    private final EventEncoder encoder = new EventEncoder();
    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    private final ByteBuffer frame = ByteBuffer.allocateDirect(1 << 20);
    private final List<byte[]> batch = new ArrayList<>();
    private final long[] numbers = new long[WORKERS];
    private final LiveRun run;
    private final long startNanos = 1000 * SECOND;
    private long nowNanos = startNanos;
    private long samples;

    private NodeFrames() throws IOException {
        RunConfig config = RunConfig.builder()
                .version("benchmark")
                .streaming(Streaming.ON)
                .trackAll(true)
                .node(NODE)
                .build();
        this.run = new RunAssembler(config, new RunResources(null, 1_000_000, 1L << 28, null), () -> nowNanos)
                .live(SECOND / 4, RunJournal.open(null, config));
    }

    /**
     * The frames of a node.
     *
     * @param live one for each interval, the first of at least the wanted size
     * @param last the terminal one
     */
    record Sequence(List<Template> live, Template last) {
        Sequence {
            live = List.copyOf(live);
        }
    }

    /** Simulates a run whose frames have at least {@code bytes} bytes, and {@code count} intervals of it. */
    static Sequence simulate(int bytes, int count, long intervalNanos) throws IOException {
        NodeFrames node = new NodeFrames();
        node.publish(EventRecord.session(EventType.SESSION_STARTED, node.startNanos));
        byte[] first;
        do {
            node.advance(10 * SECOND);
            first = node.snapshot(SessionState.LIVE);
            if (node.nowNanos - node.startNanos > SIMULATED_MAX_SECONDS * SECOND) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "frames have %,d bytes after %,d simulated seconds, not %,d",
                        first.length,
                        SIMULATED_MAX_SECONDS,
                        bytes));
            }
        } while (first.length < bytes);
        String id = node.run
                .take(node.nowNanos, new TransportStats())
                .extensions()
                .run()
                .runId();
        List<Template> frames = new ArrayList<>(List.of(new Template(first, id)));
        while (frames.size() < count) {
            node.advance(intervalNanos);
            frames.add(new Template(node.snapshot(SessionState.LIVE), id));
        }
        return new Sequence(frames, new Template(node.snapshot(SessionState.COMPLETE), id));
    }

    private byte[] snapshot(SessionState state) {
        SnapshotDraft draft = run.take(nowNanos, new TransportStats());
        SnapshotExtensions extensions = draft.extensions();
        return Topic.frame(
                Topic.METRICS,
                codec.encode(new MetricsSnapshot(
                        draft.counter(), nowNanos, state, 0, draft.metrics().render(), extensions)));
    }

    private void advance(long nanos) {
        long until = nowNanos + nanos;
        long step = SECOND / SAMPLES_PER_SECOND;
        while (startNanos + samples * step < until) {
            plan(startNanos + samples * step);
            samples++;
        }
        while (!due.isEmpty() && due.peek().timestampNanos() < until) {
            publish(due.remove());
        }
        flush();
        nowNanos = until;
        run.sampleRates(nowNanos);
    }

    /** Plans the events of a sample. */
    private void plan(long issuedNanos) {
        String id = String.format(Locale.ROOT, "%032x", samples);
        due.add(EventRecord.sample(EventType.SAMPLE_ISSUED, issuedNanos, id).scheduledAt(issuedNanos - spread(2e6, 1)));
        long nanos = issuedNanos + spread(2e8, 0.9);
        due.add(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, nanos, id));
        for (int i = 1; i < CHUNKS; i++) {
            nanos += spread(3e7, 0.8);
            due.add(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, nanos, id));
        }
        if (samples % 50 == 0) {
            due.add(EventRecord.sample(EventType.ERROR_CLIENT, nanos, id));
        }
        due.add(EventRecord.sample(EventType.SAMPLE_COMPLETE, nanos + spread(1e6, 0.5), id));
    }

    private long spread(double median, double sigma) {
        return Math.round(median * Math.exp(sigma * random.nextGaussian()));
    }

    private void publish(EventRecord event) {
        int worker = event.sampleUuid().isEmpty()
                ? 0
                : Math.floorMod(event.sampleUuid().hashCode(), WORKERS);
        batch.add(encoder.encode(event.from(worker, numbers[worker]++)));
        if (batch.size() == BATCH) {
            flush();
        }
    }

    private void flush() {
        if (batch.isEmpty()) {
            return;
        }
        frame.clear();
        frame.put(Topic.pad(Topic.BATCH)).put((byte) 0xdc).putShort((short) batch.size());
        for (byte[] record : batch) {
            frame.put((byte) 0xc5).putShort((short) record.length).put(record);
        }
        batch.clear();
        frame.flip();
        run.ingest().onFrame(frame, 0, frame.limit());
        run.ingest().onBurstEnd();
    }

    /** A frame in which run, node and time can be written over. */
    static final class Template {
        private static final byte[] WALL = {(byte) 0xa7, 'w', 'a', 'l', 'l', '_', 'n', 's'};

        private final byte[] bytes;
        private final List<Integer> runAt;
        private final List<Integer> nodeAt;
        private final int wallAt;

        Template(byte[] bytes, String runId) {
            this.bytes = bytes;
            this.runAt = places(bytes, runId.getBytes(StandardCharsets.UTF_8));
            this.nodeAt = places(bytes, NODE.getBytes(StandardCharsets.UTF_8));
            // The key, then the byte of the type and eight of the number.
            this.wallAt = places(bytes, WALL).get(0) + WALL.length + 1;
            if (runAt.isEmpty() || nodeAt.isEmpty()) {
                throw new IllegalStateException("a frame names no run or no node");
            }
        }

        int length() {
            return bytes.length;
        }

        /** The frame of a node, by its number up to 9999, sent now. */
        byte[] of(int node) {
            byte[] number = String.format(Locale.ROOT, "%04d", node).getBytes(StandardCharsets.UTF_8);
            byte[] own = bytes.clone();
            runAt.forEach(at -> System.arraycopy(number, 0, own, at, number.length));
            nodeAt.forEach(at -> System.arraycopy(number, 0, own, at + NODE.length() - number.length, number.length));
            ByteBuffer.wrap(own).putLong(wallAt, System.currentTimeMillis() * 1_000_000);
            return own;
        }

        private static List<Integer> places(byte[] bytes, byte[] text) {
            List<Integer> places = new ArrayList<>();
            for (int at = 0; at + text.length <= bytes.length; at++) {
                if (bytes[at] == text[0] && Arrays.equals(bytes, at, at + text.length, text, 0, text.length)) {
                    places.add(at);
                }
            }
            return places;
        }
    }
}
