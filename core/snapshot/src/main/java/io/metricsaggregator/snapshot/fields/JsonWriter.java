package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes records as JSON, without a tree: one field after the other. */
public final class JsonWriter implements Writing {
    private final JsonGenerator out;

    /** Writes behind what the generator has. */
    public JsonWriter(JsonGenerator out) {
        this.out = out;
    }

    /** A record as JSON on one line, in UTF-8. */
    public static <T> byte[] line(T value, Shape<T> shape) {
        return JsonTree.writeLine(to -> new JsonWriter(to).record(value, shape));
    }

    /** A record as the tree of its JSON. */
    public static <T> Map<String, @Nullable Object> tree(T value, Shape<T> shape) {
        try {
            return JsonTree.read(line(value, shape));
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("a record's JSON cannot be read", e);
        }
    }

    /** Writes a record. */
    public <T> void record(T value, Shape<T> shape) {
        out.writeStartObject();
        try {
            shape.pass(this, value);
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("a writer reads nothing", e);
        }
        out.writeEndObject();
    }

    @Override
    public long count(String key, long value) {
        out.writeName(key);
        out.writeNumber(value);
        return value;
    }

    @Override
    public @Nullable Long maybeCount(String key, @Nullable Long value) {
        derived(key, value);
        return value;
    }

    @Override
    public double real(String key, double value) {
        derived(key, value);
        return value;
    }

    @Override
    public @Nullable Double maybeReal(String key, @Nullable Double value) {
        derived(key, Forms.finite(value));
        return value;
    }

    @Override
    public boolean flag(String key, boolean value) {
        out.writeName(key);
        out.writeBoolean(value);
        return value;
    }

    @Override
    public String text(String key, String value) {
        out.writeName(key);
        out.writeString(value);
        return value;
    }

    @Override
    public byte @Nullable [] maybeBytes(String key, byte @Nullable [] value) {
        derived(key, value == null ? null : Base64.getEncoder().encodeToString(value));
        return value;
    }

    @Override
    public <T> T record(String key, T value, Shape<T> shape, T blank) {
        out.writeName(key);
        record(value, shape);
        return value;
    }

    @Override
    public <T> @Nullable T maybe(String key, @Nullable T value, Shape<T> shape, T blank) {
        out.writeName(key);
        if (value == null) {
            out.writeNull();
        } else {
            record(value, shape);
        }
        return value;
    }

    @Override
    public <T> List<T> list(String key, List<T> values, Shape<T> shape, T blank) {
        out.writeName(key);
        out.writeStartArray();
        for (T each : values) {
            record(each, shape);
        }
        out.writeEndArray();
        return values;
    }

    @Override
    public <T> List<T> byName(
            String key, List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape) {
        out.writeName(key);
        out.writeStartObject();
        entries(values, name, blank, shape);
        out.writeEndObject();
        return values;
    }

    @Override
    public <T> List<T> entries(List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape) {
        for (T each : Rows.lastOfEachName(values, name)) {
            out.writeName(name.apply(each));
            record(each, shape);
        }
        return values;
    }

    @Override
    public <T> Map<String, T> absentMap(String key, Map<String, T> values, Shape<T> shape, T blank) {
        if (!values.isEmpty()) {
            out.writeName(key);
            out.writeStartObject();
            for (Map.Entry<String, T> each : values.entrySet()) {
                out.writeName(each.getKey());
                record(each.getValue(), shape);
            }
            out.writeEndObject();
        }
        return values;
    }

    @Override
    public Map<String, long[]> columns(String key, Map<String, long[]> columns, long unknown) {
        out.writeName(key);
        out.writeStartObject();
        for (Map.Entry<String, long[]> each : columns.entrySet()) {
            out.writeName(each.getKey());
            out.writeStartArray();
            for (long value : each.getValue()) {
                if (value == unknown) {
                    out.writeNull();
                } else {
                    out.writeNumber(value);
                }
            }
            out.writeEndArray();
        }
        out.writeEndObject();
        return columns;
    }

    @Override
    public Map<String, Double> absentReals(String key, Map<String, Double> values) {
        if (!values.isEmpty()) {
            derived(key, values);
        }
        return values;
    }

    @Override
    public void derived(String key, @Nullable Object tree) {
        out.writeName(key);
        JsonTree.write(tree, out);
    }

    @Override
    public void derivedMap(String key, Body body) {
        out.writeName(key);
        record(body, (fields, each) -> {
            each.pass(fields);
            return each;
        });
    }
}
