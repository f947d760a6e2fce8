package io.metricsaggregator.imports.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.format.Formats;
import io.metricsaggregator.imports.inferenceperf.InferencePerfFormat;
import io.metricsaggregator.snapshot.figures.Imported;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that the tools themselves wrote: every figure that a tool computed follows from the requests in its file. */
class RealFilesTest {
    private static final Path REAL = Path.of("src/test/resources/real");

    @TempDir
    private Path folder;

    private Imported read(Path... files) throws Exception {
        for (Path file : files) {
            assumeThat(file).as("a real file").exists();
        }
        ImportFormat format;
        try (ImportSource first = ImportSource.open(files[0])) {
            format = Formats.recognising(first.head());
        }
        assertThat(format).isNotNull();
        try (Importer importer = new Importer(format, ImportOptions.DEFAULT, folder, () -> {})) {
            for (Path file : files) {
                try (ImportSource source = ImportSource.open(file)) {
                    importer.read(source);
                }
            }
            List<ImportedPart> parts = importer.finish();
            assertThat(parts).hasSize(1);
            return importer.describe(parts.get(0));
        }
    }

    private static void assertVerified(Imported imported, int figures) {
        assertThat(imported.verify()).hasSizeGreaterThanOrEqualTo(figures);
        assertThat(imported.verify()).filteredOn(each -> !each.agrees()).isEmpty();
        assertThat(imported.skipped()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"clean, 20, 0", "failures, 24, 12"})
    void vllm(String run, long requests, long failed) throws Exception {
        Imported imported = read(REAL.resolve("vllm/" + run + "/result.json"));

        assertThat(imported.format()).isEqualTo("vllm");
        assertThat(imported.kind()).isEqualTo("C");
        assertThat(imported.requests()).isEqualTo(requests);
        assertThat(imported.endUnknown()).isEqualTo(failed);
        assertVerified(imported, 14);
    }

    @ParameterizedTest
    @CsvSource({
        "clean, profile_export, aiperf",
        "failures, profile_export, aiperf",
        "clean, profile_export_raw, aiperf-raw",
        "failures, profile_export_raw, aiperf-raw"
    })
    void aiperf(String run, String file, String format) throws Exception {
        Imported imported = read(
                REAL.resolve("aiperf/" + run + "/" + file + ".jsonl.gz"),
                REAL.resolve("aiperf/" + run + "/profile_export_aiperf.json.gz"));

        assertThat(imported.format()).isEqualTo(format);
        assertThat(imported.toolVersion()).isEqualTo("0.13.0");
        assertThat(imported.requests()).isEqualTo(run.equals("clean") ? 22 : 26);
        assertVerified(imported, 30);
    }

    @Test
    void inference_perf_that_ctrl_c_stopped_is_interrupted_and_has_its_date() throws Exception {
        Path cut = REAL.resolve("inference-perf/cut");
        try (Importer importer = new Importer(new InferencePerfFormat(), ImportOptions.DEFAULT, folder, () -> {})) {
            for (String file : new String[] {
                "config.yaml", "inference-perf.partial.stage_0.yaml", "per_request_lifecycle_metrics.json.gz"
            }) {
                try (ImportSource source = ImportSource.open(cut.resolve(file))) {
                    importer.read(source);
                }
            }
            ImportedPart part = importer.finish().get(0);

            assertThat(part.isInterrupted()).isTrue();
            assertThat(importer.describe(part).interrupted())
                    .isEqualTo("64 of the 256 planned requests are in the file");
            assertThat(RunFolder.startedWallNanos(part)).isEqualTo(1_795_646_592_210_446_000L);
        }
    }

    @Test
    void the_folder_of_real_files_is_here() {
        assumeThat(Files.isDirectory(REAL)).as("real files").isTrue();
        assertThat(REAL.resolve("vllm")).exists();
    }
}
