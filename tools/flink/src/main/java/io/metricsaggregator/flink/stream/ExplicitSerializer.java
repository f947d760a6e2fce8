package io.metricsaggregator.flink.stream;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A serializer of one immutable class, which needs no copies. Its subclasses write each field in a fixed order; they are used between operators only, so
 * a change of the form needs no migration: what lies in a savepoint is bytes with a version of their own.
 *
 * @param <T> an immutable class
 */
public abstract class ExplicitSerializer<T> extends TypeSerializerSingleton<T> {
    private static final long serialVersionUID = 1;

    @Override
    public final boolean isImmutableType() {
        return true;
    }

    @Override
    public final T copy(T from) {
        return from;
    }

    @Override
    public final T copy(T from, T reuse) {
        return from;
    }

    @Override
    public final T deserialize(T reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public final void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public final int getLength() {
        return -1;
    }

    /** Writes bytes with their number before them. */
    protected static void writeBytes(byte[] bytes, DataOutputView target) throws IOException {
        target.writeInt(bytes.length);
        target.write(bytes);
    }

    /** Reads what {@link #writeBytes} wrote. */
    protected static byte[] readBytes(DataInputView source) throws IOException {
        byte[] bytes = new byte[source.readInt()];
        source.readFully(bytes);
        return bytes;
    }
}
