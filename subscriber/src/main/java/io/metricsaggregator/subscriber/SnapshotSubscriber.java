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
 * Follows the snapshots of a daemon, which may be started before or after. Everything happens in the calls of one thread: between
 * them nothing is received, and a daemon keeps no more than its latest snapshot for a subscriber that is behind.
 */
public final class SnapshotSubscriber implements Closeable {
    private static final int TOPIC_LENGTH = 40;
    private static final byte[] TOPIC = {'M', 'E', 'T'};
    private static final long TURN_NANOS = 50_000_000L;

    /** Which snapshots {@link #next} gives. */
    public enum Mode {
        /** The newest one there is; older ones that came meanwhile are left out. */
        LATEST,
        /** Each one that was received, in order. */
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
     * @param endpoints where the daemon publishes; connected to, unless they say to bind
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
     * The next snapshot.
     *
     * @return null if none came in time
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
        // A smaller number is that of a daemon that was started anew.
        if (counter > lastCounter + 1 && lastCounter > 0) {
            missed += counter - lastCounter - 1;
        }
        lastCounter = counter;
        terminal = snapshot.state().isTerminal() ? snapshot : null;
        return snapshot;
    }

    /**
     * Waits for the snapshot that ends the run. Once it has been seen it is given again at once.
     *
     * @return null if it did not come in time
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

    /** Whether a daemon is connected and sends what it takes from now on. */
    public boolean connected() {
        return source.ready();
    }

    /** Daemons that are connected, whether or not the subscription has reached them. */
    public int publishers() {
        return source.peers();
    }

    /** Snapshots that were built and not received, by the gaps in their numbers. */
    public long missed() {
        return missed;
    }

    /** Frames that were no snapshots, and were left out. */
    public long foreign() {
        return foreign;
    }

    @Override
    public void close() {
        transport.close();
    }
}
