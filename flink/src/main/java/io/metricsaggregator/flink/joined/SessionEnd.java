package io.metricsaggregator.flink.joined;

import java.io.IOException;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.jspecify.annotations.Nullable;

/**
 * Decides which {@code session.ended} of several nodes ends a run: the one with which as many nodes have ended as have started. An earlier one is held until
 * a later one takes its place, or no message comes any more. In the keyed state of its function, on the thread of its task.
 */
final class SessionEnd {
    private static final int STARTED = 1;
    private static final int ENDED = 2;

    private final MapState<String, Integer> nodes;
    private final ValueState<byte[]> held;
    private final ValueState<Boolean> hasEnded;

    SessionEnd(RuntimeContext context) {
        nodes = context.getMapState(new MapStateDescriptor<>("session-nodes", Types.STRING, Types.INT));
        held = context.getState(
                new ValueStateDescriptor<>("session-end", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
        hasEnded = context.getState(new ValueStateDescriptor<>("session-ended", Types.BOOLEAN));
    }

    /** Whether the end of the session was let through. */
    boolean hasEnded() throws IOException {
        return hasEnded.value() != null;
    }

    /** Notes that the session of a node starts or ends with a record; other records are of no effect. */
    void note(PendingRecord record) throws Exception {
        byte rank = record.record().rank();
        if (rank == NodeRecord.RANK_STARTED || rank == NodeRecord.RANK_ENDED) {
            Integer known = nodes.get(record.node());
            nodes.put(record.node(), (known == null ? 0 : known) | (rank == NodeRecord.RANK_STARTED ? STARTED : ENDED));
        }
    }

    /** Whether as many nodes have ended as have started. */
    boolean isWhole() throws Exception {
        int open = 0;
        for (Integer each : nodes.values()) {
            open += (each & STARTED) != 0 ? 1 : 0;
            open -= (each & ENDED) != 0 ? 1 : 0;
        }
        return open <= 0;
    }

    /** Holds the end of a node in the place of an earlier one. */
    void hold(PendingRecord record) throws IOException {
        held.update(record.encode());
    }

    /** Notes that the end of the session is let through. */
    void end() throws IOException {
        held.clear();
        hasEnded.update(true);
    }

    /** The end that is held; null if there is none. */
    @Nullable
    PendingRecord held() throws IOException {
        byte[] state = held.value();
        return state == null ? null : PendingRecord.decode(state);
    }

    /** Forgets everything. */
    void clear() {
        nodes.clear();
        held.clear();
        hasEnded.clear();
    }
}
