package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.sample.SampleResults;
import io.metricsaggregator.flink.stream.RunFrames;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journals folded keyed by sample by the command line, against a replay in this process. */
class SampleJournalsTest {
    @TempDir
    Path folder;

    private Path journals() throws IOException {
        return Files.createDirectories(folder.resolve("journals"));
    }

    private Path checkpoints() {
        return folder.resolve("checkpoints");
    }

    private FlinkCluster.Outcome run(String input, String... further) {
        Configuration settings = new Configuration();
        settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        List<String> arguments = new ArrayList<>(List.of("--fold", "sample", "--input", input));
        arguments.addAll(List.of("--output", folder.resolve("results").toString()));
        arguments.addAll(List.of(further));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.execute(
                () -> FlinkCluster.get().environment(settings),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                arguments.toArray(String[]::new));
        return new FlinkCluster.Outcome(status, out.toString(), err.toString());
    }

    private void assertEqualsReplay(Path run, long seed) throws IOException {
        String id = Results.id(run);
        byte[] result = Files.readAllBytes(folder.resolve("results").resolve(id).resolve("final_snapshot.json"));
        byte[] replay = Results.replayedWithoutValues(run);
        assertThat(SampleResults.differences(RunFrames.comparable(result), RunFrames.comparable(replay)))
                .as("run %s, seed %d", id, seed)
                .isEmpty();
        Map<String, Object> given = JsonTree.read(result);
        Map<String, Object> expected = JsonTree.read(replay);
        Map<Object, Object> identity = new TreeMap<>((Map<?, ?>) given.get("run"));
        assertThat(String.valueOf(identity.remove("recomputed"))).contains("samples folded in partitions");
        assertThat(identity).as("run %s", id).isEqualTo(expected.get("run"));
        assertThat(given.get("timestamp_ns")).as("run %s", id).isEqualTo(expected.get("timestamp_ns"));
    }

    @Test
    void journals_of_every_kind_equal_their_replay_after_three_failures_of_their_file_system() throws Exception {
        long seed = System.nanoTime();
        for (String name : Journals.goldenNames()) {
            Journals.golden(name, journals());
        }
        for (int run = 1; run <= 2; run++) {
            Journals.synthetic("done-" + run, Journals.shape(seed + run, 15, run == 2), journals(), true);
        }
        RunConfig config = RunConfig.builder().version("test").build();
        Path torn = Journals.write(
                journals(), "torn", config, Journals.framesWithIdsOfEveryKind(Journals.shape(seed, 15, true)), false);
        Path segment = torn.resolve("segment-00000001.journal");
        byte[] bytes = Files.readAllBytes(segment);
        Files.write(segment, Arrays.copyOf(bytes, bytes.length - 1000));

        // The last segment has the end of the session.
        List<Path> segments;
        try (Stream<Path> files = Files.list(torn)) {
            segments = files.sorted().toList();
        }
        assertThat(segments).hasSizeGreaterThan(1);
        Files.delete(segments.get(segments.size() - 1));

        FailingFiles.arm(checkpoints());
        FlinkCluster.Outcome outcome = run(
                "failing:" + journals(), "--checkpoints", checkpoints().toUri().toString());

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        assertThat(FailingFiles.failures()).as("seed %d", seed).isEqualTo(3);
        for (Path each : Results.runsBelow(journals())) {
            assertEqualsReplay(each, seed);
        }
        assertThat(SnapshotLeaves.of(folder.resolve("results/torn/final_snapshot.json")))
                .containsEntry("/state", "interrupted");
    }

    @Test
    void journals_need_a_folder_for_checkpoints_and_give_neither_rows_nor_one_run() throws Exception {
        Journals.golden("01_minimal", journals());
        FlinkCluster.Outcome without = run(journals().toString());
        assertThat(without.status()).isEqualTo(2);
        assertThat(without.err()).contains("--checkpoints PATH");
        assertThat(run(journals().toString(), "--one-run").err()).contains("excludes --one-run");
        assertThat(run(journals().toString(), "--rows", "rows").err()).contains("excludes --one-run and --rows PATH");
        assertThat(folder.resolve("results")).doesNotExist();
    }
}
