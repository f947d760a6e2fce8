package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.sample.SampleResults;
import io.metricsaggregator.flink.stream.RunFrames;
import io.metricsaggregator.producer.SyntheticLoad;
import io.metricsaggregator.run.GoldenCase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private static final int CHECKPOINTS_MAX = 6;

    private final Map<Path, Map<String, Object>> replayed = new HashMap<>();
    private final Map<Path, Map<String, Object>> bySample = new HashMap<>();
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

    /** How the journals are folded in turn: as whole runs, and keyed by sample with a checkpoint every 200 ms. */
    private enum Fold {
        RUN,
        SAMPLE
    }

    /** What every job has to write, computed once. */
    private void expect() throws IOException {
        for (Path run : runs()) {
            replayed.put(run, Results.replayed(run));
            bySample.put(run, RunFrames.comparable(Results.replayedWithoutValues(run)));
        }
        merged.putAll(Results.merged(runs()));
    }

    private void assertResults(Fold fold, Path results, String as) throws IOException {
        for (Path run : runs()) {
            Path file = results.resolve(Results.id(run)).resolve("final_snapshot.json");
            String of = as + ", " + Results.id(run);
            switch (fold) {
                case RUN -> {
                    assertThat(differences(replayed.get(run), file)).as(of).isEmpty();
                    assertRows(run, results, version(file), of);
                }
                case SAMPLE ->
                    assertThat(SampleResults.differences(
                                    RunFrames.comparable(Files.readAllBytes(file)), bySample.get(run)))
                            .as(of)
                            .isEmpty();
            }
        }
        if (fold == Fold.RUN) {
            assertThat(differences(merged, results.resolve("merged/final_snapshot.json")))
                    .as("%s, merged", as)
                    .isEmpty();
        }
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

    /** Number of the newest complete checkpoint below a folder; 0 before the first. */
    private static long checkpoint(Path checkpoints) throws IOException {
        if (!Files.isDirectory(checkpoints)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(checkpoints, 3)) {
            return files.filter(each -> each.endsWith("_metadata"))
                    .map(each -> each.getParent().getFileName().toString())
                    .mapToLong(each -> Long.parseLong(each.substring("chk-".length())))
                    .max()
                    .orElse(0);
        } catch (UncheckedIOException removedMeanwhile) {
            return 0;
        }
    }

    /** Waits for a random time of the job: after some runs are written, or after some checkpoints. */
    private static void awaitMoment(Fold fold, Path results, Path checkpoints, Process client, Random random)
            throws Exception {
        long runsWritten = random.nextInt(RUNS) - 1L;
        long checkpoint = random.nextInt(CHECKPOINTS_MAX);
        while (client.isAlive()
                && (fold == Fold.RUN ? finished(results) < runsWritten : checkpoint(checkpoints) < checkpoint)) {
            client.waitFor(5, TimeUnit.MILLISECONDS);
        }
        client.waitFor(random.nextInt(fold == Fold.RUN ? 1500 : 300), TimeUnit.MILLISECONDS);
    }

    private Process submit(ClusterProcesses cluster, Path jar, Fold fold, Path results, Path checkpoints)
            throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("--input", folder.resolve("journals").toString(), "--output", results.toString()));
        if (fold == Fold.SAMPLE) {
            arguments.addAll(List.of(
                    "--fold", "sample", "--checkpoints", checkpoints.toUri().toString()));
        }
        return cluster.submit(jar, arguments.toArray(String[]::new));
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
            for (; job < 2 || (killed < kills && job < 2 * kills + 10); job++) {
                Fold fold = job % 2 == 0 ? Fold.RUN : Fold.SAMPLE;
                Path results = folder.resolve("results-" + job);
                Path checkpoints = folder.resolve("checkpoints-" + job);
                Process client = submit(cluster, jar, fold, results, checkpoints);
                if (job >= 2) {
                    awaitMoment(fold, results, checkpoints, client, random);
                    killed += client.isAlive() ? 1 : 0;
                    System.out.printf(
                            "job %d, fold %s: killed %s after %d runs and %d checkpoints%n",
                            job,
                            fold,
                            client.isAlive() ? "during the job" : "after the job",
                            Math.max(0, finished(results)),
                            checkpoint(checkpoints));
                    cluster.killTaskManager(random.nextInt(2));
                }
                assertThat(client.waitFor(3, TimeUnit.MINUTES))
                        .as(cluster.logs())
                        .isTrue();
                assertThat(client.exitValue()).as(cluster.logs()).isZero();
                assertResults(fold, results, "job " + job + ", fold " + fold + ", seed " + seed);
            }
        }
        System.out.printf(
                "%d jobs equal to replay and merge, %d task managers killed during them, %.1f s%n",
                job, killed, (System.nanoTime() - start) / 1e9);
        assertThat(killed).as("task managers killed during a job").isEqualTo(kills);
    }
}
