package io.metricsaggregator.flink.stream;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The type of stream elements that have an {@link ExplicitSerializer}, so that Flink neither inspects their fields nor falls back to Kryo.
 *
 * @param <T> class of the elements
 */
public final class ExplicitType<T> extends TypeInformation<T> {
    private static final long serialVersionUID = 1;

    private final Class<T> type;
    private final ExplicitSerializer<T> serializer;

    /** The type of elements of a class that {@code serializer} writes. */
    public ExplicitType(Class<T> type, ExplicitSerializer<T> serializer) {
        this.type = type;
        this.serializer = serializer;
    }

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<T> getTypeClass() {
        return type;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<T> createSerializer(SerializerConfig config) {
        return serializer;
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExplicitType<?> same && same.type == type;
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof ExplicitType;
    }
}
