package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.producer.SyntheticLoad;
import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
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
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The job's jar on a cluster of real processes, submitted by Flink's own command line. {@code -Dcluster.kills=N} kills a task manager during N jobs,
 * {@code -Dcluster.jar=FILE} names the jar.
 */
@Tag("cluster")
class StandaloneClusterIT {
    private static final int RUNS = 4;

    private final Map<Path, Map<String, Object>> replayed = new HashMap<>();
    private final Map<String, Object> merged = new HashMap<>();

    /** Kept after a failure, for the logs of the processes. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
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

    /** What every job has to write, computed once. */
    private void expect() throws IOException {
        for (Path run : runs()) {
            replayed.put(run, Results.replayed(run));
        }
        merged.putAll(Results.merged(runs()));
    }

    private void assertResults(Path results, String as) throws IOException {
        for (Path run : runs()) {
            Path file = results.resolve(Results.id(run)).resolve("final_snapshot.json");
            String of = as + ", " + Results.id(run);
            assertThat(differences(replayed.get(run), file)).as(of).isEmpty();
            assertRows(run, results, version(file), of);
        }
        assertThat(differences(merged, results.resolve("merged/final_snapshot.json")))
                .as("%s, merged", as)
                .isEmpty();
    }

    private static String version(Path snapshot) throws IOException {
        return ((Map<?, ?>) JsonTree.read(Files.readAllBytes(snapshot)).get("run"))
                .get("version")
                .toString();
    }

    /** A folder of rows has one file with the bytes of an export: no row is there twice, and none is missing. */
    private static void assertRows(Path run, Path results, String version, String as) throws IOException {
        Path rows = results.resolve("rows/run=" + Results.id(run) + "/node=__HIVE_DEFAULT_PARTITION__");
        try (Stream<Path> files = Files.list(rows)) {
            assertThat(files.filter(each -> each.getFileName().toString().startsWith("part-")))
                    .as("%s, rows", as)
                    .hasSize(1);
        }
        assertThat(Arrays.equals(Files.readAllBytes(rows.resolve("part-0.parquet")), Results.rows(run, version)))
                .as("%s, bytes of the rows", as)
                .isTrue();
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

    /** Waits for a random time of the job, after some runs are written. */
    private static void awaitMoment(Path results, Process client, Random random) throws Exception {
        long runsWritten = random.nextInt(RUNS) - 1L;
        while (client.isAlive() && finished(results) < runsWritten) {
            client.waitFor(5, TimeUnit.MILLISECONDS);
        }
        client.waitFor(random.nextInt(1500), TimeUnit.MILLISECONDS);
    }

    /** Two task managers run three jobs that count texts: one of them loads the native tokenizers again, in a class loader of its own. */
    private void assertTextsAreCountedByEachJob(ClusterProcesses cluster, Path jar) throws Exception {
        GoldenCase golden = new GoldenCase("05a_tokens_text");
        Path tokenizer = Objects.requireNonNull(golden.tokenizer()).toAbsolutePath();
        RunConfig config = RunConfig.builder()
                .version("test")
                .tokenizer(new RunConfig.Tokenizer(tokenizer.toString(), "none", ""))
                .build();
        Path journals = Files.createDirectory(folder.resolve("texts"));
        Path run = Journals.write(journals, "texts", config, golden.frames(), true);
        Map<String, Object> expected = Results.replayedWithTexts(run);
        assertThat(expected).containsValue("tpot_by_osl_ns");
        for (int job = 1; job <= 3; job++) {
            Path results = folder.resolve("results-of-texts-" + job);
            Process client = cluster.submit(
                    jar, "--input", journals.toString(), "--output", results.toString(), "--rows", "none");
            assertThat(client.waitFor(3, TimeUnit.MINUTES)).as(cluster.logs()).isTrue();
            assertThat(client.exitValue()).as(cluster.logs()).isZero();
            assertThat(differences(expected, results.resolve("texts/final_snapshot.json")))
                    .as("job %d that counts texts", job)
                    .isEmpty();
        }
    }

    @Test
    void four_journals_equal_their_replays_and_their_merge_whichever_task_manager_is_killed_when() throws Exception {
        assumeTrue(
                Integer.getInteger("cluster.kills") != null,
                "a cluster of processes is started by flink/cluster alone");
        Path jar = jar();
        journals();
        expect();
        int kills = Integer.getInteger("cluster.kills");
        long seed = Long.getLong("cluster.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int killed = 0;
        int job = 0;
        long start = System.nanoTime();
        try (ClusterProcesses cluster = new ClusterProcesses(Files.createDirectory(folder.resolve("cluster")))) {
            assertTextsAreCountedByEachJob(cluster, jar);
            // A job that ends before its task manager is killed is compared too, and repeated.
            for (; job < 1 || (killed < kills && job < 2 * kills + 10); job++) {
                Path results = folder.resolve("results-" + job);
                Process client = cluster.submit(
                        jar, "--input", folder.resolve("journals").toString(), "--output", results.toString());
                if (job >= 1) {
                    awaitMoment(results, client, random);
                    killed += client.isAlive() ? 1 : 0;
                    System.out.printf(
                            "job %d: killed %s after %d runs%n",
                            job, client.isAlive() ? "during the job" : "after the job", Math.max(0, finished(results)));
                    cluster.killTaskManager(random.nextInt(2));
                }
                assertThat(client.waitFor(3, TimeUnit.MINUTES))
                        .as(cluster.logs())
                        .isTrue();
                assertThat(client.exitValue()).as(cluster.logs()).isZero();
                assertResults(results, "job " + job + ", seed " + seed);
            }
        }
        System.out.printf(
                "%d jobs equal to replay and merge, %d task managers killed during them, %.1f s%n",
                job, killed, (System.nanoTime() - start) / 1e9);
        assertThat(killed).as("task managers killed during a job").isEqualTo(kills);
    }
}
