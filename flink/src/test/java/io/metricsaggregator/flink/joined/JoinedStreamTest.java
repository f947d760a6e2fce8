package io.metricsaggregator.flink.joined;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of several nodes, joined on a cluster that fails and is fed any bytes. */
class JoinedStreamTest {
    private static final long LATENESS_MILLIS = 400;
    private static final JoinTimes TIMES = new JoinTimes(LATENESS_MILLIS, 3_600_000, 0);

    @TempDir
    Path folder;

    /** Makes messages of frames whose run is {@code node/shift}, or that of the frames which keep an endless source going. */
    private static final class AsMessages implements MapFunction<RunFrame, NodeMessage> {
        private static final long serialVersionUID = 1;

        @Override
        public NodeMessage map(RunFrame frame) {
            boolean isAnother = frame.run().equals("another");
            String[] name = (isAnother ? "9/0" : frame.run()).split("/");
            int node = Integer.parseInt(name[0]);
            long shift = Long.parseLong(name[1]);
            NodeMessage.Place place = new NodeMessage.Place(
                    isAnother ? "another" : "run", "node-" + node, node, 0, NodeMessage.NOT_NUMBERED);
            return new NodeMessageReader(TIMES).read(place, frame.nanos(), shift, -1, frame.frame());
        }
    }

    private Path run(List<RunFrame> frames, double perSecond) throws Exception {
        StreamExecutionEnvironment environment = environment();
        DataStream<RunFrame> failing = FrameSource.of(environment, frames, false, perSecond)
                .map(new FailsThrice())
                .returns(RunFrameSerializer.TYPE);
        join(failing, TIMES);
        environment.execute("joined");
        return result();
    }

    /** Runs until there is a result, while frames of another run arrive. */
    private Path follow(List<RunFrame> frames, JoinTimes times) throws Exception {
        FailsThrice.FAILURES.set(3);
        StreamExecutionEnvironment environment = environment();
        join(FrameSource.of(environment, frames, true, 0), times);
        JobClient job = environment.executeAsync("joined");
        Await.until(result() + " exists", () -> Files.exists(result()));
        job.cancel().get(60, TimeUnit.SECONDS);
        return result();
    }

    private StreamExecutionEnvironment environment() {
        Configuration settings = new Configuration();
        settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        settings.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 5);
        settings.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(10));
        StreamExecutionEnvironment environment = FlinkCluster.get().environment(settings);
        StreamJob.configure(environment, folder.resolve("checkpoints").toUri().toString());
        return environment;
    }

    private void join(DataStream<RunFrame> frames, JoinTimes times) {
        DataStream<NodeMessage> messages = frames.map(new AsMessages())
                .returns(NodeMessageSerializer.TYPE)
                .assignTimestampsAndWatermarks(JoinedStream.watermarks(times));
        SnapshotFiles.add(
                StreamJob.fold(
                        JoinedStream.inOrder(messages, times), RunSettings.of(JoinedRunTest.CONFIG, 64L << 20, 200, 0)),
                folder.resolve("results").toString(),
                true);
    }

    private Path result() {
        return folder.resolve("results/run/final_snapshot.json");
    }

    @Test
    void a_run_of_three_nodes_equals_the_whole_run_after_three_failures() throws Exception {
        long seed = System.nanoTime();
        List<ByteBuffer> whole = Journals.frames(Journals.shape(seed & 0xffff, 5, true));
        List<RunFrame> frames = frames(NodeMessages.shuffled(whole, LATENESS_MILLIS * 1_000_000, new Random(seed)));
        FailsThrice.FAILURES.set(0);
        Path result = run(frames, frames.size() / 3.0);
        assertThat(FailsThrice.FAILURES).hasValue(3);
        Path journal = NodeMessages.whole(Files.createDirectories(folder.resolve("whole")), whole);
        assertThat(RunFrames.comparable(Files.readAllBytes(result)))
                .as("seed %d", seed)
                .isEqualTo(RunFrames.replayed(journal, JoinedRunTest.CONFIG));
    }

    @Test
    void the_session_starts_with_the_first_node_and_ends_with_the_last() throws Exception {
        List<ByteBuffer> whole = Journals.frames(Journals.shape(5, 5, false));
        long end = SplitRun.time(SplitRun.of(whole, true, "session.ended").get(0));
        List<NodeMessages.Message> messages = new ArrayList<>();
        whole.forEach(each -> messages.add(NodeMessages.Message.of(0, each)));
        // Another node has no samples. It starts with the first, and ends a second early.
        for (ByteBuffer each : SplitRun.of(whole, true, "session.started", "session.ended")) {
            long early = SplitRun.time(each) == end ? -1_000_000_000L : 0;
            messages.add(NodeMessages.Message.of(1, ByteBuffer.wrap(SplitRun.shifted(each, early))));
        }
        messages.sort(Comparator.comparingLong(NodeMessages.Message::nanos));
        FailsThrice.FAILURES.set(3);
        Map<?, ?> joined = metrics(run(frames(messages), 0));
        Path journal = NodeMessages.whole(Files.createDirectories(folder.resolve("whole")), whole);
        Map<?, ?> replayed =
                (Map<?, ?>) RunFrames.replayed(journal, JoinedRunTest.CONFIG).get("metrics");
        for (String name :
                List.of("tracked_samples_completed", "sample_latency_ns", "total_duration_ns", "events_late")) {
            assertThat(joined.get(name)).as(name).isEqualTo(replayed.get(name));
        }
        assertThat(joined.get("events_duplicate").toString()).contains("value=1");
    }

    @Test
    void a_node_that_never_ends_leaves_the_end_to_the_last_node_that_did() throws Exception {
        List<ByteBuffer> whole = Journals.frames(Journals.shape(5, 5, false));
        List<NodeMessages.Message> messages = new ArrayList<>();
        messages.add(NodeMessages.Message.of(
                1, SplitRun.of(whole, true, "session.started").get(0)));
        whole.forEach(each -> messages.add(NodeMessages.Message.of(0, each)));
        FailsThrice.FAILURES.set(3);
        Path result = run(frames(messages), 0);
        assertThat(RunFrames.comparable(Files.readAllBytes(result)).get("state"))
                .isEqualTo("complete");
        Path journal = NodeMessages.whole(Files.createDirectories(folder.resolve("whole")), whole);
        assertThat(metrics(result).get("total_duration_ns"))
                .isEqualTo(((Map<?, ?>) RunFrames.replayed(journal, JoinedRunTest.CONFIG)
                                .get("metrics"))
                        .get("total_duration_ns"));
    }

    private static Map<?, ?> metrics(Path snapshot) throws IOException {
        return (Map<?, ?>) RunFrames.comparable(Files.readAllBytes(snapshot)).get("metrics");
    }

    private static List<RunFrame> frames(List<NodeMessages.Message> messages) {
        return messages.stream()
                .map(each -> new RunFrame(
                        each.node() + "/" + each.shiftNanos(),
                        0,
                        RunFrame.NOT_NUMBERED,
                        each.receivedNanos(),
                        each.wallNanos(),
                        each.frame()))
                .toList();
    }

    @Test
    void a_run_without_an_end_is_interrupted_once_it_is_idle_with_all_its_records() throws Exception {
        List<ByteBuffer> whole = Journals.frames(Journals.shape(7, 5, false));
        List<ByteBuffer> half = whole.subList(0, whole.size() / 2);
        List<NodeMessages.Message> messages =
                half.stream().map(each -> NodeMessages.Message.of(2, each)).toList();
        Map<?, ?> metrics = metrics(follow(frames(messages), new JoinTimes(LATENESS_MILLIS, 500, 2_000)));
        assertThat(RunFrames.comparable(Files.readAllBytes(result())).get("state"))
                .isEqualTo("interrupted");
        assertThat(metrics.get("records_received").toString()).contains("value=" + half.size());
    }

    @Test
    void the_end_of_a_node_that_comes_too_late_lets_the_end_of_the_others_take_effect() throws Exception {
        List<ByteBuffer> whole = Journals.frames(Journals.shape(5, 5, false));
        long end = SplitRun.time(SplitRun.of(whole, true, "session.ended").get(0));
        List<NodeMessages.Message> messages = new ArrayList<>();
        messages.add(NodeMessages.Message.of(
                1, SplitRun.of(whole, true, "session.started").get(0)));
        for (ByteBuffer each : whole) {
            // All of node 0, but for the last sample record, which is of node 1.
            boolean isLast = each == whole.get(whole.size() - 2);
            messages.add(NodeMessages.Message.of(isLast ? 1 : 0, each));
        }
        ByteBuffer early = ByteBuffer.wrap(
                SplitRun.shifted(SplitRun.of(whole, true, "session.ended").get(0), -3_000_000_000L));
        messages.add(NodeMessages.Message.of(1, early));
        assertThat(end - SplitRun.time(whole.get(whole.size() - 2))).isLessThan(2_000_000_000L);
        Map<?, ?> metrics = metrics(follow(frames(messages), new JoinTimes(LATENESS_MILLIS, 500, 0)));
        assertThat(RunFrames.comparable(Files.readAllBytes(result())).get("state"))
                .isEqualTo("complete");
        assertThat(metrics.get("events_late").toString()).contains("value=1}");
    }

    @Test
    void no_bytes_fail_the_job() throws Exception {
        List<RunFrame> frames = new ArrayList<>();
        try (Stream<Path> corpus = Files.list(Path.of(System.getProperty("project.root", ".."), "fuzz/corpus/frame"))) {
            for (Path each : corpus.sorted().toList()) {
                frames.add(new RunFrame(
                        frames.size() % 3 + "/0", 0, RunFrame.NOT_NUMBERED, 1, 1, Files.readAllBytes(each)));
            }
        }
        assertThat(frames).hasSizeGreaterThan(100);
        FailsThrice.FAILURES.set(3);
        Path result = run(frames, 0);
        assertThat(RunFrames.comparable(Files.readAllBytes(result))
                        .get("metrics")
                        .toString())
                .contains("name=frames_received, value=" + frames.size());
    }
}
