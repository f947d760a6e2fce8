package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.journal.JournalDirectory;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.run.ImportedRun;
import io.metricsaggregator.snapshot.figures.Imported;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journals with an outage of the daemon, and imported ones. */
class SpecialJournalsTest {
    private static final long WALL_NANOS = 1_790_000_000_000_000_000L;
    private static final RunConfig CONFIG =
            RunConfig.builder().version(Version.text()).build();

    @TempDir
    Path folder;

    private FlinkCluster.Outcome run(String... further) {
        List<String> arguments = new ArrayList<>(List.of(
                "--input",
                folder.resolve("journals").toString(),
                "--output",
                folder.resolve("results").toString()));
        arguments.addAll(List.of(further));
        return FlinkCluster.get().run(arguments.toArray(String[]::new));
    }

    /** Writes frames as a run; {@code outageNanos} without frames lie in their middle. */
    private Path write(String id, Map<String, String> description, long outageNanos) throws IOException {
        Path journals = Files.createDirectories(folder.resolve("journals"));
        Path run = JournalDirectory.open(journals).create(id, WALL_NANOS);
        List<ByteBuffer> frames = Journals.frames(Journals.shape(21, 20, true));
        long nanos = 5_000_000_000L;
        try (JournalWriter writer = new JournalWriter(run, description, 1, 0, 1 << 20, -1)) {
            for (int i = 0; i < frames.size(); i++) {
                if (outageNanos > 0 && i == frames.size() / 2) {
                    writer.outage(WALL_NANOS + nanos, WALL_NANOS + nanos + outageNanos, nanos + outageNanos);
                    nanos += outageNanos;
                }
                writer.frame(
                        frames.get(i), frames.get(i).position(), frames.get(i).remaining(), nanos);
                writer.endBurst(nanos);
                nanos += 1_000_000;
            }
            writer.end(nanos, WALL_NANOS + nanos);
        }
        JournalDirectory.finish(run);
        return run;
    }

    private Path snapshot(String id) {
        return folder.resolve("results").resolve(id).resolve("final_snapshot.json");
    }

    @Test
    void an_outage_of_the_daemon_is_reported_as_by_a_replay() throws IOException {
        Map<String, String> description = new LinkedHashMap<>(RunConfigCodec.encode(CONFIG));
        description.put("run_id", "outage");
        description.put("started_wall_ns", Long.toString(WALL_NANOS));
        description.put("environment.host", "test");
        Path run = write("outage", description, 3_000_000_000L);

        FlinkCluster.Outcome outcome = run();

        assertThat(outcome.err()).isEmpty();
        Map<String, Object> replayed = Results.replayed(run);
        assertThat(replayed.keySet()).anyMatch(each -> each.startsWith("/outages/0/"));
        assertThat(SnapshotLeaves.of(snapshot("outage"))).isEqualTo(replayed);
    }

    @Test
    void an_imported_run_is_folded_as_by_a_replay() throws IOException {
        Imported imported = new Imported(
                "guidellm",
                "guidellm",
                null,
                Imported.DURATIONS,
                List.of(),
                null,
                10,
                null,
                Map.of(),
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                List.of());
        Path run = write("imported", ImportedRun.describe(CONFIG, "imported", WALL_NANOS, imported, Map.of()), 0);

        assertThat(run("--rows", "none").status()).isZero();
        Map<String, Object> leaves = SnapshotLeaves.of(snapshot("imported"));
        assertThat(leaves).isEqualTo(Results.replayed(run));
        assertThat(leaves.keySet()).anyMatch(each -> each.contains("imported"));
    }
}
