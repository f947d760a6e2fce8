package io.metricsaggregator.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.samples.SampleColumn;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleParquetWriterTest {
    private static final SampleFileHeader FACTS = new SampleFileHeader("1.2", null, null, null, null, Map.of());
    private static final List<SampleColumn> COLUMNS = SampleColumn.ALL;

    @TempDir
    private Path directory;

    private Path write(SampleFileHeader facts, Iterable<@Nullable Object[]> rows) throws IOException {
        Path file = directory.resolve("rows.parquet");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                SampleParquetWriter writer = SampleParquetWriter.create(out, facts)) {
            for (@Nullable Object[] row : rows) {
                writer.write(row);
            }
        }
        return file;
    }

    private static Object value(SampleColumn column, Random random) {
        return switch (column.type()) {
            case TEXT -> Long.toHexString(random.nextLong());
            case LABEL -> "label " + random.nextInt(4);
            case TIME, DURATION -> random.nextLong();
            case COUNT -> (long) random.nextInt(100);
            case REAL -> random.nextGaussian();
            case FLAG -> random.nextBoolean();
        };
    }

    private static @Nullable Object[] row(Random random, double nulls) {
        @Nullable Object[] row = new @Nullable Object[COLUMNS.size()];
        for (int i = 0; i < row.length; i++) {
            SampleColumn column = COLUMNS.get(i);
            row[i] = column.required() || random.nextDouble() >= nulls ? value(column, random) : null;
        }
        return row;
    }

    private static @Nullable Object[] row(String id) {
        @Nullable Object[] row = row(new Random(1), 1);
        row[0] = id;
        return row;
    }

    @Test
    void every_type_and_null_is_read_back_as_written() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            rows.add(row(random, i % 3 / 2.0));
        }
        assertThat(ReadRows.of(write(FACTS, rows))).isEqualTo(lists(rows));
    }

    @Test
    void extreme_numbers_are_read_back_as_written() throws IOException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Number number :
                new Number[] {Long.MIN_VALUE, Long.MAX_VALUE, -1L, 0L, Double.NaN, -0.0, Double.MIN_VALUE}) {
            @Nullable Object[] row = row("id");
            for (int i = 0; i < row.length; i++) {
                switch (COLUMNS.get(i).type()) {
                    case TIME, DURATION, COUNT -> row[i] = number instanceof Long ? number : Long.valueOf(1);
                    case REAL -> row[i] = number instanceof Double ? number : Double.valueOf(1);
                    case TEXT, LABEL, FLAG -> {
                        // As in every row.
                    }
                }
            }
            rows.add(row);
        }
        assertThat(ReadRows.of(write(FACTS, rows))).isEqualTo(lists(rows));
    }

    @Test
    void hostile_and_long_texts_are_read_back_as_written() throws IOException {
        List<String> ids = List.of(
                "",
                "\0",
                "a\nb\r\"',;=cmd|",
                "\u001b[2J",
                "\uffff\ud83d\ude00\u202e",
                "x".repeat(1 << 16),
                "\u00e9".repeat((1 << 16) + 1));
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (String id : ids) {
            @Nullable Object[] row = row(id);
            for (int i = 1; i < row.length; i++) {
                row[i] = COLUMNS.get(i).type() == SampleColumn.Type.LABEL ? id : row[i];
            }
            rows.add(row);
        }
        assertThat(ReadRows.of(write(FACTS, rows))).isEqualTo(lists(rows));
    }

    @Test
    void an_unpaired_surrogate_is_written_as_a_question_mark() throws IOException {
        assertThat(ReadRows.of(write(FACTS, List.<@Nullable Object[]>of(row("a\ud800b"))))
                        .get(0)
                        .get(0))
                .isEqualTo("a?b");
    }

    @Test
    void a_file_without_rows_is_valid() throws IOException {
        assertThat(ReadRows.of(write(FACTS, List.of()))).isEmpty();
    }

    @Test
    void the_schema_has_the_columns_in_order_and_its_version_in_the_metadata() throws IOException {
        Path file = write(
                new SampleFileHeader("1.2", "cafe", "gpu-1", 17L, 3L, Map.of("publish_interval", "250ms")),
                List.<@Nullable Object[]>of(row("a")));
        assertThat(ReadRows.schema(file)).isEqualTo(SampleSchema.message());
        assertThat(ReadRows.schema(file).getFields())
                .extracting(field -> field.getName())
                .containsExactlyElementsOf(
                        COLUMNS.stream().map(SampleColumn::name).toList());
        assertThat(ReadRows.metadata(file))
                .containsAllEntriesOf(Map.of(
                        "metrics_aggregator.schema_version", "1",
                        "metrics_aggregator.version", "1.2",
                        "metrics_aggregator.run_id", "cafe",
                        "metrics_aggregator.node", "gpu-1",
                        "metrics_aggregator.wall_offset_ns", "17",
                        "metrics_aggregator.wall_offset_uncertainty_ns", "3",
                        "metrics_aggregator.setting.publish_interval", "250ms"));
    }

    @Test
    void times_are_delta_encoded_and_pages_compressed() throws IOException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            @Nullable Object[] row = row("id" + i);
            row[2] = 1_000_000_000_000L + i * 1000L;
            rows.add(row);
        }
        BlockMetaData group = ReadRows.rowGroups(write(FACTS, rows)).get(0);
        assertThat(group.getColumns().get(2).getEncodings()).contains(Encoding.DELTA_BINARY_PACKED);
        assertThat(group.getColumns()).allMatch(column -> column.getCodec() == CompressionCodecName.GZIP);
    }

    @Test
    void a_row_group_ends_when_its_texts_fill_its_memory() throws IOException {
        Random random = new Random(1);
        int rows = 3000;
        Path file = write(
                FACTS,
                () -> new Rows(rows, () -> {
                            StringBuilder id = new StringBuilder();
                            while (id.length() < 1 << 16) {
                                id.append((char) (33 + random.nextInt(94)));
                            }
                            return row(id.toString());
                        })
                        .iterator());
        List<BlockMetaData> groups = ReadRows.rowGroups(file);
        assertThat(groups).hasSizeGreaterThan(1);
        assertThat(groups.stream().mapToLong(BlockMetaData::getRowCount).sum()).isEqualTo(rows);
        assertThat(groups).allMatch(group -> group.getTotalByteSize() < 2 * SampleParquetWriter.ROW_GROUP_BYTES);
    }

    @Test
    void a_row_that_does_not_fit_the_schema_is_refused_and_leaves_the_file_readable() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Path file = directory.resolve("kept.parquet");
        try (SampleParquetWriter writer = SampleParquetWriter.create(out, FACTS)) {
            writer.write(row("a"));
            assertThatThrownBy(() -> writer.write(new @Nullable Object[] {"a"}))
                    .hasMessage("a row of 1 values; the schema has " + COLUMNS.size() + " columns");
            @Nullable Object[] wrong = row("b");
            wrong[2] = "soon";
            assertThatThrownBy(() -> writer.write(wrong)).hasMessage("column issued_ns: String instead of Long");
            @Nullable Object[] incomplete = row("c");
            incomplete[0] = null;
            assertThatThrownBy(() -> writer.write(incomplete)).hasMessage("column sample_uuid: null instead of String");
            assertThat(writer.rows()).isEqualTo(1);
        }
        Files.write(file, out.toByteArray());
        assertThat(ReadRows.of(file)).hasSize(1);
    }

    @Test
    void closing_the_writer_leaves_the_stream_open_for_its_owner() throws IOException {
        boolean[] closed = new boolean[1];
        OutputStream out = new ByteArrayOutputStream() {
            @Override
            public void close() {
                closed[0] = true;
            }
        };
        SampleParquetWriter.create(out, FACTS).close();
        assertThat(closed[0]).isFalse();
    }

    private static List<List<@Nullable Object>> lists(List<@Nullable Object[]> rows) {
        return rows.stream().map(Arrays::asList).toList();
    }

    private record Rows(int count, Supplier<@Nullable Object[]> next) {
        Iterator<@Nullable Object[]> iterator() {
            return Stream.generate(next).limit(count).iterator();
        }
    }
}
