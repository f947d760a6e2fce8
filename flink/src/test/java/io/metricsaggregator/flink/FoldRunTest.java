package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.parquet.SampleFileFacts;
import io.metricsaggregator.parquet.SampleParquetWriter;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.run.RunMerge;
import io.metricsaggregator.runs.SnapshotMerge;
import io.metricsaggregator.samples.JournalExport;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import java.io.ByteArrayOutputStream;
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

    private static List<Path> runsBelow(Path journals) throws IOException {
        try (Stream<Path> all = Files.walk(journals)) {
            return all.filter(each -> each.getFileName().toString().startsWith("run-"))
                    .sorted()
                    .toList();
        }
    }

    private static String id(Path run) {
        return run.getFileName().toString().split("-", 3)[2];
    }

    /** The leaves of a replay of a run, as the command {@code replay} writes it. */
    private static Map<String, Object> replayed(Path run) throws IOException {
        JournalReplay replay = JournalReplay.open(run);
        RunConfig config = replay.recorded().toBuilder().version(Version.text()).build();
        return SnapshotLeaves.of(
                new JsonSnapshotCodec().encode(replay.compute(config, RunResources.ofReplay(null, 1L << 30))));
    }

    /** The leaves of a merge of journals, as the command {@code merge} writes it. */
    private static Map<String, Object> merged(List<Path> runs) throws IOException {
        RunMerge merge = RunMerge.of(runs, 1L << 30, Path.of(System.getProperty("java.io.tmpdir")), Version.text());
        return SnapshotLeaves.of(new JsonSnapshotCodec()
                .encode(merge.complete(SnapshotMerge.of(merge.snapshots()).snapshot())));
    }

    private void assertResultsEqualReplayAndMerge() throws IOException {
        List<Path> runs = runsBelow(journals());
        for (Path run : runs) {
            assertThat(SnapshotLeaves.of(results().resolve(id(run)).resolve("final_snapshot.json")))
                    .as(id(run))
                    .isEqualTo(replayed(run));
        }
        Map<String, Object> all = SnapshotLeaves.of(results().resolve("merged/final_snapshot.json"));
        assertThat(all).isEqualTo(merged(runs));
        assertThat(all.keySet()).anyMatch(each -> each.endsWith("/exact"));
        assertThat(all.entrySet())
                .filteredOn(each -> each.getKey().endsWith("/exact"))
                .allSatisfy(each -> assertThat(each.getValue()).isEqualTo("true"));
    }

    private static byte[] rows(Path run) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (SampleParquetWriter writer =
                SampleParquetWriter.create(bytes, SampleFileFacts.ofRun(Version.text(), JournalReader.describe(run)))) {
            JournalExport.writeSamples(run, null, writer::write);
        }
        return bytes.toByteArray();
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
        assertThat(runsBelow(journals())).hasSize(Journals.goldenNames().size() + 3);
        assertResultsEqualReplayAndMerge();
    }

    @Test
    void rows_are_the_bytes_that_an_export_of_the_run_writes() throws IOException {
        Path run = Journals.synthetic("a", Journals.shape(7, 20, true), journals(), true);

        assertThat(run().status()).isZero();

        Path file = results().resolve("rows/run=a/node=__HIVE_DEFAULT_PARTITION__/part-0.parquet");
        assertThat(Files.readAllBytes(file)).isEqualTo(rows(run));
    }
}
