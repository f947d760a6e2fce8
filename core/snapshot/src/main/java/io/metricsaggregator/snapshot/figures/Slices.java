package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The run cut in slices of equal width by event time, from the first {@code session.started}. Widths start at one second and
 * double when the slices would become too many, so that a run of any length keeps a bounded number of them.
 *
 * @param startNanos timestamp at which the first slice starts
 * @param widthNanos width of a slice
 * @param outside records whose timestamp lies before the first slice, or implausibly far after the last one
 * @param columns one column per quantity, all of the same length
 */
public record Slices(long startNanos, long widthNanos, long outside, List<Column> columns) {

    /** The value of a column in a slice in which the quantity was not measured. */
    public static final long NOT_MEASURED = Long.MIN_VALUE;

    public static final Slices BLANK = new Slices(0, 0, 0, List.of());

    /** The fields; see {@link Fields.Shape}. */
    public static Slices pass(Fields f, Slices v) throws MalformedMessageException {
        long start = f.count("start_ns", v.startNanos());
        long width = f.count("width_ns", v.widthNanos());
        long outside = f.count("outside", v.outside());
        Map<String, long[]> columns = new LinkedHashMap<>();
        v.columns.forEach(each -> columns.put(each.name(), each.values()));
        List<Column> read = new ArrayList<>();
        for (Map.Entry<String, long[]> each :
                f.columns("columns", columns, NOT_MEASURED).entrySet()) {
            Column column = new Column(each.getKey(), each.getValue());
            Column first = read.isEmpty() ? column : read.get(0);
            if (column.values().length != first.values().length) {
                throw new MalformedMessageException("slices.columns." + column.name() + " holds "
                        + column.values().length + " slices, " + first.name() + " holds " + first.values().length);
            }
            read.add(column);
        }
        return new Slices(start, width, outside, read);
    }

    public Slices {
        columns = List.copyOf(columns);
    }

    /**
     * One quantity over all slices.
     *
     * @param name the name, which ends with the unit
     * @param values one value per slice; {@link #NOT_MEASURED} where there is none
     */
    @SuppressWarnings("ArrayRecordComponent") // read column by column, never compared
    public record Column(String name, long[] values) {}

    /** Number of slices. */
    public int length() {
        return columns.isEmpty() ? 0 : columns.get(0).values().length;
    }

    /** The values of a column; null if there is no column of that name. */
    public long @Nullable [] column(String name) {
        for (Column column : columns) {
            if (column.name().equals(name)) {
                return column.values();
            }
        }
        return null;
    }
}
