package io.metricsaggregator.flink.joined;

import io.metricsaggregator.flink.stream.ExplicitSerializer;
import io.metricsaggregator.flink.stream.ExplicitType;
import io.metricsaggregator.flink.stream.FrameCountsBytes;
import io.metricsaggregator.run.FrameCounts;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes what whole journals say between their readers and the fold. Stateless. */
public final class NodeFactsSerializer extends ExplicitSerializer<NodeFacts> {
    private static final long serialVersionUID = 1;

    static final NodeFactsSerializer INSTANCE = new NodeFactsSerializer();
    /** The type of a stream of facts. */
    static final TypeInformation<NodeFacts> TYPE = new ExplicitType<>(NodeFacts.class, INSTANCE);

    private static final NodeFacts NONE = new NodeFacts(0, FrameCounts.NONE, null);

    @Override
    public NodeFacts createInstance() {
        return NONE;
    }

    @Override
    public void serialize(NodeFacts facts, DataOutputView target) throws IOException {
        target.writeInt(facts.node());
        FrameCountsBytes.write(facts.frames(), target);
        NodeRecord ended = facts.ended();
        target.writeBoolean(ended != null);
        if (ended != null) {
            NodeRecordSerializer.INSTANCE.serialize(ended, target);
        }
    }

    @Override
    public NodeFacts deserialize(DataInputView source) throws IOException {
        int node = source.readInt();
        FrameCounts frames = FrameCountsBytes.read(source);
        return new NodeFacts(
                node, frames, source.readBoolean() ? NodeRecordSerializer.INSTANCE.deserialize(source) : null);
    }

    @Override
    public TypeSerializerSnapshot<NodeFacts> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Names the serializer in savepoints. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<NodeFacts> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
