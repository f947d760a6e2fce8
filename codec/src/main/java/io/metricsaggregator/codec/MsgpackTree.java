package io.metricsaggregator.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePacker;

/**
 * Whole msgpack values as Java ones: {@link Map} (insertion-ordered), {@link List}, {@link String}, {@code byte[]},
 * {@link Long} or, above 2^63 − 1, {@link BigInteger}, {@link Double}, {@link Boolean}, {@link Extension}, null. For messages
 * that are read in full (snapshots, recorded events), never on the event path. Depth and declared sizes are bounded as in
 * {@link MsgpackCursor}; invalid UTF-8 in a string becomes U+FFFD; a container as a map's key is refused.
 */
public final class MsgpackTree {

    /** A msgpack extension value with its bytes, uninterpreted. */
    @SuppressWarnings("ArrayRecordComponent") // carried along, never compared
    public record Extension(int type, byte[] content) {}

    private final MsgpackCursor cursor = new MsgpackCursor();

    /**
     * Reads the one value that fills the range between position and limit.
     *
     * @throws MalformedMessageException if it is not well-formed, or does not fill the range
     */
    public @Nullable Object read(ByteBuffer bytes) throws MalformedMessageException {
        ByteBuffer view = bytes.slice();
        cursor.reset(view, 0, view.remaining());
        Object value = readValue(0);
        if (cursor.remaining() > 0) {
            throw new MalformedMessageException(cursor.remaining() + " bytes after the message");
        }
        return value;
    }

    /** Reads the value that starts at {@code offset}; bytes after it are ignored. */
    public @Nullable Object readAt(ByteBuffer bytes, int offset, int length) throws MalformedMessageException {
        cursor.reset(bytes, offset, length);
        return readValue(0);
    }

    private @Nullable Object readValue(int depth) throws MalformedMessageException {
        if (depth > MsgpackCursor.MAX_DEPTH) {
            throw new MalformedMessageException("a value " + MsgpackFault.TOO_DEEP.text());
        }
        MsgpackType type = cursor.peek();
        if (type == null) {
            throw fault();
        }
        return switch (type) {
            case NIL -> {
                cursor.skipNil();
                yield null;
            }
            case BOOLEAN -> {
                byte b = cursor.buffer().get(cursor.position());
                check(cursor.skip());
                yield b == (byte) 0xc3;
            }
            case INTEGER -> {
                check(cursor.readInteger());
                yield cursor.integerExceedsLong() ? unsigned(cursor.integer()) : (Object) cursor.integer();
            }
            case FLOAT -> readDouble();
            case STRING -> {
                check(cursor.readString());
                yield Utf8.read(cursor.buffer(), cursor.start(), cursor.length());
            }
            case BINARY -> {
                check(cursor.readBinary());
                yield content();
            }
            case ARRAY -> readList(depth);
            case MAP -> readMap(depth);
            case EXTENSION -> readExtension();
        };
    }

    private Object readDouble() throws MalformedMessageException {
        int at = cursor.position();
        check(cursor.skip());
        ByteBuffer buffer = cursor.buffer();
        return buffer.get(at) == (byte) 0xca ? (double) buffer.getFloat(at + 1) : buffer.getDouble(at + 1);
    }

    @SuppressWarnings("MixedMutabilityReturnType") // Empty containers are shared, since readers do not modify them.
    private List<@Nullable Object> readList(int depth) throws MalformedMessageException {
        check(cursor.readArrayHeader());
        int count = cursor.count();
        if (count == 0 && depth > 0) {
            // A record may hold millions of small integers, so they are not allocated one by one.
            return Collections.emptyList();
        }
        List<@Nullable Object> list = new ArrayList<>(Math.min(count, 1024));
        for (int i = 0; i < count; i++) {
            list.add(readValue(depth + 1));
        }
        return list;
    }

    @SuppressWarnings("MixedMutabilityReturnType") // Empty containers are shared, since readers do not modify them.
    private Map<@Nullable Object, @Nullable Object> readMap(int depth) throws MalformedMessageException {
        check(cursor.readMapHeader());
        int count = cursor.count();
        if (count == 0 && depth > 0) {
            return Collections.emptyMap();
        }
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>(count < 12 ? (4 * count + 2) / 3 : 16);
        for (int i = 0; i < count; i++) {
            Object key = readValue(depth + 1);
            if (key instanceof List || key instanceof Map) {
                throw new MalformedMessageException("a map key is a container");
            }
            map.put(key, readValue(depth + 1));
        }
        return map;
    }

    private Extension readExtension() throws MalformedMessageException {
        check(cursor.skip());
        return new Extension(cursor.buffer().get(cursor.start() - 1), content());
    }

    private byte[] content() {
        byte[] bytes = new byte[cursor.length()];
        cursor.buffer().get(cursor.start(), bytes);
        return bytes;
    }

    private void check(boolean succeeded) throws MalformedMessageException {
        if (!succeeded) {
            throw fault();
        }
    }

    private MalformedMessageException fault() {
        MsgpackFault fault = cursor.fault();
        return new MalformedMessageException("a value " + (fault == null ? "cannot be read" : fault.text()));
    }

    private static BigInteger unsigned(long bits) {
        return new BigInteger(Long.toUnsignedString(bits));
    }

    /** Returns the bytes of a value that {@link #write} takes; the packer's former content is gone. */
    public static byte[] encode(@Nullable Object value, MessageBufferPacker packer) {
        packer.clear();
        try {
            write(value, packer);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("packing into memory", e);
        }
    }

    /**
     * Writes a value as {@link #read} returns it; a {@link BigDecimal} as a double.
     *
     * @throws IllegalArgumentException for a value of another class
     */
    public static void write(@Nullable Object value, MessagePacker packer) throws IOException {
        if (value == null) {
            packer.packNil();
        } else if (value instanceof String text) {
            packer.packString(text);
        } else if (value instanceof Long || value instanceof Integer) {
            packer.packLong(((Number) value).longValue());
        } else if (value instanceof BigInteger big) {
            packer.packBigInteger(big);
        } else if (value instanceof Double number) {
            packer.packDouble(number);
        } else if (value instanceof BigDecimal number) {
            packer.packDouble(number.doubleValue());
        } else if (value instanceof Boolean flag) {
            packer.packBoolean(flag);
        } else if (value instanceof byte[] bytes) {
            packer.packBinaryHeader(bytes.length);
            packer.writePayload(bytes);
        } else if (value instanceof List<?> list) {
            packer.packArrayHeader(list.size());
            for (Object element : list) {
                write(element, packer);
            }
        } else if (value instanceof Map<?, ?> map) {
            packer.packMapHeader(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                write(entry.getKey(), packer);
                write(entry.getValue(), packer);
            }
        } else if (value instanceof Extension extension) {
            packer.packExtensionTypeHeader((byte) extension.type(), extension.content().length);
            packer.writePayload(extension.content());
        } else {
            throw new IllegalArgumentException("no msgpack form for " + value.getClass());
        }
    }
}
