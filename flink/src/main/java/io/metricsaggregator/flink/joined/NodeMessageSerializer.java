package io.metricsaggregator.flink.joined;

import io.metricsaggregator.flink.stream.ExplicitSerializer;
import io.metricsaggregator.flink.stream.ExplicitType;
import io.metricsaggregator.flink.stream.FrameCountsBytes;
import io.metricsaggregator.run.FrameCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/** Writes messages of nodes between the source and the join. Stateless. */
public final class NodeMessageSerializer extends ExplicitSerializer<NodeMessage> {
    private static final long serialVersionUID = 1;

    static final NodeMessageSerializer INSTANCE = new NodeMessageSerializer();
    /** The type of a stream of messages. */
    public static final TypeInformation<NodeMessage> TYPE = new ExplicitType<>(NodeMessage.class, INSTANCE);

    private static final NodeMessage NONE = new NodeMessage(
            new NodeMessage.Place("", "", 0, 0, NodeMessage.NOT_NUMBERED), Long.MIN_VALUE, FrameCounts.NONE, List.of());

    @Override
    public NodeMessage createInstance() {
        return NONE;
    }

    @Override
    public void serialize(NodeMessage message, DataOutputView target) throws IOException {
        NodeMessage.Place place = message.place();
        StringValue.writeString(place.run(), target);
        StringValue.writeString(place.node(), target);
        target.writeInt(place.partition());
        target.writeLong(place.offset());
        target.writeLong(place.sequence());
        target.writeLong(message.newestNanos());
        FrameCountsBytes.write(message.frames(), target);
        target.writeInt(message.records().size());
        for (NodeRecord each : message.records()) {
            NodeRecordSerializer.INSTANCE.serialize(each, target);
        }
    }

    @Override
    public NodeMessage deserialize(DataInputView source) throws IOException {
        NodeMessage.Place place = new NodeMessage.Place(
                StringValue.readString(source),
                StringValue.readString(source),
                source.readInt(),
                source.readLong(),
                source.readLong());
        long newestNanos = source.readLong();
        FrameCounts frames = FrameCountsBytes.read(source);
        int size = source.readInt();
        List<NodeRecord> records = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            records.add(NodeRecordSerializer.INSTANCE.deserialize(source));
        }
        return new NodeMessage(place, newestNanos, frames, records);
    }

    @Override
    public TypeSerializerSnapshot<NodeMessage> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Names the serializer in savepoints. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<NodeMessage> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
