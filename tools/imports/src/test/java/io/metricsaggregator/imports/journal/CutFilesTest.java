package io.metricsaggregator.imports.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.ImportSource;
import io.metricsaggregator.imports.format.Formats;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A compressed file that was cut yields what the text yields that inflates, and says so; in every format. */
class CutFilesTest {
    private static final Path REAL = Path.of("src/test/resources/real");

    @TempDir
    private Path folder;

    /** What an import took over and skipped. */
    private record Result(long requests, Map<String, Long> skipped) {}

    private Result read(ImportFormat format, byte[] file) throws IOException {
        try (Importer importer = new Importer(format, ImportOptions.DEFAULT, folder, () -> {});
                ImportSource source = ImportSource.of("file", new ByteArrayInputStream(file))) {
            importer.read(source);
            List<ImportedPart> parts = importer.finish();
            long requests = parts.stream()
                    .mapToLong(part -> importer.describe(part).requests())
                    .sum();
            return new Result(requests, new TreeMap<>(importer.skipped()));
        }
    }

    private static byte[] inflated(byte[] file) throws IOException {
        return ImportSource.of("file", new ByteArrayInputStream(file)).text().readAllBytes();
    }

    private static byte[] gzip(byte[] text, int from, int to) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text, from, to - from);
        }
        return bytes.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aiperf/failures/profile_export.jsonl.gz",
                "aiperf/failures/profile_export_raw.jsonl.gz",
                "aiperf/failures/profile_export_aiperf.json.gz",
                "genai-bench/clean/D40_16_text-to-text_num_concurrency_4_time_3s.json.gz",
                "guidellm/failures/benchmarks.json.gz",
                "inference-perf/failures/per_request_lifecycle_metrics.json.gz",
                "k6/failures/results.json.gz",
                "locust/failures/run_stats.csv",
                "locust/failures/run_stats_history.csv",
                "perf-analyzer/clean/profile_export.json.gz",
                "sglang/clean/result.jsonl",
                "vegeta/failures/results.csv",
                "vegeta/failures/results.json",
                "vllm/failures/result.json"
            })
    void a_cut_gzip_file_yields_what_inflates(String name) throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] text = inflated(Files.readAllBytes(REAL.resolve(name)));
        ImportFormat format = Formats.recognising(
                ImportSource.of("file", new ByteArrayInputStream(text)).head());
        assertThat(format).isNotNull();
        int half = text.length / 2;
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        members.writeBytes(gzip(text, 0, half));
        int second = members.size();
        members.writeBytes(gzip(text, half, text.length));
        byte[] file = members.toByteArray();
        List<Integer> cuts = new ArrayList<>(List.of(1, 5, second - 1, second + 1, second + 11, file.length - 1));
        for (int i = 0; i < 10; i++) {
            cuts.add(2 + random.nextInt(file.length - 3));
        }
        cuts.remove(Integer.valueOf(second));
        for (int cut : cuts) {
            byte[] part = Arrays.copyOf(file, cut);
            Result expected = read(format, inflated(part));
            Result result = read(format, part);

            assertThat(result.skipped()).as("seed %d, cut %d", seed, cut).containsEntry("truncated", 1L);
            // A row of CSV that lacks its line end is whole only if the file is.
            long lastRow = name.endsWith(".csv") ? 1 : 0;
            assertThat(result.requests())
                    .as("seed %d, cut %d", seed, cut)
                    .isBetween(expected.requests() - lastRow, expected.requests());
        }
    }

    @Test
    void a_wrong_checksum_is_counted_beside_the_records() throws Exception {
        byte[] file = Files.readAllBytes(REAL.resolve("k6/failures/results.json.gz"));
        ImportFormat format = Formats.named("k6");
        assertThat(format).isNotNull();
        Result whole = read(format, file);
        file[file.length - 6] ^= 1;

        Result result = read(format, file);

        assertThat(result.requests()).isEqualTo(whole.requests()).isPositive();
        assertThat(result.skipped()).isEqualTo(Map.of("gzip_checksum_wrong", 1L));
    }

    @Test
    void carriage_returns_end_lines() throws Exception {
        for (String name : List.of("vegeta/failures/results.csv", "vegeta/failures/results.json")) {
            String text = Files.readString(REAL.resolve(name), StandardCharsets.UTF_8);
            ImportFormat format = Formats.named("vegeta");
            assertThat(format).isNotNull();
            Result expected = read(format, text.getBytes(StandardCharsets.UTF_8));

            for (String end : List.of("\r", "\r\n")) {
                assertThat(read(format, text.replace("\n", end).getBytes(StandardCharsets.UTF_8)))
                        .isEqualTo(expected);
            }
            assertThat(expected.requests()).isPositive();
        }
    }

    @Test
    void endless_inputs_end() throws Exception {
        for (ImportFormat format : Formats.ALL) {
            try (Importer importer = new Importer(format, ImportOptions.DEFAULT, folder, () -> {});
                    ImportSource source = ImportSource.of("-", new Endless("no record\n"))) {
                assertThatThrownBy(() -> importer.read(source))
                        .as(format.name())
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("-: ")
                        .hasMessageContaining("endless");
            }
        }
    }

    /** Repeats a text for ever. */
    private static final class Endless extends InputStream {
        private final byte[] text;
        private int position;

        Endless(String text) {
            this.text = text.repeat(1 << 13).getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            read(one, 0, 1);
            return one[0];
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int copied = Math.min(length, text.length - position);
            System.arraycopy(text, position, into, offset, copied);
            position = (position + copied) % text.length;
            return copied;
        }
    }
}
