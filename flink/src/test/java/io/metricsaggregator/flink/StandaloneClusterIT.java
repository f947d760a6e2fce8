package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.producer.SyntheticLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job's jar on a cluster of real processes, submitted by Flink's own command line. {@code -Dcluster.kills=N} kills a task manager in N jobs,
 * {@code -Dcluster.jar=FILE} names the jar.
 */
@Tag("cluster")
class StandaloneClusterIT {
    private static final int RUNS = 4;

    @TempDir
    Path folder;

    private static Path jar() throws IOException {
        String given = System.getProperty("cluster.jar");
        if (given != null) {
            return Path.of(given);
        }
        try (Stream<Path> files =
                Files.isDirectory(Path.of("target")) ? Files.list(Path.of("target")) : Stream.empty()) {
            Path found = files.filter(each -> each.toString().endsWith("-job.jar"))
                    .findFirst()
                    .orElse(null);
            assumeTrue(found != null, "the job's jar is not built: mvn package");
            return found.toAbsolutePath();
        }
    }

    private void journals() throws IOException {
        RunConfig config = RunConfig.builder().version("test").build();
        for (int i = 0; i < RUNS; i++) {
            Path node = Files.createDirectories(folder.resolve("journals/node-" + i));
            SyntheticLoad.Shape shape = new SyntheticLoad.Shape(
                    100, 20_000_000_000L, 1_000_000_000L, true, 0.05, 4, 20, 40, 8, i, i % 2 == 0);
            Journals.write(node, "run" + i, config, Journals.framesWithIdsOfEveryKind(shape), i != 3);
        }
    }

    private List<Path> runs() throws IOException {
        return Results.runsBelow(folder.resolve("journals"));
    }

    /** The leaves that differ, but for those that name the program, its heap and its reading. */
    private static List<String> differences(Map<String, Object> expected, Path file) throws IOException {
        Map<String, Object> actual = SnapshotLeaves.of(file);
        Set<String> paths = new TreeSet<>(expected.keySet());
        paths.addAll(actual.keySet());
        return paths.stream()
                .filter(each -> !each.startsWith("/self") && !each.contains("limits/") && !each.endsWith("/version"))
                .filter(each -> !Objects.equals(expected.get(each), actual.get(each)))
                .map(each -> each + ": " + actual.get(each) + " instead of " + expected.get(each))
                .toList();
    }

    private void assertResults(Path results, String as) throws IOException {
        for (Path run : runs()) {
            assertThat(differences(
                            Results.replayed(run),
                            results.resolve(Results.id(run)).resolve("final_snapshot.json")))
                    .as("%s, %s", as, Results.id(run))
                    .isEmpty();
            Path rows = results.resolve("rows/run=" + Results.id(run) + "/node=__HIVE_DEFAULT_PARTITION__");
            try (Stream<Path> files = Files.list(rows)) {
                assertThat(files.filter(each -> each.getFileName().toString().startsWith("part-")))
                        .as("%s, rows of %s", as, Results.id(run))
                        .hasSize(1);
            }
        }
        assertThat(differences(Results.merged(runs()), results.resolve("merged/final_snapshot.json")))
                .as("%s, merged", as)
                .isEmpty();
    }

    private static long finished(Path results) throws IOException {
        if (!Files.isDirectory(results)) {
            return -1;
        }
        try (Stream<Path> folders = Files.list(results)) {
            return folders.filter(each -> Files.exists(each.resolve("final_snapshot.json")))
                    .count();
        }
    }

    @Test
    void four_journals_equal_their_replays_and_their_merge_whichever_task_manager_is_killed_when() throws Exception {
        assumeTrue(
                Integer.getInteger("cluster.kills") != null,
                "a cluster of processes is started by flink/cluster alone");
        Path jar = jar();
        journals();
        int kills = Integer.getInteger("cluster.kills");
        long seed = Long.getLong("cluster.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int disturbed = 0;
        long start = System.nanoTime();
        try (ClusterProcesses cluster = new ClusterProcesses(Files.createDirectory(folder.resolve("cluster")))) {
            for (int job = 0; job <= kills; job++) {
                Path results = folder.resolve("results-" + job);
                Process client = cluster.submit(
                        jar, "--input", folder.resolve("journals").toString(), "--output", results.toString());
                int killAfter = random.nextInt(RUNS) - 1;
                while (job > 0 && finished(results) < killAfter && client.isAlive()) {
                    Thread.onSpinWait();
                    client.waitFor(5, TimeUnit.MILLISECONDS);
                }
                if (job > 0) {
                    client.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
                    disturbed += client.isAlive() ? 1 : 0;
                    cluster.killTaskManager(random.nextInt(2));
                }
                assertThat(client.waitFor(3, TimeUnit.MINUTES))
                        .as(cluster.logs())
                        .isTrue();
                assertThat(client.exitValue()).as(cluster.logs()).isZero();
                assertResults(results, "job " + job + " with seed " + seed);
            }
        }
        System.out.printf(
                "%d jobs equal to replay and merge, %d task managers killed during them, %.1f s%n",
                kills + 1, disturbed, (System.nanoTime() - start) / 1e9);
    }
}
