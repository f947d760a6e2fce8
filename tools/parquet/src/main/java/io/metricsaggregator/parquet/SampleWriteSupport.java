package io.metricsaggregator.parquet;

import io.metricsaggregator.samples.SampleColumn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Hands the values of rows to parquet-java, column by column. */
final class SampleWriteSupport extends WriteSupport<@Nullable Object[]> {
    private static final List<SampleColumn> COLUMNS = SampleColumn.ALL;

    private final Map<String, String> metadata;
    private @Nullable RecordConsumer consumer;

    /** Creates a support whose files have {@code metadata} in their footer. */
    SampleWriteSupport(Map<String, String> metadata) {
        this.metadata = metadata;
    }

    @Override
    public String getName() {
        return "metrics-aggregator";
    }

    /** The variant for a configuration of Hadoop, which {@link SampleParquetWriter} never uses. */
    @Override
    @SuppressWarnings("deprecation") // abstract, so it cannot be left out
    public WriteContext init(Configuration configuration) {
        throw new UnsupportedOperationException("rows of samples are written without Hadoop");
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
        return new WriteContext(SampleSchema.message(), metadata);
    }

    @Override
    public void prepareForWrite(RecordConsumer to) {
        consumer = to;
    }

    @Override
    public void write(@Nullable Object[] values) {
        RecordConsumer to = consumer;
        if (to == null) {
            throw new IllegalStateException("a row before prepareForWrite");
        }
        to.startMessage();
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value != null) {
                SampleColumn column = COLUMNS.get(i);
                to.startField(column.name(), i);
                add(to, column.type(), value);
                to.endField(column.name(), i);
            }
        }
        to.endMessage();
    }

    private static void add(RecordConsumer to, SampleColumn.Type type, Object value) {
        switch (type) {
            // An unpaired surrogate becomes a question mark: Parquet's strings are UTF-8.
            case TEXT, LABEL ->
                to.addBinary(Binary.fromConstantByteArray(((String) value).getBytes(StandardCharsets.UTF_8)));
            case TIME, DURATION, COUNT -> to.addLong((Long) value);
            case REAL -> to.addDouble((Double) value);
            case FLAG -> to.addBoolean((Boolean) value);
        }
    }

    /** The Java class of a column's values. */
    static Class<?> valueClass(SampleColumn column) {
        return switch (column.type()) {
            case TEXT, LABEL -> String.class;
            case TIME, DURATION, COUNT -> Long.class;
            case REAL -> Double.class;
            case FLAG -> Boolean.class;
        };
    }
}
