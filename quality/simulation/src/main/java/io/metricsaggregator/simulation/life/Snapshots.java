package io.metricsaggregator.simulation.life;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.MsgpackSnapshotCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads snapshots from the wire and from files. */
final class Snapshots {
    /** Only decodes: one that encodes copies what it encoded before, and must be new each time to check the daemon's, which does so too. */
    private static final MsgpackSnapshotCodec DECODER = new MsgpackSnapshotCodec();

    private Snapshots() {}

    static MetricsSnapshot ofFrame(byte[] frame) throws MalformedMessageException {
        return DECODER.decode(ByteBuffer.wrap(Arrays.copyOfRange(frame, Topic.LENGTH, frame.length)));
    }

    /** Whether a snapshot encodes to the payload of the frame that it was decoded from. */
    static boolean encodesTo(MetricsSnapshot snapshot, byte[] frame) {
        byte[] encoded = new MsgpackSnapshotCodec().encode(snapshot);
        return Arrays.equals(encoded, 0, encoded.length, frame, Topic.LENGTH, frame.length);
    }

    /** Reads a file; null if it is missing or not a whole snapshot. */
    static @Nullable MetricsSnapshot ofJson(byte @Nullable [] json) {
        if (json == null) {
            return null;
        }
        try {
            return new JsonSnapshotCodec().decode(ByteBuffer.wrap(json));
        } catch (MalformedMessageException e) {
            return null;
        }
    }

    /** The id of the run that a snapshot shows. */
    static String runId(MetricsSnapshot snapshot) {
        return String.valueOf(snapshot.extensions().run().runId());
    }
}
