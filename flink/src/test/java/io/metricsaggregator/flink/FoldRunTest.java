package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.run.JournalReplay;
import io.metricsaggregator.snapshot.JsonSnapshotCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fold of whole runs on a cluster, against a replay in this process. */
class FoldRunTest {
    @TempDir
    Path folder;

    /** The leaves of a replay of a run, as the command {@code replay} writes it. */
    private static Map<String, Object> replayed(Path run) throws IOException {
        JournalReplay replay = JournalReplay.open(run);
        RunConfig config = replay.recorded().toBuilder().version(Version.text()).build();
        return SnapshotLeaves.of(
                new JsonSnapshotCodec().encode(replay.compute(config, RunResources.ofReplay(null, 1L << 30))));
    }

    @Test
    void each_golden_case_and_each_synthetic_run_equals_its_replay_to_the_last_leaf() throws IOException {
        Path journals = Files.createDirectory(folder.resolve("journals"));
        for (String name : Journals.goldenNames()) {
            Journals.golden(name, journals);
        }
        for (int seed = 1; seed <= 3; seed++) {
            Path node = Files.createDirectory(journals.resolve("node-" + seed));
            Journals.synthetic("synthetic-" + seed, Journals.shape(seed, 20, seed == 2), node, seed != 3);
        }

        Path results = folder.resolve("results");
        FlinkCluster.Outcome outcome =
                FlinkCluster.get().run("--input", journals.toString(), "--output", results.toString());

        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        int compared = 0;
        try (var runs = Files.walk(journals)) {
            for (Path run : runs.filter(each -> each.getFileName().toString().startsWith("run-"))
                    .toList()) {
                String id = run.getFileName().toString().split("-", 3)[2];
                assertThat(SnapshotLeaves.of(results.resolve(id).resolve("final_snapshot.json")))
                        .as(id)
                        .isEqualTo(replayed(run));
                compared++;
            }
        }
        assertThat(compared).isEqualTo(Journals.goldenNames().size() + 3);
    }
}
