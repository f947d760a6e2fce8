package io.metricsaggregator.imports.format;

import io.metricsaggregator.codec.MsgpackTree;
import io.metricsaggregator.imports.json.JsonCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** Encodes the JSON form of a record as MessagePack: the inverse of {@code export --format jsonl}. Holds a buffer: one owner at a time. */
final class RecordEncoder {
    private final MessageBufferPacker packer = MessagePack.newDefaultBufferPacker();

    /** Encodes a map with values as {@link JsonCursor#value} returns them, keys in its order. */
    byte[] encode(Map<String, ?> fields) {
        packer.clear();
        try {
            MsgpackTree.write(tree(fields), packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("packing into memory", e);
        }
    }

    private static @Nullable Object tree(@Nullable Object value) {
        if (value instanceof BigDecimal number) {
            return number.doubleValue();
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> copy = new LinkedHashMap<>();
            map.forEach((key, each) -> copy.put(String.valueOf(key), tree(each)));
            return copy;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> copy = new ArrayList<>(list.size());
            list.forEach(each -> copy.add(tree(each)));
            return copy;
        }
        return value;
    }
}
