package io.metricsaggregator.flink.stream;

import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/** Writes frames of runs between the source and the fold. Stateless. */
public final class RunFrameSerializer extends ExplicitSerializer<RunFrame> {
    private static final long serialVersionUID = 1;

    static final RunFrameSerializer INSTANCE = new RunFrameSerializer();
    /** The type of a stream of frames. */
    public static final TypeInformation<RunFrame> TYPE = new ExplicitType<>(RunFrame.class, INSTANCE);

    private static final RunFrame NONE = new RunFrame("", 0, RunFrame.NOT_NUMBERED, 0, 0, new byte[0]);

    @Override
    public RunFrame createInstance() {
        return NONE;
    }

    @Override
    public void serialize(RunFrame frame, DataOutputView target) throws IOException {
        StringValue.writeString(frame.run(), target);
        target.writeInt(frame.source());
        target.writeLong(frame.sequence());
        target.writeLong(frame.nanos());
        target.writeLong(frame.wallNanos());
        writeBytes(frame.frame(), target);
    }

    @Override
    public RunFrame deserialize(DataInputView source) throws IOException {
        return new RunFrame(
                StringValue.readString(source),
                source.readInt(),
                source.readLong(),
                source.readLong(),
                source.readLong(),
                readBytes(source));
    }

    @Override
    public TypeSerializerSnapshot<RunFrame> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Names the serializer in savepoints. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<RunFrame> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
