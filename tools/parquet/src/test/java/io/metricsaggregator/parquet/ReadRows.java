package io.metricsaggregator.parquet;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Reads files with parquet-java's reader. */
final class ReadRows {
    private ReadRows() {}

    /** The values of all rows, as the writer takes them. */
    static List<List<@Nullable Object>> of(Path file) throws IOException {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        try (ParquetFileReader reader = open(file)) {
            MessageType schema = reader.getFileMetaData().getSchema();
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                RecordReader<Group> records = new ColumnIOFactory()
                        .getColumnIO(schema)
                        .getRecordReader(pages, new GroupRecordConverter(schema));
                for (long i = 0; i < pages.getRowCount(); i++) {
                    rows.add(Arrays.asList(values(records.read(), schema)));
                }
            }
        }
        return rows;
    }

    private static @Nullable Object[] values(Group row, MessageType schema) {
        @Nullable Object[] values = new @Nullable Object[schema.getFieldCount()];
        for (int i = 0; i < values.length; i++) {
            if (row.getFieldRepetitionCount(i) > 0) {
                PrimitiveTypeName type = schema.getType(i).asPrimitiveType().getPrimitiveTypeName();
                values[i] = switch (type) {
                    case BINARY -> row.getBinary(i, 0).toStringUsingUTF8();
                    case INT64 -> row.getLong(i, 0);
                    case DOUBLE -> row.getDouble(i, 0);
                    case BOOLEAN -> row.getBoolean(i, 0);
                    default -> throw new AssertionError(type);
                };
            }
        }
        return values;
    }

    static MessageType schema(Path file) throws IOException {
        try (ParquetFileReader reader = open(file)) {
            return reader.getFileMetaData().getSchema();
        }
    }

    static Map<String, String> metadata(Path file) throws IOException {
        try (ParquetFileReader reader = open(file)) {
            return reader.getFileMetaData().getKeyValueMetaData();
        }
    }

    static List<BlockMetaData> rowGroups(Path file) throws IOException {
        try (ParquetFileReader reader = open(file)) {
            return reader.getRowGroups();
        }
    }

    private static ParquetFileReader open(Path file) throws IOException {
        return ParquetFileReader.open(new LocalInputFile(file), options());
    }

    /** Options without a class of Hadoop: their builder loads an input format of MapReduce, their constructor does not. */
    private static ParquetReadOptions options() {
        Constructor<?> constructor = Stream.of(ParquetReadOptions.class.getDeclaredConstructors())
                .max(Comparator.comparingInt(Constructor::getParameterCount))
                .orElseThrow();
        constructor.setAccessible(true);
        @Nullable
        Object[] values = Stream.of(constructor.getParameterTypes())
                .<@Nullable Object>map(ReadRows::option)
                .toArray();
        try {
            return (ParquetReadOptions) constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Object option(Class<?> type) {
        if (type == boolean.class) {
            return false;
        }
        if (type == int.class) {
            return 1 << 23;
        }
        return Stream.of(
                        FilterCompat.NOOP,
                        ParquetMetadataConverter.NO_FILTER,
                        new GzipCodec(),
                        new HeapByteBufferAllocator(),
                        Map.of(),
                        new PlainParquetConfiguration())
                .filter(type::isInstance)
                .findFirst()
                .orElse(null);
    }
}
