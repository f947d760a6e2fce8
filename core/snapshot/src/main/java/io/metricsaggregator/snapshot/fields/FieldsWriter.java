package io.metricsaggregator.snapshot.fields;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.codec.MsgpackOutput;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes records as msgpack, without a tree. */
public final class FieldsWriter implements Writing {
    private final MsgpackOutput out;
    /** Entries of the map that is written. */
    private int entries;

    /** Writes behind what the output holds. */
    public FieldsWriter(MsgpackOutput out) {
        this.out = out;
    }

    /** Writes a record. */
    public <T> void record(T value, Shape<T> shape) {
        int outer = entries;
        int place = out.startMap();
        entries = 0;
        try {
            shape.pass(this, value);
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("a writer reads nothing", e);
        }
        out.endMap(place, entries);
        entries = outer;
    }

    /** Writes the entries of a map whose header is written already. */
    public void body(Body body) {
        try {
            body.pass(this);
        } catch (MalformedMessageException e) {
            throw new IllegalStateException("a writer reads nothing", e);
        }
    }

    private void key(String key) {
        entries++;
        out.ascii(key);
    }

    @Override
    public long count(String key, long value) {
        key(key);
        out.integer(value);
        return value;
    }

    @Override
    public @Nullable Long maybeCount(String key, @Nullable Long value) {
        key(key);
        if (value == null) {
            out.nil();
        } else {
            out.integer(value);
        }
        return value;
    }

    @Override
    public double real(String key, double value) {
        key(key);
        out.real(value);
        return value;
    }

    @Override
    public @Nullable Double maybeReal(String key, @Nullable Double value) {
        key(key);
        if (value == null || !Double.isFinite(value)) {
            out.nil();
        } else {
            out.real(value);
        }
        return value;
    }

    @Override
    public boolean flag(String key, boolean value) {
        key(key);
        out.flag(value);
        return value;
    }

    @Override
    public String text(String key, String value) {
        key(key);
        out.text(value);
        return value;
    }

    @Override
    public byte @Nullable [] maybeBytes(String key, byte @Nullable [] value) {
        key(key);
        if (value == null) {
            out.nil();
        } else {
            out.binary(value);
        }
        return value;
    }

    @Override
    public <T> T record(String key, T value, Shape<T> shape, T blank) {
        key(key);
        record(value, shape);
        return value;
    }

    @Override
    public <T> @Nullable T maybe(String key, @Nullable T value, Shape<T> shape, T blank) {
        key(key);
        if (value == null) {
            out.nil();
        } else {
            record(value, shape);
        }
        return value;
    }

    @Override
    public <T> List<T> list(String key, List<T> values, Shape<T> shape, T blank) {
        key(key);
        out.arrayHeader(values.size());
        for (T each : values) {
            record(each, shape);
        }
        return values;
    }

    @Override
    public <T> List<T> byName(
            String key, List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape) {
        key(key);
        List<T> rows = Rows.lastOfEachName(values, name);
        out.mapHeader(rows.size());
        rows(rows, name, shape);
        return values;
    }

    @Override
    public <T> List<T> entries(List<T> values, Function<T, String> name, Function<String, T> blank, Shape<T> shape) {
        List<T> rows = Rows.lastOfEachName(values, name);
        rows(rows, name, shape);
        entries += rows.size();
        return values;
    }

    private <T> void rows(List<T> values, Function<T, String> name, Shape<T> shape) {
        for (T each : values) {
            out.text(name.apply(each));
            record(each, shape);
        }
    }

    @Override
    public <T> Map<String, T> absentMap(String key, Map<String, T> values, Shape<T> shape, T blank) {
        if (!values.isEmpty()) {
            key(key);
            out.mapHeader(values.size());
            for (Map.Entry<String, T> each : values.entrySet()) {
                out.text(each.getKey());
                record(each.getValue(), shape);
            }
        }
        return values;
    }

    @Override
    public Map<String, long[]> columns(String key, Map<String, long[]> columns, long unknown) {
        key(key);
        out.mapHeader(columns.size());
        for (Map.Entry<String, long[]> each : columns.entrySet()) {
            out.text(each.getKey());
            out.arrayHeader(each.getValue().length);
            for (long value : each.getValue()) {
                if (value == unknown) {
                    out.nil();
                } else {
                    out.integer(value);
                }
            }
        }
        return columns;
    }

    @Override
    public Map<String, Double> absentReals(String key, Map<String, Double> values) {
        if (!values.isEmpty()) {
            key(key);
            out.mapHeader(values.size());
            for (Map.Entry<String, Double> each : values.entrySet()) {
                out.text(each.getKey());
                out.real(each.getValue());
            }
        }
        return values;
    }

    @Override
    public void derived(String key, @Nullable Object tree) {
        key(key);
        out.tree(tree);
    }

    @Override
    public void derivedMap(String key, Body body) {
        key(key);
        record(body, (fields, each) -> {
            each.pass(fields);
            return each;
        });
    }
}
