package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.options.DurationConverter;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.options.WhatIfOptions;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Runs recomputed with other settings on a cluster, against a replay with the same options in this process. */
class FoldWhatIfTest {
    @TempDir
    Path folder;

    private Path journals() throws IOException {
        return Files.createDirectories(folder.resolve("journals"));
    }

    private Path snapshot(String run) {
        return folder.resolve("results").resolve(run).resolve("final_snapshot.json");
    }

    private FlinkCluster.Outcome run(List<String> options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--input",
                journals().toString(),
                "--output",
                folder.resolve("results").toString(),
                "--rows",
                "none"));
        arguments.addAll(options);
        return FlinkCluster.get().run(arguments.toArray(String[]::new));
    }

    /** The leaves of a run as {@code replay} computes it with options. */
    private static Map<String, Object> replayed(Path run, List<String> arguments) throws IOException {
        WhatIfOptions options = new WhatIfOptions();
        new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options))
                .registerConverter(Duration.class, new DurationConverter())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(arguments.toArray(String[]::new));
        JournalReplay replay = JournalReplay.open(run);
        TokenizerOption.@Nullable Loaded tokenizer = options.tokenizer(replay.recorded());
        try (JournalReplay.Result result = options.replay(
                replay,
                options.config(replay.recorded(), Version.text(), tokenizer),
                RunResources.ofReplay(tokenizer == null ? null : tokenizer.resource(1, null), 1L << 30))) {
            return SnapshotLeaves.of(new JsonSnapshotCodec().encode(result.snapshot()));
        }
    }

    private static List<String> recomputed(Map<String, Object> leaves) {
        return leaves.entrySet().stream()
                .filter(each -> each.getKey().matches(".*/run/recomputed/\\d+"))
                .map(each -> each.getValue().toString())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--slo ttft=50ms,latency=200ms,share=90% | judged by other objectives",
                "--warmup-cut 3s | without samples issued in the first 3.0 s",
                "--window steady --superpass-size 100 --token-source usage --steady-min 2s | steady window of the whole run",
                "--window superpass:2..3 --superpass-size 100 --token-source USAGE | super-passes 2 to 3",
                "--exclude-worker 1 --exclude-worker=2 | without worker 2",
                "--window 2s.. --no-streaming --track all --nodes 1/2 --price 3/h | only samples issued in 2s..",
                "--expect-label endpoint=a,b --expect-label model=c --endpoint-idle 1s --max-keys 5 | with other expected labels"
            })
    void a_run_recomputed_with_other_settings_equals_its_replay_with_them(String options, String word)
            throws IOException {
        Path run = Journals.synthetic("a", Journals.shape(11, 30, true), journals(), true);
        List<String> arguments = List.of(options.split(" "));

        FlinkCluster.Outcome outcome = run(arguments);

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        Map<String, Object> leaves = SnapshotLeaves.of(snapshot("a"));
        assertThat(leaves).isEqualTo(replayed(run, arguments)).isNotEqualTo(Results.replayed(run));
        assertThat(recomputed(leaves)).anyMatch(each -> each.contains(word));
    }

    @Test
    void further_percentiles_and_labels_with_spaces_and_signs_reach_the_task() throws IOException {
        Path run = Journals.synthetic("a", Journals.shape(12, 10, true), journals(), true);
        List<String> arguments = List.of("--percentiles", "12.5,99.99", "--label", "note=a b, c=d '@e'");

        assertThat(run(arguments).status()).isZero();

        Map<String, Object> leaves = SnapshotLeaves.of(snapshot("a"));
        assertThat(leaves).isEqualTo(replayed(run, arguments)).containsValue("a b, c=d '@e'");
        assertThat(leaves.keySet()).anyMatch(each -> each.endsWith("/12.5"));
        assertThat(recomputed(leaves)).isEmpty();
    }

    @Test
    void texts_are_counted_with_the_tokenizer_given_and_a_run_whose_own_is_missing_is_refused() throws IOException {
        GoldenCase golden = new GoldenCase("05a_tokens_text");
        String tokenizer = Objects.requireNonNull(golden.tokenizer()).toString();
        RunConfig config = RunConfig.builder()
                .version("test")
                .tokenizer(new RunConfig.Tokenizer("/missing/tokenizer.json", "none", ""))
                .build();
        Path run = Journals.write(journals(), "texts", config, golden.frames(), true);
        Path other = Journals.synthetic("other", Journals.shape(13, 2, false), journals(), true);

        FlinkCluster.Outcome refused = run(List.of());
        assertThat(refused.status()).isEqualTo(6);
        assertThat(refused.err())
                .contains("refused")
                .contains(run.toString())
                .contains("cannot load the tokenizer of the run, /missing/tokenizer.json")
                .contains("--tokenizer none");
        assertThat(SnapshotLeaves.of(snapshot("other"))).isEqualTo(Results.replayed(other));

        List<String> counted = List.of("--tokenizer", tokenizer);
        assertThat(run(List.of("--tokenizer", tokenizer, "--overwrite")).status())
                .isZero();
        assertThat(SnapshotLeaves.of(snapshot("texts"))).isEqualTo(replayed(run, counted));
        assertThat(recomputed(SnapshotLeaves.of(snapshot("texts"))))
                .anyMatch(each -> each.startsWith("tokens counted with "));
    }

    @Test
    void a_run_that_the_settings_do_not_fit_is_refused_and_named() throws IOException {
        Path run = Journals.synthetic("a", Journals.shape(14, 2, false), journals(), true);

        FlinkCluster.Outcome outcome = run(List.of("--exclude-worker", "no-such-worker"));

        assertThat(outcome.status()).isEqualTo(6);
        assertThat(outcome.err()).contains("refused").contains(run.toString()).contains("no-such-worker");
        assertThat(snapshot("a")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--slo ttft=500",
                "--no-streaming --slo ttft=1s",
                "--window soon",
                "--window 5s..2s",
                "--window superpass:0..2",
                "--window steady --warmup-cut 1s",
                "--percentiles 100.5",
                "--streaming --no-streaming",
                "--label concurrency",
                "--tokenizer none --token-source both",
                "--steady-min 5",
                "--nodes 3/2",
                "--exclude-worker 1 --kafka none:9092 --topic events",
                "--window superpass:1..2 --kafka none:9092 --topic events",
                "--snapshots kafka:live",
                "--snapshots live --kafka none:9092 --topic events",
                "--snapshots kafka:events --kafka none:9092 --topic events"
            })
    void settings_that_no_run_can_have_are_refused_before_a_job_is_submitted(String options) throws IOException {
        Journals.synthetic("a", Journals.shape(15, 2, false), journals(), true);
        List<String> arguments =
                new ArrayList<>(List.of("--output", folder.resolve("results").toString(), "--overwrite"));
        if (!options.contains("--kafka")) {
            arguments.addAll(List.of("--input", journals().toString()));
        }
        arguments.addAll(List.of(options.split(" ")));
        StringWriter err = new StringWriter();
        int status = Main.execute(
                () -> {
                    throw new IllegalStateException("no cluster");
                },
                new PrintWriter(new StringWriter(), true),
                new PrintWriter(err, true),
                arguments.toArray(String[]::new));
        assertThat(status).as(err.toString()).isEqualTo(2);
        assertThat(err.toString()).contains(options.split(" ")[0].replaceAll("^--(no-)?|s$", ""));
    }
}
