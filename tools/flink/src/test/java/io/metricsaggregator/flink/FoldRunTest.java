package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.producer.SyntheticLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fold of whole runs on a cluster, against a replay in this process. */
class FoldRunTest {
    @TempDir
    Path folder;

    private Path journals() throws IOException {
        return Files.createDirectories(folder.resolve("journals"));
    }

    private Path results() {
        return folder.resolve("results");
    }

    private FlinkCluster.Outcome run(String... further) {
        List<String> arguments = new ArrayList<>(List.of(
                "--input",
                folder.resolve("journals").toString(),
                "--output",
                results().toString()));
        arguments.addAll(List.of(further));
        return FlinkCluster.get().run(arguments.toArray(String[]::new));
    }

    private void assertResultsEqualReplayAndMerge() throws IOException {
        List<Path> runs = Results.runsBelow(journals());
        for (Path run : runs) {
            assertThat(SnapshotLeaves.of(results().resolve(Results.id(run)).resolve("final_snapshot.json")))
                    .as(Results.id(run))
                    .isEqualTo(Results.replayed(run));
        }
        Map<String, Object> all = SnapshotLeaves.of(results().resolve("merged/final_snapshot.json"));
        assertThat(all).isEqualTo(Results.merged(runs));
        assertThat(all.keySet()).anyMatch(each -> each.endsWith("/exact"));
        // Where a first chunk was repeated, times to first token of successes are the whole less those of failures:
        // estimates.
        assertThat(all.entrySet())
                .filteredOn(each -> each.getKey().endsWith("/exact"))
                .filteredOn(each -> !String.valueOf(all.get(each.getKey().replace("/exact", "/name")))
                        .contains("succeeded_ttft_ns"))
                .allSatisfy(each -> assertThat(each.getValue()).isEqualTo("true"));
    }

    @Test
    void each_golden_case_and_each_synthetic_run_equals_its_replay_and_together_their_merge_to_the_last_leaf()
            throws IOException {
        for (String name : Journals.goldenNames()) {
            Journals.golden(name, journals());
        }
        for (int seed = 1; seed <= 3; seed++) {
            Path node = Files.createDirectory(journals().resolve("node-" + seed));
            Journals.synthetic("synthetic-" + seed, Journals.shape(seed, 20, seed == 2), node, seed != 3);
        }

        FlinkCluster.Outcome outcome = run();

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        assertThat(Results.runsBelow(journals())).hasSize(Journals.goldenNames().size() + 3);
        assertResultsEqualReplayAndMerge();
    }

    @Test
    void rows_are_the_bytes_that_an_export_of_the_run_writes() throws IOException {
        Path run = Journals.synthetic("a", Journals.shape(7, 20, true), journals(), true);

        assertThat(run().status()).isZero();

        Path file = results().resolve("rows/run=a/node=__HIVE_DEFAULT_PARTITION__/part-0.parquet");
        assertThat(Files.readAllBytes(file)).isEqualTo(Results.rows(run, Version.text()));
    }

    @Test
    void a_torn_run_with_ids_of_every_kind_equals_its_replay_and_is_interrupted() throws IOException {
        RunConfig config = RunConfig.builder().version("test").build();
        // Long enough for four segments: a shorter run had two on a busy machine.
        Path run = Journals.write(
                journals(), "torn", config, Journals.framesWithIdsOfEveryKind(Journals.shape(8, 160, true)), false);
        Path second = run.resolve("segment-00000002.journal");
        byte[] bytes = Files.readAllBytes(second);
        Files.write(second, java.util.Arrays.copyOf(bytes, bytes.length - 1000));
        List<Path> segments;
        try (Stream<Path> files = Files.list(run)) {
            segments = files.sorted().toList();
        }
        assertThat(segments).hasSizeGreaterThan(3);
        Files.delete(segments.get(segments.size() - 1));

        assertThat(run().status()).isZero();

        assertResultsEqualReplayAndMerge();
        assertThat(SnapshotLeaves.of(results().resolve("torn/final_snapshot.json")))
                .containsEntry("/state", "interrupted");
    }

    @Test
    void a_run_that_is_given_twice_is_refused_with_both_paths_and_skipped_on_request() throws IOException {
        Path node = Files.createDirectory(journals().resolve("node"));
        Path copy = Files.createDirectory(journals().resolve("zz-copy"));
        Path first = Journals.synthetic("a", Journals.shape(1, 2, false), node, true);
        Path second = Journals.synthetic("a", Journals.shape(1, 2, false), copy, true);

        FlinkCluster.Outcome refused = run();
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains(first.toString()).contains(second.toString());
        assertThat(results()).doesNotExist();

        FlinkCluster.Outcome skipped = run("--skip-repeated");
        assertThat(skipped.status()).isZero();
        assertThat(skipped.err()).contains("skipped").contains(second.toString());
        assertThat(SnapshotLeaves.of(results().resolve("a/final_snapshot.json")))
                .isEqualTo(Results.replayed(first));
    }

    @Test
    void results_are_overwritten_only_on_request() throws IOException {
        Journals.synthetic("a", Journals.shape(1, 2, false), journals(), true);
        assertThat(run().status()).isZero();
        Path file = results().resolve("a/final_snapshot.json");
        Files.writeString(file, "another result");

        FlinkCluster.Outcome refused = run();
        assertThat(refused.status()).isEqualTo(4);
        assertThat(refused.err()).contains(file.toString());
        assertThat(file).hasContent("another result");

        assertThat(run("--overwrite").status()).isZero();
        assertResultsEqualReplayAndMerge();
    }

    @Test
    void a_run_that_cannot_be_read_is_refused_and_the_others_are_folded_with_exit_status_6() throws IOException {
        Journals.synthetic("good", Journals.shape(1, 2, false), journals(), true);
        Path unknown = Files.createDirectory(journals().resolve("run-of-another-version"));
        Files.writeString(unknown.resolve("segment-00000001.journal"), "entries of a version that is not known");

        FlinkCluster.Outcome outcome = run();

        assertThat(outcome.status()).isEqualTo(6);
        assertThat(outcome.err()).contains("refused").contains(unknown.toString());
        assertThat(results().resolve("good/final_snapshot.json")).exists();
        assertThat(results().resolve("merged/final_snapshot.json")).exists();
    }

    @Test
    void values_beyond_the_memory_given_for_them_are_spilled_and_change_no_leaf() throws IOException {
        SyntheticLoad.Shape large =
                new SyntheticLoad.Shape(400, 15_000_000_000L, 1_000_000_000L, true, 0.05, 4, 20, 40, 8, 5, false);
        Path run = Journals.synthetic("a", large, journals(), true);

        assertThat(run("--max-values-memory", "1").status()).isZero();

        assertThat(SnapshotLeaves.of(results().resolve("a/final_snapshot.json")))
                .isEqualTo(Results.replayed(run));
    }

    @Test
    void help_needs_no_cluster() {
        java.io.StringWriter out = new java.io.StringWriter();
        int status = Main.execute(
                () -> {
                    throw new IllegalStateException("no cluster");
                },
                new java.io.PrintWriter(out, true),
                new java.io.PrintWriter(new java.io.StringWriter(), true),
                "--help");
        assertThat(status).isZero();
        assertThat(out.toString()).contains("--input").contains("--rows").contains("Exit status");
    }
}
