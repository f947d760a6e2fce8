package io.metricsaggregator.flink.stream;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/** Writes snapshots of runs between the fold and the files. Stateless. */
public final class RunSnapshotSerializer extends ExplicitSerializer<RunSnapshot> {
    private static final long serialVersionUID = 1;

    static final RunSnapshotSerializer INSTANCE = new RunSnapshotSerializer();
    /** The type of a stream of snapshots. */
    public static final TypeInformation<RunSnapshot> TYPE = new ExplicitType<>(RunSnapshot.class, INSTANCE);

    private static final RunSnapshot NONE = new RunSnapshot("", false, new byte[0]);

    @Override
    public RunSnapshot createInstance() {
        return NONE;
    }

    @Override
    public void serialize(RunSnapshot snapshot, DataOutputView target) throws IOException {
        StringValue.writeString(snapshot.run(), target);
        target.writeBoolean(snapshot.terminal());
        writeBytes(snapshot.json(), target);
    }

    @Override
    public RunSnapshot deserialize(DataInputView source) throws IOException {
        return new RunSnapshot(StringValue.readString(source), source.readBoolean(), readBytes(source));
    }

    @Override
    public TypeSerializerSnapshot<RunSnapshot> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Names the serializer in savepoints. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<RunSnapshot> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
