package io.metricsaggregator.codec;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;

/**
 * Whole JSON documents as Java values: {@link Map} (insertion-ordered), {@link List}, {@link String}, {@link Long} or, where
 * that is too small, {@link BigInteger}, {@link Double}, {@link Boolean}, null. Strict in both directions: no duplicate keys, no
 * trailing text, no NaN or Infinity (they are written as null), byte arrays as base64.
 */
public final class JsonTree {
    private static final int MAX_DEPTH = 500;
    /** Depth of an object in a list of the document. */
    private static final int SKIPPED_DEPTH_MAX = 2;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Accepts what servers write: duplicate keys, of which the last counts, NaN, and line feeds within strings. */
    private static final JsonFactory LENIENT = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .build();

    private static final Separators SEPARATORS =
            Separators.createDefaultInstance().withObjectNameValueSpacing(Separators.Spacing.AFTER);

    private JsonTree() {}

    /** Writes a document, pretty-printed with two spaces and a final newline, in UTF-8. */
    public static byte[] write(Map<String, ?> document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 16);
        write(document, bytes);
        return bytes.toByteArray();
    }

    /**
     * Writes a document as {@link #write(Map)} does, piece by piece: it takes the memory of the largest value that is not a view
     * (see {@link LazyTree}). Flushes the stream and leaves it open.
     *
     * @throws UncheckedIOException if the stream fails
     */
    public static void write(Map<String, ?> document, OutputStream to) {
        write((Document) out -> write(document, out), to);
    }

    /** A document that writes itself, piece by piece. */
    public interface Document {
        /** Writes the document. */
        void write(JsonGenerator to);
    }

    /** Writes a document with the layout of {@link #write(Map)}. Flushes the stream and leaves it open. */
    public static void write(Document document, OutputStream to) {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(SEPARATORS)
                .withObjectIndenter(lines)
                .withArrayIndenter(DefaultPrettyPrinter.FixedSpaceIndenter.instance());
        try {
            JsonGenerator generator = FACTORY.createGenerator(new Printing(printer), to);
            document.write(generator);
            generator.writeRaw('\n');
            generator.flush();
        } catch (JacksonIOException e) {
            throw new UncheckedIOException(e.getCause());
        }
    }

    /** Writes a document, or a part of one, on one line, without spaces and a final newline, in UTF-8. */
    public static byte[] writeLine(Object document) {
        return writeLine((Document) out -> write(document, out));
    }

    /** Writes a document as {@link #writeLine(Object)} does. */
    public static byte[] writeLine(Document document) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1 << 12);
        try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            document.write(generator);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a document.
     *
     * @throws MalformedMessageException if it is not one JSON object; the text says where
     */
    public static Map<String, @Nullable Object> read(byte[] document) throws MalformedMessageException {
        return read(document, 0, document.length);
    }

    /**
     * Reads the document that fills a part of an array, as {@link #read(byte[])} does.
     *
     * @throws MalformedMessageException if it is not one JSON object; the text says where
     */
    public static Map<String, @Nullable Object> read(byte[] bytes, int offset, int length)
            throws MalformedMessageException {
        return read(FACTORY, bytes, offset, length, Set.of());
    }

    /**
     * Reads the document that another program has written: of duplicate keys the last counts, numbers may be NaN or infinite, and
     * strings may hold control characters.
     *
     * @throws MalformedMessageException if it is not one JSON object; the text says where
     */
    public static Map<String, @Nullable Object> readLenient(byte[] document) throws MalformedMessageException {
        return readLenient(document, 0, document.length, Set.of());
    }

    /**
     * Reads the document that fills a part of an array, as {@link #readLenient(byte[])} does, without some of its fields.
     *
     * @param skipped names of fields to leave out in the document, in its objects, and in the objects of its lists; not deeper
     * @throws MalformedMessageException if it is not one JSON object; the text says where
     */
    public static Map<String, @Nullable Object> readLenient(byte[] bytes, int offset, int length, Set<String> skipped)
            throws MalformedMessageException {
        return read(LENIENT, bytes, offset, length, skipped);
    }

    private static Map<String, @Nullable Object> read(
            JsonFactory factory, byte[] bytes, int offset, int length, Set<String> skipped)
            throws MalformedMessageException {
        try (JsonParser parser =
                factory.createParser(tools.jackson.core.ObjectReadContext.empty(), bytes, offset, length)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedMessageException("not a JSON object");
            }
            Map<String, @Nullable Object> map = readObject(parser, 0, skipped);
            if (parser.nextToken() != null) {
                throw new MalformedMessageException("text after the JSON object");
            }
            return map;
        } catch (JacksonException e) {
            throw new MalformedMessageException("not valid JSON: " + e.getOriginalMessage() + " at line "
                    + (e.getLocation() == null ? 0 : e.getLocation().getLineNr()));
        }
    }

    private static Map<String, @Nullable Object> readObject(JsonParser parser, int depth, Set<String> skipped)
            throws MalformedMessageException {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            if (depth <= SKIPPED_DEPTH_MAX && skipped.contains(name)) {
                parser.skipChildren();
                continue;
            }
            map.put(name, readValue(parser, depth + 1, skipped));
        }
        return map;
    }

    private static List<@Nullable Object> readArray(JsonParser parser, int depth, Set<String> skipped)
            throws MalformedMessageException {
        List<@Nullable Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            list.add(readValue(parser, depth + 1, skipped));
        }
        return list;
    }

    private static @Nullable Object readValue(JsonParser parser, int depth, Set<String> skipped)
            throws MalformedMessageException {
        if (depth > MAX_DEPTH) {
            throw new MalformedMessageException("a value is nested too deep");
        }
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> readObject(parser, depth, skipped);
            case START_ARRAY -> readArray(parser, depth, skipped);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> {
                BigInteger number = parser.getBigIntegerValue();
                yield number.bitLength() <= 63 ? (Object) number.longValue() : number;
            }
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new MalformedMessageException("unexpected " + token);
        };
    }

    /** Writes a value as {@link #read} returns it, or a view of such values. */
    public static void write(@Nullable Object value, JsonGenerator out) {
        if (value == null) {
            out.writeNull();
        } else if (value instanceof String text) {
            out.writeString(text);
        } else if (value instanceof Long || value instanceof Integer) {
            out.writeNumber(((Number) value).longValue());
        } else if (value instanceof BigInteger big) {
            out.writeNumber(big);
        } else if (value instanceof Double number) {
            if (Double.isFinite(number)) {
                out.writeNumber(number);
            } else {
                out.writeNull();
            }
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else if (value instanceof byte[] bytes) {
            out.writeString(Base64.getEncoder().encodeToString(bytes));
        } else if (value instanceof List<?> list) {
            out.writeStartArray();
            for (Object element : list) {
                write(element, out);
            }
            out.writeEndArray();
        } else if (value instanceof Map<?, ?> map) {
            out.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.writeName(String.valueOf(entry.getKey()));
                write(entry.getValue(), out);
            }
            out.writeEndObject();
        } else {
            throw new IllegalArgumentException("no JSON form for " + value.getClass());
        }
    }

    /** Passes the pretty-printer to the generator. */
    private static final class Printing extends ObjectWriteContext.Base {
        private final DefaultPrettyPrinter printer;

        Printing(DefaultPrettyPrinter printer) {
            this.printer = printer;
        }

        @Override
        public tools.jackson.core.PrettyPrinter getPrettyPrinter() {
            return printer;
        }
    }
}
