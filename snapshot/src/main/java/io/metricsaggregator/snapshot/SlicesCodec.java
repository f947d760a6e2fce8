package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts {@link Slices} to and from a map with a list for each column, in which nil stands for a slice without the quantity. */
final class SlicesCodec {
    private SlicesCodec() {}

    static Map<String, @Nullable Object> of(Slices slices) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("start_ns", slices.startNanos());
        tree.put("width_ns", slices.widthNanos());
        tree.put("outside", slices.outside());
        Map<String, @Nullable Object> columns = new LinkedHashMap<>();
        for (Slices.Column column : slices.columns()) {
            List<@Nullable Object> values = new ArrayList<>(column.values().length);
            for (long value : column.values()) {
                values.add(value == Slices.NOT_MEASURED ? null : value);
            }
            columns.put(column.name(), values);
        }
        tree.put("columns", columns);
        return tree;
    }

    static Slices read(@Nullable Object value) throws MalformedMessageException {
        Map<?, ?> tree = map("slices", value);
        List<Slices.Column> columns = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map("slices.columns", tree.get("columns")).entrySet()) {
            String name = text("slices.columns", entry.getKey());
            List<?> list = list(name, entry.getValue());
            long[] values = new long[list.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = list.get(i) == null ? Slices.NOT_MEASURED : integer(name, list.get(i));
            }
            if (!columns.isEmpty() && values.length != columns.get(0).values().length) {
                throw new MalformedMessageException("slices.columns." + name + " holds " + values.length + " slices, "
                        + columns.get(0).name() + " holds " + columns.get(0).values().length);
            }
            columns.add(new Slices.Column(name, values));
        }
        return new Slices(
                integer("slices.start_ns", tree.get("start_ns")),
                integer("slices.width_ns", tree.get("width_ns")),
                integer("slices.outside", tree.get("outside")),
                columns);
    }
}
