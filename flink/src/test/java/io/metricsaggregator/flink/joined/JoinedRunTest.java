package io.metricsaggregator.flink.joined;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.FlinkCluster;
import io.metricsaggregator.flink.Journals;
import io.metricsaggregator.flink.stream.RunFrames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Journals of nodes that each saw a part of a run, joined on a cluster, against the replay of a journal that has all of it. */
class JoinedRunTest {
    static final RunConfig CONFIG = RunConfig.builder().version("test").build();

    @TempDir
    Path folder;

    private Map<String, Object> joined() throws IOException {
        FlinkCluster.Outcome outcome = FlinkCluster.get()
                .run(
                        "--one-run",
                        "--input",
                        folder.resolve("nodes").toString(),
                        "--output",
                        folder.resolve("results").toString());
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        try (var runs = Files.list(folder.resolve("results"))) {
            List<Path> all = runs.toList();
            assertThat(all).hasSize(1);
            return RunFrames.comparable(Files.readAllBytes(all.get(0).resolve("final_snapshot.json")));
        }
    }

    @Test
    void a_run_split_over_three_nodes_with_other_clocks_equals_the_whole_run() throws IOException {
        long seed = System.nanoTime();
        List<ByteBuffer> frames = Journals.frames(Journals.shape(seed & 0xffff, 20, false));
        Path whole = SplitRun.write(
                Files.createDirectories(folder.resolve("whole")), "00c0ffee00000000", "a", 0, CONFIG, frames);
        Path nodes = Files.createDirectories(folder.resolve("nodes"));
        String[] chunks = {"sample.recv_first", "sample.recv_non_first"};
        SplitRun.write(nodes, "00c0ffee00000001", "a", 0, CONFIG, SplitRun.of(frames, false, chunks));
        SplitRun.write(nodes, "00c0ffee00000002", "b", 3_000_000_000L, CONFIG, SplitRun.of(frames, true, chunks[0]));
        SplitRun.write(nodes, "00c0ffee00000003", "c", -7_000_000_000L, CONFIG, SplitRun.of(frames, true, chunks[1]));

        assertThat(joined()).as("seed %d", seed).isEqualTo(RunFrames.replayed(whole, CONFIG));
    }

    @Test
    void a_run_whose_samples_are_spread_at_random_equals_the_whole_run() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<ByteBuffer> frames = Journals.frames(Journals.shape(seed & 0xffff, 10, true));
        Path whole = SplitRun.write(
                Files.createDirectories(folder.resolve("whole")), "00c0ffee00000000", "a", 0, CONFIG, frames);
        List<List<ByteBuffer>> parts = new ArrayList<>();
        for (int node = 0; node < 4; node++) {
            parts.add(new ArrayList<>());
        }
        frames.forEach(each -> parts.get(random.nextInt(parts.size())).add(each));
        Path nodes = Files.createDirectories(folder.resolve("nodes"));
        for (int node = 0; node < parts.size(); node++) {
            SplitRun.write(
                    nodes, "00c0ffee0000000" + (node + 1), "n" + node, node * 1_234_567_890L, CONFIG, parts.get(node));
        }
        assertThat(joined()).as("seed %d", seed).isEqualTo(RunFrames.replayed(whole, CONFIG));
    }

    @Test
    void records_with_the_same_time_are_in_the_order_of_the_steps_of_a_sample() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<ByteBuffer> frames =
                SplitRun.rounded(Journals.frames(Journals.shape(seed & 0xffff, 10, false)), 50_000_000);
        Path whole = SplitRun.write(
                Files.createDirectories(folder.resolve("whole")), "00c0ffee00000000", "a", 0, CONFIG, frames);
        List<List<ByteBuffer>> parts = List.of(new ArrayList<>(), new ArrayList<>());
        frames.forEach(each -> parts.get(random.nextInt(parts.size())).add(each));
        Path nodes = Files.createDirectories(folder.resolve("nodes"));
        SplitRun.write(nodes, "00c0ffee00000001", "a", 0, CONFIG, parts.get(0));
        SplitRun.write(nodes, "00c0ffee00000002", "b", 50_000_000, CONFIG, parts.get(1));
        Map<String, Object> joined = joined();
        Map<String, Object> replayed = RunFrames.replayed(whole, CONFIG);
        for (String part : List.of("metrics", "slices", "in_flight", "state")) {
            assertThat(joined.get(part)).as("%s, seed %d", part, seed).isEqualTo(replayed.get(part));
        }
    }

    @Test
    void the_session_starts_with_the_first_node_and_ends_with_the_last() throws IOException {
        List<ByteBuffer> frames = Journals.frames(Journals.shape(5, 5, false));
        Path whole = SplitRun.write(
                Files.createDirectories(folder.resolve("whole")), "00c0ffee00000000", "a", 0, CONFIG, frames);
        Path nodes = Files.createDirectories(folder.resolve("nodes"));
        SplitRun.write(nodes, "00c0ffee00000001", "a", 0, CONFIG, frames);
        // The other node has no samples, and its session ends a second early.
        SplitRun.write(nodes, "00c0ffee00000002", "b", 0, CONFIG, SplitRun.of(frames, true, "session.started"));
        Path early = Files.createDirectories(nodes.resolve("early"));
        List<ByteBuffer> end = SplitRun.of(frames, true, "session.ended");
        SplitRun.write(early, "00c0ffee00000003", "c", -1_000_000_000L, CONFIG, end);
        Map<?, ?> joined = (Map<?, ?>) joined().get("metrics");
        Map<?, ?> replayed = (Map<?, ?>) RunFrames.replayed(whole, CONFIG).get("metrics");
        for (String name :
                List.of("tracked_samples_completed", "sample_latency_ns", "total_duration_ns", "events_late")) {
            assertThat(joined.get(name)).as(name).isEqualTo(replayed.get(name));
        }
        assertThat(joined.get("events_duplicate").toString()).contains("value=1");
    }

    @Test
    void journals_that_do_not_say_where_their_clock_stood_are_refused() throws IOException {
        List<ByteBuffer> frames = Journals.frames(Journals.shape(5, 2, false));
        Path nodes = Files.createDirectories(folder.resolve("nodes"));
        SplitRun.write(nodes, "00c0ffee00000001", "a", 0, CONFIG, frames);
        SplitRun.write(nodes, "00c0ffee00000002", null, 0, CONFIG, frames);
        FlinkCluster.Outcome outcome = FlinkCluster.get()
                .run(
                        "--one-run",
                        "--input",
                        nodes.toString(),
                        "--output",
                        folder.resolve("results").toString());
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("00c0ffee00000002", "where the clock of its node stood");
    }

    @Test
    void journals_with_other_settings_are_refused() throws IOException {
        List<ByteBuffer> frames = Journals.frames(Journals.shape(5, 2, false));
        Path nodes = Files.createDirectories(folder.resolve("nodes"));
        SplitRun.write(nodes, "00c0ffee00000001", "a", 0, CONFIG, frames);
        RunConfig other =
                RunConfig.builder().version("test").earlyStopping(true).build();
        SplitRun.write(nodes, "00c0ffee00000002", "b", 0, other, frames);
        FlinkCluster.Outcome outcome = FlinkCluster.get()
                .run(
                        "--one-run",
                        "--input",
                        nodes.toString(),
                        "--output",
                        folder.resolve("results").toString());
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("early_stopping=true");
    }
}
