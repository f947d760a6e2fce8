package io.metricsaggregator.flink.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.Await;
import io.metricsaggregator.flink.FlinkCluster;
import io.metricsaggregator.flink.Journals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams of frames, folded on a cluster that fails, waits and is fed any bytes. */
class StreamedFoldTest {
    private static final RunConfig CONFIG = RunConfig.builder().version("test").build();

    @TempDir
    Path folder;

    private StreamExecutionEnvironment environment(long checkpointMillis) {
        Configuration settings = new Configuration();
        settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(checkpointMillis));
        settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 5);
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        StreamExecutionEnvironment environment = FlinkCluster.get().environment(settings);
        StreamJob.configure(environment, folder.resolve("checkpoints").toUri().toString());
        return environment;
    }

    private void assertEqual(Map<String, Path> journals, long seed) throws IOException {
        for (Map.Entry<String, Path> each : journals.entrySet()) {
            Path file = folder.resolve("results").resolve(each.getKey()).resolve("final_snapshot.json");
            assertThat(RunFrames.comparable(Files.readAllBytes(file)))
                    .as("run %s, seed %d", each.getKey(), seed)
                    .isEqualTo(RunFrames.replayed(each.getValue(), CONFIG));
        }
    }

    /** Threads that make blocks of memory for the values of a run that is not closed. */
    private static Set<Thread> blockMakers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("value-memory"))
                .collect(Collectors.toSet());
    }

    @Test
    void runs_equal_their_replay_after_three_failures() throws Exception {
        long seed = System.nanoTime();
        Map<String, Path> journals = new LinkedHashMap<>();
        Path directory = Files.createDirectory(folder.resolve("journals"));
        for (String name : List.of("01_minimal", "03_windows_in_flight", "07_odd_encodings", "08a_malformed")) {
            journals.put("golden-" + name, Journals.golden(name, directory));
        }
        for (int run = 1; run <= 3; run++) {
            journals.put(
                    "run-" + run,
                    Journals.synthetic(
                            "run-" + run, Journals.shape(seed + run, run == 3 ? 15 : 5, run == 2), directory, true));
        }
        List<RunFrame> frames = FrameSource.inTurn(journals, new Random(seed));
        FailsThrice.FAILURES.set(0);
        Set<Thread> makersBefore = blockMakers();
        StreamExecutionEnvironment environment = environment(50);
        StreamJob.add(
                FrameSource.of(environment, frames, false, frames.size() / 3.0)
                        .map(new FailsThrice())
                        .returns(RunFrameSerializer.TYPE),
                RunSettings.of(CONFIG, 64L << 20, 200, 0),
                folder.resolve("results").toString());
        environment.execute("failures");
        assertThat(FailsThrice.FAILURES).hasValue(3);
        for (Thread each : blockMakers()) {
            if (!makersBefore.contains(each)) {
                each.join(10_000);
                assertThat(each.isAlive())
                        .as("memory for values of a run is made after the job")
                        .isFalse();
            }
        }
        assertEqual(journals, seed);
    }

    @Test
    void a_task_that_fails_before_it_is_open_is_closed_without_an_exception() throws Exception {
        StreamedFold fold = new StreamedFold(RunSettings.of(CONFIG, 0, 100, 0));
        StreamedFold deployed = InstantiationUtil.clone(fold);
        assertThatCode(deployed::close).doesNotThrowAnyException();
    }

    @Test
    void a_run_without_an_end_is_live_until_it_is_idle() throws Exception {
        Path directory = Files.createDirectory(folder.resolve("journals"));
        Path journal = Journals.synthetic("run-1", Journals.shape(7, 3, false), directory, true);
        List<RunFrame> frames = RunFrames.of("run-1", journal);
        StreamExecutionEnvironment environment = environment(1000);
        StreamJob.add(
                FrameSource.of(environment, frames.subList(0, frames.size() / 2), true, 0),
                RunSettings.of(CONFIG, 64L << 20, 100, 3000),
                folder.resolve("results").toString());
        JobClient job = environment.executeAsync("idle");
        Path run = folder.resolve("results").resolve("run-1");
        await(run.resolve("live_snapshot.json"));
        assertThat(state(run.resolve("live_snapshot.json"))).isEqualTo("live");
        assertThat(run.resolve("final_snapshot.json")).doesNotExist();
        await(run.resolve("final_snapshot.json"));
        assertThat(state(run.resolve("final_snapshot.json"))).isEqualTo("interrupted");
        job.cancel().get(60, TimeUnit.SECONDS);
    }

    private static Object state(Path file) throws IOException {
        return RunFrames.comparable(Files.readAllBytes(file)).get("state");
    }

    private static void await(Path file) {
        Await.until(file + " exists", () -> Files.exists(file));
    }

    @Test
    void no_bytes_fail_the_job() throws Exception {
        List<RunFrame> frames = new ArrayList<>();
        try (Stream<Path> corpus =
                Files.list(Path.of(System.getProperty("project.root", "../.."), "quality/fuzz/corpus/frame"))) {
            for (Path each : corpus.sorted().toList()) {
                frames.add(new RunFrame("fuzz", 0, RunFrame.NOT_NUMBERED, 1, 1, Files.readAllBytes(each)));
            }
        }
        assertThat(frames).hasSizeGreaterThan(100);
        StreamExecutionEnvironment environment = environment(1000);
        StreamJob.add(
                FrameSource.of(environment, frames, false, 0),
                RunSettings.of(CONFIG, 1 << 20, 1000, 0),
                folder.resolve("results").toString());
        environment.execute("fuzz");
        Map<String, Object> last = RunFrames.comparable(
                Files.readAllBytes(folder.resolve("results").resolve("fuzz").resolve("final_snapshot.json")));
        assertThat(((Map<?, ?>) last.get("metrics")).get("frames_received").toString())
                .contains("value=" + frames.size());
    }
}
