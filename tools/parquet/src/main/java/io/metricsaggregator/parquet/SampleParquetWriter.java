package io.metricsaggregator.parquet;

import io.metricsaggregator.samples.SampleColumn;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of samples as one Parquet file to a stream. A row group ends after {@value #ROW_GROUP_ROWS} rows or {@value
 * #ROW_GROUP_BYTES} bytes, and stays in memory until then. Numbers are delta-encoded, pages compressed with GZIP. Not thread-safe.
 *
 * <pre>{@code
 * try (SampleParquetWriter rows = SampleParquetWriter.create(out, facts)) {
 *     rows.write(values);     // in the order of SampleColumn.ALL
 * }                           // the file is complete; out is flushed and still open
 * }</pre>
 */
public final class SampleParquetWriter implements Closeable {
    /** Most rows of a row group. */
    public static final int ROW_GROUP_ROWS = 1_000_000;
    /** Encoded bytes after which a row group ends before it has so many rows, as with very long ids. */
    public static final long ROW_GROUP_BYTES = 64L << 20;

    private static final int PAGE_BYTES = 256 << 10;
    private static final int DICTIONARY_BYTES = 256 << 10;
    /** The writer checks sizes after so many rows. Small, because a hostile producer can follow short ids with long ones. */
    private static final int CHECK_ROWS = 100;

    private static final List<SampleColumn> COLUMNS = SampleColumn.ALL;
    private static final Class<?>[] CLASSES =
            COLUMNS.stream().map(SampleWriteSupport::valueClass).toArray(Class<?>[]::new);

    private final ParquetWriter<@Nullable Object[]> writer;
    private long rows;

    private SampleParquetWriter(ParquetWriter<@Nullable Object[]> writer) {
        this.writer = writer;
    }

    /**
     * Starts a file.
     *
     * @param out receives the file; {@link #close} completes the file and flushes the stream, and the caller closes it
     * @param facts the metadata of the file
     */
    public static SampleParquetWriter create(OutputStream out, SampleFileHeader facts) throws IOException {
        return new SampleParquetWriter(new Builder(new StreamOutputFile(out), facts).build());
    }

    /**
     * Writes a row.
     *
     * @param values the values of {@link SampleColumn#ALL} in order: {@link String}, {@link Long}, {@link Double}, {@link Boolean} or null
     *     as the column's type says
     * @throws IllegalArgumentException if a value is missing or has another class; the row is not written
     */
    public void write(@Nullable Object[] values) throws IOException {
        check(values);
        writer.write(values);
        rows++;
    }

    /** A row that parquet-java refused in the middle would leave its columns with different numbers of values. */
    private static void check(@Nullable Object[] values) {
        if (values.length != CLASSES.length) {
            throw new IllegalArgumentException(
                    "a row of " + values.length + " values; the schema has " + CLASSES.length + " columns");
        }
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value == null ? COLUMNS.get(i).required() : value.getClass() != CLASSES[i]) {
                throw new IllegalArgumentException("column " + COLUMNS.get(i).name() + ": "
                        + (value == null ? "null" : value.getClass().getSimpleName()) + " instead of "
                        + CLASSES[i].getSimpleName());
            }
        }
    }

    /** Returns the number of rows written. */
    public long rows() {
        return rows;
    }

    /** Writes the last row group and the footer, and flushes the stream. A file without rows is valid, too. */
    @Override
    public void close() throws IOException {
        writer.close();
    }

    private static final class Builder extends ParquetWriter.Builder<@Nullable Object[], Builder> {
        private final SampleFileHeader facts;

        Builder(OutputFile file, SampleFileHeader facts) {
            super(file);
            this.facts = facts;
            withConf(new PlainParquetConfiguration());
            // Without a factory of our own the builder loads the codecs of Hadoop.
            withCodecFactory(new GzipCodec());
            withCompressionCodec(CompressionCodecName.GZIP);
            // Version 2 has delta encodings.
            withWriterVersion(WriterVersion.PARQUET_2_0);
            withRowGroupSize(ROW_GROUP_BYTES);
            withRowGroupRowCountLimit(ROW_GROUP_ROWS);
            withPageSize(PAGE_BYTES);
            withDictionaryPageSize(DICTIONARY_BYTES);
            withMinRowCountForPageSizeCheck(CHECK_ROWS);
            withMaxRowCountForPageSizeCheck(CHECK_ROWS);
            withValidation(false);
            for (SampleColumn column : COLUMNS) {
                withDictionaryEncoding(column.name(), SampleSchema.dictionary(column));
            }
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // abstract, so it cannot be left out
        protected WriteSupport<@Nullable Object[]> getWriteSupport(org.apache.hadoop.conf.Configuration conf) {
            return new SampleWriteSupport(facts.metadata());
        }

        @Override
        protected WriteSupport<@Nullable Object[]> getWriteSupport(ParquetConfiguration conf) {
            return new SampleWriteSupport(facts.metadata());
        }
    }
}
