package io.metricsaggregator.flink.joined;

import io.metricsaggregator.flink.stream.ExplicitSerializer;
import io.metricsaggregator.flink.stream.ExplicitType;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes records between the readers of journals and the fold, and while they are sorted. Stateless. */
public final class NodeRecordSerializer extends ExplicitSerializer<NodeRecord> {
    private static final long serialVersionUID = 1;

    static final NodeRecordSerializer INSTANCE = new NodeRecordSerializer();
    /** The type of a stream of records. */
    static final TypeInformation<NodeRecord> TYPE = new ExplicitType<>(NodeRecord.class, INSTANCE);

    private static final NodeRecord NONE = new NodeRecord(0, (byte) 0, 0, 0, 0, 0, new byte[0]);

    @Override
    public NodeRecord createInstance() {
        return NONE;
    }

    @Override
    public void serialize(NodeRecord record, DataOutputView target) throws IOException {
        target.writeLong(record.nanos());
        target.writeByte(record.rank());
        target.writeInt(record.node());
        target.writeLong(record.position());
        target.writeLong(record.receivedNanos());
        target.writeLong(record.shiftNanos());
        writeBytes(record.bytes(), target);
    }

    @Override
    public NodeRecord deserialize(DataInputView source) throws IOException {
        return new NodeRecord(
                source.readLong(),
                source.readByte(),
                source.readInt(),
                source.readLong(),
                source.readLong(),
                source.readLong(),
                readBytes(source));
    }

    @Override
    public TypeSerializerSnapshot<NodeRecord> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Names the serializer in savepoints. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<NodeRecord> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
