package io.metricsaggregator.flink.sample;

import io.metricsaggregator.flink.stream.ExplicitSerializer;
import io.metricsaggregator.flink.stream.ExplicitType;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/** Writes messages between head, samples and totals. Stateless. */
public final class SampleMessageSerializer extends ExplicitSerializer<SampleMessage> {
    private static final long serialVersionUID = 1;

    static final SampleMessageSerializer INSTANCE = new SampleMessageSerializer();
    /** The type of a stream of messages. */
    static final TypeInformation<SampleMessage> TYPE = new ExplicitType<>(SampleMessage.class, INSTANCE);

    private static final SampleMessage NONE = new SampleMessage("", SampleMessage.Kind.EVENT, "", 0, new byte[0]);
    private static final SampleMessage.Kind[] KINDS = SampleMessage.Kind.values();

    @Override
    public SampleMessage createInstance() {
        return NONE;
    }

    @Override
    public void serialize(SampleMessage message, DataOutputView target) throws IOException {
        StringValue.writeString(message.run(), target);
        target.writeByte(message.kind().ordinal());
        StringValue.writeString(message.sample(), target);
        target.writeLong(message.events());
        writeBytes(message.bytes(), target);
    }

    @Override
    public SampleMessage deserialize(DataInputView source) throws IOException {
        return new SampleMessage(
                StringValue.readString(source),
                KINDS[source.readByte()],
                StringValue.readString(source),
                source.readLong(),
                readBytes(source));
    }

    @Override
    public TypeSerializerSnapshot<SampleMessage> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Names the serializer in savepoints. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<SampleMessage> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
