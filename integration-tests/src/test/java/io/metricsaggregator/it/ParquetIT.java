package io.metricsaggregator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.event.EventEncoder;
import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import io.metricsaggregator.event.frame.Topic;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.samples.SampleColumn;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.subscriber.FinalSnapshotFile;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of two recorded runs as Parquet, read by DuckDB and pyarrow. */
class ParquetIT {
    private static final Path SCALE = Path.of("..", "docs", "scale.md");
    private static final Path PARQUET = Path.of("..", "docs", "parquet.md");
    private static final Pattern SQL = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL);
    private static final Pattern SHELL = Pattern.compile("^duckdb -c \"([^\"]*)\"", Pattern.MULTILINE);
    private static final Path QUERIES = Path.of("..", "docs", "examples", "queries.sql");

    @TempDir
    private static Path directory;

    /** Records two runs of two nodes at the same time, and exports the rows of both into one directory. */
    @BeforeAll
    static void record() throws IOException {
        try (RunningProcess one = daemon("gpu-1");
                RunningProcess two = daemon("gpu-2");
                RunningProcess load = produce("gpu-1", 7);
                RunningProcess more = produce("gpu-2", 8)) {
            assertThat(load.awaitExit()).as("%s", load).isZero();
            assertThat(more.awaitExit()).as("%s", more).isZero();
            assertThat(one.awaitExit()).as("%s", one).isZero();
            assertThat(two.awaitExit()).as("%s", two).isZero();
        }
        export("gpu-1");
        export("gpu-2");
    }

    private static RunningProcess daemon(String node) throws IOException {
        return new RunningProcess(Cli.builder(
                List.of(),
                List.of("-Xlog:class+load:file=" + directory.resolve(node + ".classes")),
                Cli.run(
                        directory.resolve(node),
                        "--in",
                        "ipc://" + directory.resolve(node + ".events"),
                        "--journal",
                        directory.resolve(node + ".journal").toString(),
                        "--node",
                        node,
                        "--slo",
                        "latency=60ms")));
    }

    private static RunningProcess produce(String node, int seed) throws IOException {
        return Cli.start(
                "produce",
                "--out",
                "ipc://" + directory.resolve(node + ".events"),
                "--rate",
                "300",
                "--duration",
                "3s",
                "--chunks",
                "10",
                "--ttft",
                "20",
                "--chunk-gap",
                "4",
                "--error-rate",
                "0.05",
                "--seed",
                Integer.toString(seed));
    }

    private static void export(String node) throws IOException {
        String journal = directory.resolve(node + ".journal").toString();
        try (RunningProcess export = Cli.start("export", journal, "--format", "parquet", "-o", rows())) {
            assertThat(export.awaitExit()).as("%s", export).isZero();
            assertThat(export.err()).contains("exported ", "/node=" + node + "/part-0.parquet");
        }
    }

    private static String rows() {
        return directory.resolve("rows").toString();
    }

    private static Path part(String node) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of(rows()))) {
            return files.filter(file -> file.endsWith(Path.of("node=" + node, "part-0.parquet")))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Skips the calling test with the reason printed if Python lacks a module. */
    /** Runs statements in DuckDB in the directory of {@code rows/}; returns the rows of each query. */
    private static List<List<Map<?, ?>>> query(List<String> statements) throws IOException {
        Python.requireModule("duckdb");
        Path file = Files.createTempFile(directory, "query", ".sql");
        Files.writeString(file, statements.stream().map(each -> each + ";\n").collect(Collectors.joining()));
        String script = Path.of("src/test/resources/python/query_rows.py")
                .toAbsolutePath()
                .toString();
        ProcessBuilder builder = new ProcessBuilder(Python.interpreter(), script, file.toString());
        try (RunningProcess python = new RunningProcess(builder.directory(directory.toFile()))) {
            assertThat(python.awaitExit()).as("%s", python).isZero();
            List<List<Map<?, ?>>> results = new ArrayList<>();
            for (String line : python.out().lines().toList()) {
                Map<?, ?> result = JsonTree.read(line.getBytes(StandardCharsets.UTF_8));
                results.add(((List<?>) Objects.requireNonNull(result.get("rows")))
                        .stream().<Map<?, ?>>map(row -> (Map<?, ?>) row).toList());
            }
            return results;
        }
    }

    private static List<String> statements(Path page, Pattern block) throws IOException {
        List<String> statements = new ArrayList<>();
        Matcher blocks = block.matcher(Files.readString(page));
        while (blocks.find()) {
            Stream.of(blocks.group(1).split(";\n"))
                    .filter(each -> !each.isBlank())
                    .forEach(statements::add);
        }
        return statements;
    }

    private static List<String> queries() throws IOException {
        return Stream.of(
                        Files.readString(QUERIES).replaceAll("(?m)^--.*\\n", "").split(";\n"))
                .map(String::strip)
                .filter(each -> !each.isBlank())
                .toList();
    }

    private static List<MetricsSnapshot> reports() throws IOException {
        return List.of(
                FinalSnapshotFile.read(directory.resolve("gpu-1")), FinalSnapshotFile.read(directory.resolve("gpu-2")));
    }

    @Test
    void tracked_rows_give_count_sum_and_each_exact_percentile_of_the_report() throws IOException {
        for (MetricsSnapshot report : reports()) {
            SeriesMetric latency = Objects.requireNonNull(report.series("sample_latency_ns"));
            SeriesMetric ttft = Objects.requireNonNull(report.series("ttft_ns"));
            assertSeries(report, latency, "latency_ns");
            assertSeries(report, ttft, "ttft_ns");
            assertThat(latency.count()).isGreaterThan(100);
        }
    }

    private static void assertSeries(MetricsSnapshot report, SeriesMetric series, String column) throws IOException {
        List<String> statements = new ArrayList<>(queries().subList(0, 2));
        String percentiles = series.percentiles().keySet().stream()
                .map(each -> "report_percentile(" + column + ", " + each + ") AS \"" + each + "\"")
                .collect(Collectors.joining(", "));
        statements.add("SELECT count(" + column + ") AS count, sum(" + column + ") AS total, " + percentiles
                + " FROM samples WHERE tracked AND completed_ns IS NOT NULL AND run_id = '"
                + report.extensions().run().runId() + "'");
        Map<?, ?> row = query(statements).get(0).get(0);
        assertThat(row.get("count")).isEqualTo(series.count());
        assertThat(new BigInteger(String.valueOf(row.get("total"))))
                .isEqualTo(new BigInteger(series.total().toString()));
        assertThat(series.percentiles()).isNotEmpty();
        series.shownPercentiles()
                .forEach((percentile, value) -> assertThat(
                                ((Number) Objects.requireNonNull(row.get(percentile))).doubleValue())
                        .as("%s p%s", column, percentile)
                        .isCloseTo(value, within(1e-9 * value)));
    }

    @Test
    void the_queries_of_the_page_answer_on_the_rows_of_two_nodes() throws IOException {
        List<List<Map<?, ?>>> results = query(queries());
        assertThat(results).hasSize(10).allMatch(rows -> !rows.isEmpty());
        List<MetricsSnapshot> reports = reports();
        for (MetricsSnapshot report : reports) {
            assertThat(results.get(0)).anySatisfy(row -> {
                assertThat(row.get("run_id"))
                        .isEqualTo(report.extensions().run().runId());
                assertThat(row.get("completed")).isEqualTo(report.counterValue("tracked_samples_completed"));
            });
            assertThat(results.get(5)).anySatisfy(row -> {
                assertThat(row.get("judged"))
                        .isEqualTo(Objects.requireNonNull(report.extensions().goodput())
                                .judged());
                assertThat(row.get("good"))
                        .isEqualTo(Objects.requireNonNull(report.extensions().goodput())
                                .good());
            });
        }
        assertThat(results.get(1))
                .<Object>extracting(row -> row.get("node"))
                .containsExactly("all nodes", "gpu-1", "gpu-2");
        assertThat(results.get(8))
                .allSatisfy(row ->
                        assertThat(((Number) row.get("peak")).longValue()).isPositive());
    }

    @Test
    void the_commands_and_queries_of_both_pages_answer() throws IOException {
        List<String> all = new ArrayList<>(statements(SCALE, SHELL));
        assertThat(all).isNotEmpty();
        all.addAll(statements(PARQUET, SQL));
        List<List<Map<?, ?>>> results = query(all.stream().map(String::strip).toList());
        assertThat(results).hasSameSizeAs(all).allMatch(rows -> !rows.isEmpty());
    }

    @Test
    void pyarrow_reads_types_metadata_and_partitions() throws IOException {
        Python.requireModule("pyarrow");
        try (RunningProcess python = Python.start("read_rows.py", part("gpu-1").toString(), rows())) {
            assertThat(python.awaitExit()).as("%s", python).isZero();
            Map<?, ?> read = JsonTree.read(python.out().getBytes(StandardCharsets.UTF_8));
            MetricsSnapshot report = reports().get(0);
            SeriesMetric latency = Objects.requireNonNull(report.series("sample_latency_ns"));
            assertThat(read.get("rows")).isEqualTo(report.counterValue("total_samples_issued"));
            assertThat(read.get("completed")).isEqualTo(latency.count());
            assertThat(String.valueOf(read.get("latency_sum")))
                    .isEqualTo(latency.total().toString());
            long all = report.counterValue("total_samples_issued")
                    + reports().get(1).counterValue("total_samples_issued");
            assertThat(read.get("partitioned")).isEqualTo(all);
            Map<?, ?> types = (Map<?, ?>) Objects.requireNonNull(read.get("types"));
            for (SampleColumn column : SampleColumn.ALL) {
                String type = switch (column.type()) {
                    case TEXT, LABEL -> "string";
                    case TIME, DURATION, COUNT -> "int64";
                    case REAL -> "double";
                    case FLAG -> "bool";
                };
                assertThat(types.get(column.name())).as(column.name()).isEqualTo(type);
            }
            Map<?, ?> metadata = (Map<?, ?>) Objects.requireNonNull(read.get("metadata"));
            assertThat(metadata.get("metrics_aggregator.schema_version")).isEqualTo("1");
            assertThat(metadata.get("metrics_aggregator.node")).isEqualTo("gpu-1");
            assertThat(metadata.get("metrics_aggregator.setting.slo_latency_ns"))
                    .isEqualTo("60000000");
        }
    }

    @Test
    void an_export_runs_without_hadoop_on_its_class_path_and_loads_none_of_its_classes() throws IOException {
        Path classes = directory.resolve("export.classes");
        ProcessBuilder builder = Cli.builder(
                List.of(),
                List.of("-Xlog:class+load:file=" + classes),
                "export",
                directory.resolve("gpu-1.journal").toString(),
                "--format",
                "parquet",
                "-o",
                directory.resolve("again").toString());
        try (RunningProcess export = new RunningProcess(builder)) {
            assertThat(export.awaitExit()).as("%s", export).isZero();
        }
        List<String> loaded = Files.readAllLines(classes);
        assertThat(loaded).anyMatch(line -> line.contains(" org.apache.parquet.hadoop.ParquetWriter "));
        assertThat(loaded).noneMatch(line -> line.contains(" org.apache.hadoop."));
    }

    @Test
    void a_daemon_loads_no_class_of_parquet() throws IOException {
        List<String> loaded = Files.readAllLines(directory.resolve("gpu-1.classes"));
        assertThat(loaded).anyMatch(line -> line.contains(" io.metricsaggregator.daemon."));
        assertThat(loaded).noneMatch(line -> line.contains(".parquet."));
    }

    @Test
    void an_existing_file_is_not_replaced() throws IOException {
        byte[] before = Files.readAllBytes(part("gpu-2"));
        String journal = directory.resolve("gpu-2.journal").toString();
        try (RunningProcess export = Cli.start("export", journal, "--format", "parquet", "-o", rows())) {
            assertThat(export.awaitExit()).isEqualTo(4);
            assertThat(export.err()).contains("part-0.parquet exists already");
        }
        assertThat(Files.readAllBytes(part("gpu-2"))).isEqualTo(before);
    }

    @Test
    void hostile_ids_and_names_stay_in_their_folder_and_arrive_as_they_were() throws IOException {
        List<String> ids =
                List.of("\0", "a\nb\r\"',;|", "\u001b[2J\u202e", "\ud83d\ude00", "x".repeat((1 << 16) + 1), "../../x");
        Path run = Files.createDirectories(directory.resolve("hostile/run-1-cafe"));
        Map<String, String> description = Map.of("run_id", "../../../evil/\u00e9%", "node", "../../../../root");
        try (JournalWriter writer = new JournalWriter(run, description, 1, 0, 1 << 20, -1)) {
            for (String id : ids) {
                write(writer, EventRecord.sample(EventType.SAMPLE_ISSUED, 100, id));
                write(writer, EventRecord.sample(EventType.SAMPLE_COMPLETE, 200, id));
            }
        }
        Path to = directory.resolve("deep/er/hostile-rows");
        try (RunningProcess export = Cli.start("export", run.toString(), "--format", "parquet", "-o", to.toString())) {
            assertThat(export.awaitExit()).as("%s", export).isZero();
        }
        try (Stream<Path> files = Files.walk(directory.resolve("deep"))) {
            List<Path> found = files.filter(Files::isRegularFile).toList();
            assertThat(found).hasSize(1);
            assertThat(to.relativize(found.get(0)).getName(0)).hasToString("run=..%2F..%2F..%2Fevil%2F%C3%A9%25");
        }
        List<Map<?, ?>> rows = query(List.of("SELECT sample_uuid, latency_ns, run_id FROM read_parquet('" + to
                        + "/*/*/part-*.parquet', hive_partitioning = false)"))
                .get(0);
        assertThat(rows).<Object>extracting(row -> row.get("sample_uuid")).isEqualTo(ids);
        assertThat(rows).allSatisfy(row -> assertThat(row.get("run_id")).isEqualTo("../../../evil/\u00e9%"));
    }

    private static void write(JournalWriter writer, EventRecord event) {
        byte[] frame = Topic.frame("events", new EventEncoder().encode(event));
        writer.frame(ByteBuffer.wrap(frame), 0, frame.length, 1000);
        writer.endBurst(1000);
    }
}
