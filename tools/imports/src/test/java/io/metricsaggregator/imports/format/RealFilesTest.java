package io.metricsaggregator.imports.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.journal.ImportedPart;
import io.metricsaggregator.imports.journal.Importer;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that the tools wrote: each is recognised, read without damage, and gives the figures that the tool states itself. */
class RealFilesTest {
    @TempDir
    Path folder;

    /**
     * What an import of some files must give.
     *
     * @param files below {@code real/}
     * @param requests requests in the file
     * @param endUnknown failures without a time
     * @param figures figures of the tool that are recomputed, at least
     */
    record Run(String format, List<String> files, String kind, long requests, long endUnknown, int figures) {
        @Override
        public String toString() {
            return format + " " + files;
        }
    }

    static Stream<Run> runs() {
        return Stream.of(
                new Run("guidellm", List.of("guidellm/clean/benchmarks.json.gz"), "T", 20, 0, 30),
                new Run("guidellm", List.of("guidellm/failures/benchmarks.json.gz"), "T", 24, 0, 30),
                new Run("sglang", List.of("sglang/clean/result.jsonl"), "D", 20, 0, 14),
                new Run("sglang", List.of("sglang/failures/result.jsonl"), "D", 24, 3, 14),
                new Run(
                        "inference-perf",
                        List.of(
                                "inference-perf/clean/per_request_lifecycle_metrics.json.gz",
                                "inference-perf/clean/summary_lifecycle_metrics.json"),
                        "C",
                        24,
                        0,
                        20),
                new Run(
                        "inference-perf",
                        List.of(
                                "inference-perf/failures/per_request_lifecycle_metrics.json.gz",
                                "inference-perf/failures/summary_lifecycle_metrics.json"),
                        "C",
                        24,
                        0,
                        20),
                new Run(
                        "genai-bench",
                        List.of("genai-bench/clean/D40_16_text-to-text_num_concurrency_4_time_3s.json.gz"),
                        "D",
                        36,
                        0,
                        20),
                new Run(
                        "genai-bench",
                        List.of("genai-bench/failures/D40_16_text-to-text_num_concurrency_4_time_2s.json.gz"),
                        "D",
                        42,
                        8,
                        20),
                new Run("perf-analyzer", List.of("perf-analyzer/clean/profile_export.json.gz"), "C", 20, 0, 0),
                new Run("k6", List.of("k6/clean/results.json.gz"), "T", 25, 0, 0),
                new Run("k6", List.of("k6/failures/results.json.gz"), "T", 25, 0, 0),
                new Run("vegeta", List.of("vegeta/clean/results.json"), "T", 24, 0, 0),
                new Run("vegeta", List.of("vegeta/failures/results.json"), "T", 24, 0, 0),
                new Run("vegeta", List.of("vegeta/failures/results.csv"), "T", 24, 0, 0),
                new Run("locust", List.of("locust/clean/run_stats.csv", "locust/clean/run_failures.csv"), "A", 0, 0, 0),
                new Run(
                        "locust",
                        List.of(
                                "locust/failures/run_stats.csv",
                                "locust/failures/run_failures.csv",
                                "locust/failures/run_exceptions.csv"),
                        "A",
                        0,
                        0,
                        0),
                new Run("locust", List.of("locust/failures/run_stats_history.csv"), "T", 0, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void a_file_of_the_tool_is_read_whole_and_its_figures_are_found_again(Run run) throws Exception {
        ImportFormat format = Formats.named(run.format());
        assertThat(format).isNotNull();
        try (Importer importer = new Importer(format, ImportOptions.DEFAULT, folder, () -> {})) {
            for (String file : run.files()) {
                try (ImportSource source = ImportSource.open(resource(file))) {
                    assertThat(Formats.recognising(source.head())).as(file).isSameAs(format);
                    importer.read(source);
                }
            }
            List<ImportedPart> parts = importer.finish();
            assertThat(parts).hasSize(1);
            Imported imported = importer.describe(parts.get(0));

            assertThat(imported.kind()).isEqualTo(run.kind());
            assertThat(imported.skipped()).isEmpty();
            assertThat(imported.requests()).isEqualTo(run.requests());
            assertThat(imported.endUnknown()).isEqualTo(run.endUnknown());
            assertThat(imported.verify()).filteredOn(each -> !each.agrees()).isEmpty();
            assertThat(imported.verify()).hasSizeGreaterThanOrEqualTo(run.figures());
        }
    }

    private static Path resource(String name) throws IOException, URISyntaxException {
        return Path.of(Objects.requireNonNull(RealFilesTest.class.getResource("/real/" + name), "test resource " + name)
                .toURI());
    }
}
