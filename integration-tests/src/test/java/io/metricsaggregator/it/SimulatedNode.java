package io.metricsaggregator.it;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.fold.series.Streaming;
import io.metricsaggregator.producer.FramePublisher;
import io.metricsaggregator.publish.SnapshotDraft;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.run.RunJournal;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A run of a daemon in this process: folds the events that a test gives it, and publishes a snapshot over a socket when the test says so. */
final class SimulatedNode implements AutoCloseable {
    private static final Duration PATIENCE = Await.PATIENCE;
    private static final long MILLI = 1_000_000L;

    private final EventEncoder encoder = new EventEncoder();
    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    private final ByteBuffer received = ByteBuffer.allocateDirect(1 << 20);
    private final String name;
    private final LiveRun run;
    private FramePublisher publisher;
    private long samples;
    private long nowNanos = 1_000_000_000_000L;

    /** Starts the run of a node with histograms of three significant figures. */
    SimulatedNode(String name) throws IOException {
        this(name, 3);
    }

    SimulatedNode(String name, int significantFigures) throws IOException {
        RunConfig config = RunConfig.builder()
                .version("test")
                .streaming(Streaming.ON)
                .significantFigures(significantFigures)
                .node(name)
                .build();
        this.name = name;
        this.run = new RunAssembler(config, new RunResources(null, 1_000_000, 1L << 26, null), () -> nowNanos)
                .live(250 * MILLI, RunJournal.open(null, config));
    }

    String name() {
        return name;
    }

    String runId() {
        return snapshot(SessionState.LIVE).extensions().run().runId();
    }

    /** Connects to fleets and waits until each has subscribed. */
    SimulatedNode connect(String... endpoints) throws IOException {
        publisher = new FramePublisher(
                Arrays.stream(endpoints).map(each -> Endpoint.parse(each, true)).toList(),
                TransportOptions.defaults(),
                1 << 24);
        if (!publisher.awaitSubscribers(endpoints.length, PATIENCE)) {
            throw new AssertionError(name + " has no subscriber");
        }
        return this;
    }

    /** Closes the connections, as when the process is killed; the run stays, as in a journal. */
    void disconnect() throws IOException {
        publisher.close();
    }

    /** Applies a frame of events: topic and payload. */
    void apply(byte[] frame) {
        received.clear();
        received.put(frame).flip();
        run.ingest().onFrame(received, 0, frame.length);
        run.ingest().onBurstEnd();
    }

    /** Starts the session and its tracked window. */
    SimulatedNode start() {
        apply(EventRecord.session(EventType.SESSION_STARTED, nowNanos));
        apply(EventRecord.session(EventType.SESSION_START_PERFORMANCE_TRACKING, nowNanos));
        return this;
    }

    /** Completes samples of random durations. */
    SimulatedNode complete(int count, Random random) {
        for (int i = 0; i < count; i++) {
            String id = name + "-" + samples++;
            long first = nowNanos + (1 + random.nextInt(900)) * MILLI + random.nextInt(1000);
            apply(EventRecord.sample(EventType.SAMPLE_ISSUED, nowNanos, id));
            apply(EventRecord.sample(EventType.SAMPLE_RECV_FIRST, first, id));
            apply(EventRecord.sample(EventType.SAMPLE_RECV_NON_FIRST, first + random.nextInt(50_000_000), id));
            apply(EventRecord.sample(EventType.SAMPLE_COMPLETE, first + (50 + random.nextInt(900)) * MILLI, id));
            nowNanos += MILLI;
        }
        return this;
    }

    private void apply(EventRecord event) {
        apply(Topic.frame(event.type().wireName(), encoder.encode(event)));
    }

    /** The next snapshot of the run. */
    MetricsSnapshot snapshot(SessionState state) {
        SnapshotDraft draft = run.take(nowNanos, new TransportStats());
        return new MetricsSnapshot(
                draft.counter(), nowNanos, state, 0, draft.metrics().render(), draft.extensions());
    }

    /** Publishes the next snapshot and returns it. */
    MetricsSnapshot publish(SessionState state) throws IOException {
        MetricsSnapshot next = snapshot(state);
        publish(next);
        return next;
    }

    /** Publishes a snapshot. */
    void publish(MetricsSnapshot snapshot) throws IOException {
        publisher.publish(Topic.frame(Topic.METRICS, codec.encode(snapshot)));
    }

    /** Publishes any bytes. */
    void publish(byte[] frame) throws IOException {
        publisher.publish(frame);
    }

    @Override
    public void close() throws IOException {
        if (publisher != null) {
            publisher.close();
        }
    }

    /** Closes all. */
    static void close(List<SimulatedNode> nodes) throws IOException {
        for (SimulatedNode each : nodes) {
            each.close();
        }
    }
}
