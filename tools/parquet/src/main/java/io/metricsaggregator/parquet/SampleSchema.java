package io.metricsaggregator.parquet;

import io.metricsaggregator.samples.SampleColumn;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * The Parquet schema of rows of samples: a column for each {@link SampleColumn}, in its order. Numbers are INT64, times on a monotonic
 * clock among them, because a Parquet TIMESTAMP would read as a date.
 */
public final class SampleSchema {
    /** Version of the schema, in the metadata of each file. A new column at the end keeps it; any other change raises it. */
    public static final int VERSION = 1;

    static final String NAME = "sample";

    private SampleSchema() {}

    /** Returns the schema of every file this version writes. */
    public static MessageType message() {
        List<Type> fields = new ArrayList<>();
        for (SampleColumn column : SampleColumn.ALL) {
            fields.add(field(column));
        }
        return new MessageType(NAME, fields);
    }

    /** Returns the Parquet type of a column as documentation shows it, such as {@code BYTE_ARRAY (STRING)}. */
    public static String describe(SampleColumn column) {
        return switch (column.type()) {
            case TEXT, LABEL -> "BYTE_ARRAY (STRING)";
            case TIME, DURATION, COUNT -> "INT64";
            case REAL -> "DOUBLE";
            case FLAG -> "BOOLEAN";
        };
    }

    /** Whether a dictionary is worth its memory: not where almost every row has another value. */
    static boolean dictionary(SampleColumn column) {
        return switch (column.type()) {
            case LABEL, COUNT -> true;
            case TEXT, TIME, DURATION, REAL, FLAG -> false;
        };
    }

    private static PrimitiveType field(SampleColumn column) {
        Types.PrimitiveBuilder<PrimitiveType> field =
                column.required() ? Types.required(primitive(column)) : Types.optional(primitive(column));
        return switch (column.type()) {
            case TEXT, LABEL -> field.as(LogicalTypeAnnotation.stringType()).named(column.name());
            case TIME, DURATION, COUNT, REAL, FLAG -> field.named(column.name());
        };
    }

    private static PrimitiveTypeName primitive(SampleColumn column) {
        return switch (column.type()) {
            case TEXT, LABEL -> PrimitiveTypeName.BINARY;
            case TIME, DURATION, COUNT -> PrimitiveTypeName.INT64;
            case REAL -> PrimitiveTypeName.DOUBLE;
            case FLAG -> PrimitiveTypeName.BOOLEAN;
        };
    }
}
