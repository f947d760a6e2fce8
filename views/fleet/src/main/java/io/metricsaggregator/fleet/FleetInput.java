package io.metricsaggregator.fleet;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotReader;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SnapshotOutline;
import io.metricsaggregator.transport.FrameHandler;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decodes received frames and hands their snapshots to the node table. Belongs to the main loop. */
final class FleetInput implements FrameHandler {
    private static final Logger LOG = LoggerFactory.getLogger(FleetInput.class);
    private static final byte[] TOPIC = Topic.pad(Topic.METRICS);
    private static final long MIB = 1L << 20;

    /** Largest snapshot of a node in bytes: a sixty-fourth of the heap, from 1 to 16 MiB. */
    static final long FRAME_MAX_BYTES =
            Math.max(MIB, Math.min(16 * MIB, Runtime.getRuntime().maxMemory() / 64));

    private final NodeTable table;
    private final FleetSum sum;
    private final @Nullable FleetState state;
    private final LongSupplier nanos;
    private final LongSupplier wallNanos;
    private final SnapshotOutline outline = new SnapshotOutline();
    /** The payload of a frame while it is read; grows to the largest one. */
    private byte[] received = {};

    private boolean oversizeLogged;

    /**
     * An input.
     *
     * @param state keeps snapshots of ended nodes; null for none
     * @param nanos the monotonic clock
     * @param wallNanos the wall clock, in nanoseconds since 1970 UTC
     */
    FleetInput(NodeTable table, FleetSum sum, @Nullable FleetState state, LongSupplier nanos, LongSupplier wallNanos) {
        this.table = table;
        this.sum = sum;
        this.state = state;
        this.nanos = nanos;
        this.wallNanos = wallNanos;
    }

    @Override
    public void onFrame(ByteBuffer buffer, int start, int length) {
        if (!isSnapshot(buffer, start, length)) {
            table.discard();
            return;
        }
        if (length > FRAME_MAX_BYTES) {
            table.discard();
            if (!oversizeLogged) {
                oversizeLogged = true;
                LOG.warn("snapshot discarded bytes={} limit_bytes={}", length, FRAME_MAX_BYTES);
            }
            return;
        }
        int size = length - Topic.LENGTH;
        if (received.length < size) {
            received = new byte[Math.max(size, Math.min(2 * received.length, (int) FRAME_MAX_BYTES))];
        }
        buffer.get(start + Topic.LENGTH, received, 0, size);
        accept(received, size);
    }

    private static boolean isSnapshot(ByteBuffer buffer, int start, int length) {
        if (length <= Topic.LENGTH) {
            return false;
        }
        byte[] topic = new byte[Topic.LENGTH];
        buffer.get(start, topic);
        return Arrays.equals(topic, TOPIC);
    }

    /**
     * Takes the payload of one frame; returns the node that counts it, null if none does.
     *
     * @param payload starts with the payload; it may be written over afterwards
     * @param length bytes of the payload
     */
    @Nullable
    FleetNode accept(byte[] payload, int length) {
        MetricsSnapshot snapshot;
        MsgpackSnapshotReader reader;
        try {
            outline.read(payload, length);
            String runId = outline.runId();
            FleetNode known = runId == null ? null : table.node(runId);
            reader = known == null ? new MsgpackSnapshotReader() : known.reader();
            snapshot = reader.read(outline);
        } catch (MalformedMessageException e) {
            LOG.debug("frame discarded: {}", e.getMessage());
            table.discard();
            return null;
        }
        NodeTable.Outcome outcome =
                table.accept(snapshot, reader, nanos.getAsLong(), wallNanos.getAsLong(), sum::objection);
        SnapshotExtensions extensions = snapshot.extensions();
        FleetNode node =
                extensions.isNone() ? null : table.node(extensions.run().runId());
        if (outcome == NodeTable.Outcome.IGNORED || node == null) {
            return null;
        }
        NodeFrame frame = node.frame();
        if (outcome == NodeTable.Outcome.FIRST && frame != null) {
            sum.joined(frame);
        }
        if (state != null) {
            state.hold(node.runId(), Arrays.copyOf(payload, length));
            if (node.isEnded()) {
                state.store(node.runId());
            }
        }
        return node;
    }
}
