package io.metricsaggregator.json;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Walks a JSON document of any size: enter an object or array, read its fields or elements one by one, each as a whole value or by
 * entering it. Accepts {@code NaN}, {@code Infinity} and {@code -Infinity}, which Python writes, as null, and counts them. A value may
 * nest 128 deep and a string may have 128 MiB. One thread.
 *
 * <pre>{@code
 * cursor.next();                                 // the document, or the next one after it
 * if (cursor.enterObject()) {
 *     while (cursor.nextField()) {
 *         switch (cursor.name()) {
 *             case "requests" -> { if (cursor.enterArray()) { while (cursor.nextElement()) { row(cursor.value()); } } }
 *             case "version" -> version = cursor.value();
 *             default -> cursor.skip();
 *         }
 *     }
 * }
 * }</pre>
 */
public final class JsonCursor implements Closeable {
    /** Most nested containers of a document. */
    public static final int DEPTH_MAX = 128;
    /** Largest string, and largest line, in bytes. */
    public static final int STRING_MAX_BYTES = 128 << 20;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            // Files are UTF-8: guessing another encoding fails on some bytes before the first token.
            .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEPTH_MAX)
                    .maxStringLength(STRING_MAX_BYTES)
                    .maxNumberLength(1000)
                    .maxNameLength(50_000)
                    .build())
            .build();

    private final JsonParser parser;
    private long notNumbers;

    private JsonCursor(JsonParser parser) {
        this.parser = parser;
    }

    /** Opens a cursor before the first document of a stream of UTF-8. */
    public static JsonCursor over(InputStream bytes) {
        return new JsonCursor(FACTORY.createParser(ObjectReadContext.empty(), bytes));
    }

    /** Opens a cursor before the document in a part of an array. */
    public static JsonCursor over(byte[] bytes, int offset, int length) {
        return new JsonCursor(FACTORY.createParser(ObjectReadContext.empty(), bytes, offset, length));
    }

    /**
     * Moves to the next document, or to the next value in general. Returns false at the end of the stream.
     *
     * @throws InvalidJson if the text is not JSON or exceeds a limit; {@link InvalidJson#isTruncated} if it ends too early
     */
    public boolean next() throws IOException, InvalidJson {
        return advance() != null;
    }

    private @Nullable JsonToken advance() throws IOException, InvalidJson {
        try {
            return parser.nextToken();
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            throw invalid(e);
        }
    }

    private static InvalidJson invalid(JacksonException e) {
        return new InvalidJson(
                e.getOriginalMessage(),
                e.getLocation() == null ? -1 : e.getLocation().getByteOffset(),
                e instanceof UnexpectedEndOfInputException
                        // After a comma the parser reports the end of the input as any other fault.
                        || e.getOriginalMessage().startsWith("Unexpected end-of-input"));
    }

    /** Whether the current value is an object; then {@link #nextField} moves to its fields. */
    public boolean enterObject() {
        return parser.currentToken() == JsonToken.START_OBJECT;
    }

    /** Whether the current value is an array; then {@link #nextElement} moves to its elements. */
    public boolean enterArray() {
        return parser.currentToken() == JsonToken.START_ARRAY;
    }

    /** Moves to the value of the next field; false at the end of the object. */
    public boolean nextField() throws IOException, InvalidJson {
        JsonToken token = advance();
        if (token == JsonToken.END_OBJECT) {
            return false;
        }
        if (token == null) {
            throw new InvalidJson("the document ends within an object", -1, true);
        }
        advance();
        return true;
    }

    /** The name of the current field. */
    public String name() {
        String name = parser.currentName();
        return name == null ? "" : name;
    }

    /** Moves to the next element; false at the end of the array. */
    public boolean nextElement() throws IOException, InvalidJson {
        JsonToken token = advance();
        if (token == null) {
            throw new InvalidJson("the document ends within an array", -1, true);
        }
        return token != JsonToken.END_ARRAY;
    }

    /** Skips the current value with everything in it. */
    public void skip() throws IOException, InvalidJson {
        try {
            parser.skipChildren();
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            throw invalid(e);
        }
        if (parser.currentToken() == JsonToken.START_OBJECT || parser.currentToken() == JsonToken.START_ARRAY) {
            throw new InvalidJson("the document ends within a value", -1, true);
        }
    }

    /**
     * Reads the current value whole: {@link Map} in the order of the document, {@link List}, {@link String}, {@link Long} for an
     * integer of 64 bits, {@link java.math.BigInteger} for a larger one, {@link BigDecimal} for any other number, {@link Boolean}, or null. Of duplicate names the last one counts.
     */
    public @Nullable Object value() throws IOException, InvalidJson {
        JsonToken token = parser.currentToken();
        if (token == null) {
            throw new InvalidJson("a value is missing", -1, true);
        }
        try {
            return switch (token) {
                case START_OBJECT -> object();
                case START_ARRAY -> array();
                case VALUE_STRING -> parser.getString();
                case VALUE_NUMBER_INT -> integer();
                case VALUE_NUMBER_FLOAT -> real();
                case VALUE_TRUE -> true;
                case VALUE_FALSE -> false;
                case VALUE_NULL -> null;
                default -> throw new InvalidJson("a value was expected, not " + token, -1, false);
            };
        } catch (JacksonIOException e) {
            throw e.getCause();
        } catch (JacksonException e) {
            throw invalid(e);
        }
    }

    /** Adds the elements of the current array, null for those that are no strings; skips the value if {@code into} is null or it is no array. */
    public void readTexts(@Nullable List<@Nullable String> into) throws IOException, InvalidJson {
        if (into == null || !enterArray()) {
            skip();
            return;
        }
        while (nextElement()) {
            into.add(value() instanceof String text ? text : null);
        }
    }

    private Map<String, @Nullable Object> object() throws IOException, InvalidJson {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        while (nextField()) {
            map.put(name(), value());
        }
        return map;
    }

    private List<@Nullable Object> array() throws IOException, InvalidJson {
        List<@Nullable Object> list = new ArrayList<>();
        while (nextElement()) {
            list.add(value());
        }
        return list;
    }

    private Object integer() {
        return switch (parser.getNumberType()) {
            case INT, LONG -> parser.getLongValue();
            default -> parser.getBigIntegerValue();
        };
    }

    private @Nullable BigDecimal real() {
        try {
            if (!parser.isNaN()) {
                return parser.getDecimalValue();
            }
        } catch (NumberFormatException e) {
            // An exponent beyond 32 bits: as much a number as Infinity is.
        }
        notNumbers++;
        return null;
    }

    /** Values read so far that were NaN, infinite or had an exponent beyond 32 bits, and became null. */
    public long notNumbers() {
        return notNumbers;
    }

    /** Bytes read so far, of the decompressed text. */
    public long bytes() {
        return parser.currentLocation().getByteOffset();
    }

    @Override
    public void close() {
        parser.close();
    }
}
