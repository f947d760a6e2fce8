package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.stream.RunFrames;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.tokens.TransformersVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows, token counts and other settings of a joined run. */
class JoinedRowsTest {
    @TempDir
    Path folder;

    private Path journals() throws IOException {
        return Files.createDirectories(folder.resolve("journals"));
    }

    private FlinkCluster.Outcome run(String... further) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--one-run",
                "--input",
                journals().toString(),
                "--output",
                folder.resolve("results").toString()));
        arguments.addAll(List.of(further));
        return FlinkCluster.get().run(arguments.toArray(String[]::new));
    }

    private Path result() throws IOException {
        try (Stream<Path> runs = Files.list(folder.resolve("results"))) {
            List<Path> all = runs.toList();
            assertThat(all).hasSize(1);
            return all.get(0);
        }
    }

    @Test
    void texts_are_counted_as_in_the_journal_itself() throws IOException {
        GoldenCase golden = new GoldenCase("05a_tokens_text");
        String tokenizer = Objects.requireNonNull(golden.tokenizer()).toString();
        RunConfig config = RunConfig.builder()
                .version(Version.text())
                .tokenizer(TokenizerOption.load(tokenizer, TransformersVersion.DEFAULT)
                        .settings())
                .build();
        Path run = Journals.write(journals(), "texts", config, golden.frames(), true);

        FlinkCluster.Outcome outcome = run();

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        Map<String, Object> joined = RunFrames.comparable(Files.readAllBytes(result().resolve("final_snapshot.json")));
        Map<String, Object> replayed = RunFrames.comparable(Results.snapshotWithTexts(run));
        assertThat(((Map<?, ?>) replayed.get("metrics")).get("osl").toString()).doesNotContain("count=0,");
        for (String part : List.of("metrics", "interactivity")) {
            assertThat(joined.get(part)).as(part).isEqualTo(replayed.get(part));
        }
    }

    @Test
    void rows_are_those_of_the_journal_itself() throws IOException {
        RunConfig config = RunConfig.builder().version(Version.text()).build();
        Path run = Journals.write(journals(), "a", config, Journals.frames(Journals.shape(9, 10, true)), true);

        assertThat(run("--rows", folder.resolve("rows").toString()).status()).isZero();

        String id = result().getFileName().toString();
        assertThat(Files.readAllBytes(
                        folder.resolve("rows/run=" + id + "/node=__HIVE_DEFAULT_PARTITION__/part-0.parquet")))
                .isEqualTo(SampleRowBytes.of(run, config, id, 1_790_000_000_000_000_000L));
    }

    @Test
    void a_joined_run_is_recomputed_with_other_settings_and_refused_without_its_tokenizer() throws IOException {
        GoldenCase golden = new GoldenCase("05a_tokens_text");
        RunConfig config = RunConfig.builder()
                .version(Version.text())
                .tokenizer(new RunConfig.Tokenizer("/missing/tokenizer.json", "none", ""))
                .build();
        Journals.write(journals(), "texts", config, golden.frames(), true);

        FlinkCluster.Outcome refused = run();
        assertThat(refused.status()).isEqualTo(6);
        assertThat(refused.err()).contains("/missing/tokenizer.json").contains("--tokenizer none");
        assertThat(folder.resolve("results")).doesNotExist();

        assertThat(run("--tokenizer", "none", "--slo", "latency=1ms,share=99%").status())
                .isZero();
        assertThat(SnapshotLeaves.of(result().resolve("final_snapshot.json")).entrySet())
                .filteredOn(each -> each.getKey().contains("/recomputed/"))
                .extracting(each -> each.getValue().toString())
                .anyMatch(each -> each.contains("judged by other objectives"));
    }
}
