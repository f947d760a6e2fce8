package io.metricsaggregator.subscriber;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.FrameHandler;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the snapshots of a daemon, which may be started before or after the subscriber. Not thread-safe. Frames are received only
 * within the calls; for a slow subscriber the daemon keeps its latest snapshot only.
 */
public final class SnapshotSubscriber implements Closeable {
    private static final int TOPIC_LENGTH = 40;
    private static final byte[] TOPIC = {'M', 'E', 'T'};
    private static final long TURN_NANOS = 50_000_000L;

    /** The snapshots that {@link #next} returns. */
    public enum Mode {
        /** The newest one received; older ones are skipped. */
        LATEST,
        /** Every one received, in order. */
        EVERY
    }

    private final Transport transport;
    private final FrameSource source;
    private final Mode mode;
    private final MsgpackSnapshotCodec codec = new MsgpackSnapshotCodec();
    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private @Nullable MetricsSnapshot terminal;
    private long lastCounter;
    private long missed;
    private long foreign;

    /**
     * Opens a subscriber.
     *
     * @param endpoints the endpoints where the daemon publishes
     */
    public SnapshotSubscriber(List<Endpoint> endpoints, TransportOptions options, Mode mode) throws IOException {
        this.mode = mode;
        this.transport = Transports.open(options);
        try {
            this.source = transport.openSource(endpoints, new Frames());
        } catch (IOException e) {
            transport.close();
            throw e;
        }
    }

    private final class Frames implements FrameHandler {
        @Override
        public void onFrame(ByteBuffer buffer, int start, int length) {
            if (!isSnapshot(buffer, start, length)) {
                foreign++;
                return;
            }
            if (mode == Mode.LATEST) {
                frames.clear();
            }
            byte[] payload = new byte[length - TOPIC_LENGTH];
            buffer.get(start + TOPIC_LENGTH, payload);
            frames.add(payload);
        }
    }

    private static boolean isSnapshot(ByteBuffer buffer, int start, int length) {
        if (length <= TOPIC_LENGTH) {
            return false;
        }
        for (int i = 0; i < TOPIC_LENGTH; i++) {
            if (buffer.get(start + i) != (i < TOPIC.length ? TOPIC[i] : 0)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Waits for the next snapshot.
     *
     * @return null on timeout
     */
    public @Nullable MetricsSnapshot next(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            if (frames.isEmpty()) {
                transport.poll(Math.max(0, Math.min(left, TURN_NANOS)));
            } else if (mode == Mode.LATEST) {
                transport.poll(0);
            }
            byte[] payload = frames.poll();
            if (payload != null) {
                MetricsSnapshot snapshot = decode(payload);
                if (snapshot != null) {
                    return snapshot;
                }
            } else if (left <= 0) {
                return null;
            }
        }
    }

    private @Nullable MetricsSnapshot decode(byte[] payload) {
        MetricsSnapshot snapshot;
        try {
            snapshot = codec.decode(ByteBuffer.wrap(payload));
        } catch (MalformedMessageException | IllegalArgumentException e) {
            foreign++;
            return null;
        }
        long counter = snapshot.counter();
        // A smaller number comes from a restarted daemon.
        if (counter > lastCounter + 1 && lastCounter > 0) {
            missed += counter - lastCounter - 1;
        }
        lastCounter = counter;
        terminal = snapshot.state().isTerminal() ? snapshot : null;
        return snapshot;
    }

    /**
     * Waits for the terminal snapshot. Once received, it is returned at once by later calls.
     *
     * @return null on timeout
     */
    public @Nullable MetricsSnapshot awaitTerminal(Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (terminal == null) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return null;
            }
            next(Duration.ofNanos(left));
        }
        return terminal;
    }

    /** Whether a daemon is connected and the subscription is in effect. */
    public boolean connected() {
        return source.ready();
    }

    /** Number of connected daemons, whether or not the subscription has reached them. */
    public int publishers() {
        return source.peers();
    }

    /** Number of snapshots missed, from the gaps in their numbers. */
    public long missed() {
        return missed;
    }

    /** Number of malformed frames, which were skipped. */
    public long foreign() {
        return foreign;
    }

    @Override
    public void close() {
        transport.close();
    }
}
