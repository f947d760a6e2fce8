package io.metricsaggregator.flink.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.Await;
import io.metricsaggregator.flink.FlinkCluster;
import io.metricsaggregator.flink.Journals;
import io.metricsaggregator.flink.stream.FailsThrice;
import io.metricsaggregator.flink.stream.FrameSource;
import io.metricsaggregator.flink.stream.RunFrame;
import io.metricsaggregator.flink.stream.RunFrameSerializer;
import io.metricsaggregator.flink.stream.RunFrames;
import io.metricsaggregator.flink.stream.RunSettings;
import io.metricsaggregator.flink.stream.SnapshotFiles;
import io.metricsaggregator.flink.stream.StreamJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs folded keyed by sample on a cluster that fails, against a replay in this process. */
class FoldSampleTest {
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

    private void run(StreamExecutionEnvironment environment, DataStream<RunFrame> frames) throws Exception {
        FoldSampleJob.add(frames, RunSettings.of(CONFIG, 0, 200, 0))
                .sinkTo(new SnapshotFiles(folder.resolve("results").toString()));
        environment.execute("samples");
    }

    @Test
    void runs_equal_their_replay_after_three_failures() throws Exception {
        long seed = System.nanoTime();
        Map<String, Path> journals = new LinkedHashMap<>();
        Path directory = Files.createDirectory(folder.resolve("journals"));
        for (String name : List.of(
                "01_minimal", "02_streaming_chunks", "03_windows_in_flight", "07_odd_encodings", "08a_malformed")) {
            journals.put("golden-" + name, Journals.golden(name, directory));
        }
        for (int run = 1; run <= 3; run++) {
            String id = "run-" + run;
            journals.put(id, Journals.synthetic(id, Journals.shape(seed + run, 5, false), directory, true));
        }
        List<RunFrame> frames = FrameSource.inTurn(journals, new Random(seed));
        FailsThrice.FAILURES.set(0);
        StreamExecutionEnvironment environment = environment(50);
        run(
                environment,
                FrameSource.of(environment, frames, false, frames.size() / 3.0)
                        .map(new FailsThrice())
                        .returns(RunFrameSerializer.TYPE));
        assertThat(FailsThrice.FAILURES).hasValue(3);
        for (Map.Entry<String, Path> each : journals.entrySet()) {
            assertThat(SampleResults.differences(result(each.getKey()), RunFrames.replayed(each.getValue(), CONFIG, 0)))
                    .as("run %s, seed %d", each.getKey(), seed)
                    .isEmpty();
        }
    }

    private Map<String, Object> result(String run) throws IOException {
        return RunFrames.comparable(
                Files.readAllBytes(folder.resolve("results").resolve(run).resolve("final_snapshot.json")));
    }

    @Test
    void samples_without_an_end_are_given_up_and_counted() throws Exception {
        Path directory = Files.createDirectory(folder.resolve("journals"));
        Path journal = Journals.synthetic("run-1", Journals.shape(7, 5, false), directory, true);
        List<RunFrame> all = RunFrames.of("run-1", journal);
        Path half = Journals.write(
                directory,
                "half",
                CONFIG,
                all.subList(0, all.size() / 2).stream()
                        .map(each -> ByteBuffer.wrap(each.frame()))
                        .toList(),
                false);
        StreamExecutionEnvironment environment = environment(500);
        FoldSampleJob.add(
                        FrameSource.of(environment, RunFrames.of("half", half), true, 0),
                        RunSettings.of(CONFIG, 0, 200, 10_000).withGiveUp(2_000))
                .sinkTo(new SnapshotFiles(folder.resolve("results").toString()));
        JobClient job = environment.executeAsync("give up");
        Path file = folder.resolve("results/half/final_snapshot.json");
        Await.until(file + " exists", () -> Files.exists(file));
        job.cancel().get(60, TimeUnit.SECONDS);
        Map<String, Object> result = result("half");
        Map<String, Object> replayed = RunFrames.replayed(half, CONFIG, 0);
        Object inFlight = ((Map<?, ?>) replayed.get("in_flight")).get("count");
        assertThat(inFlight.toString()).isNotEqualTo("0");
        assertThat(((Map<?, ?>) result.get("in_flight")).get("count").toString())
                .isEqualTo("0");
        assertThat(((Map<?, ?>) result.get("metrics")).get("inflight_evicted").toString())
                .contains("value=" + inFlight);
        assertThat(SampleResults.differences(result, replayed))
                .allMatch(each -> each.matches("(?s)(in_flight|inflight_evicted|by_label) .*"));
    }

    @Test
    void no_bytes_fail_the_job() throws Exception {
        List<RunFrame> frames = new ArrayList<>();
        try (Stream<Path> corpus = Files.list(Path.of(System.getProperty("project.root", ".."), "fuzz/corpus/frame"))) {
            for (Path each : corpus.sorted().toList()) {
                frames.add(new RunFrame("fuzz", 0, RunFrame.NOT_NUMBERED, 1, 1, Files.readAllBytes(each)));
            }
        }
        StreamExecutionEnvironment environment = environment(1000);
        run(environment, FrameSource.of(environment, frames, false, 0));
        assertThat(((Map<?, ?>) result("fuzz").get("metrics"))
                        .get("frames_received")
                        .toString())
                .contains("value=" + frames.size());
    }
}
