package io.metricsaggregator.flink.joined;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.flink.Await;
import io.metricsaggregator.flink.FlinkCluster;
import io.metricsaggregator.flink.Journals;
import io.metricsaggregator.flink.kafka.KafkaBroker;
import io.metricsaggregator.flink.kafka.KafkaFrames;
import io.metricsaggregator.flink.sample.SampleResults;
import io.metricsaggregator.flink.stream.RunFrames;
import io.metricsaggregator.flink.stream.RunSettings;
import io.metricsaggregator.flink.stream.SnapshotFiles;
import io.metricsaggregator.flink.stream.StreamJob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose messages several nodes write to Kafka, joined while and after they are written, against the replay of a journal that has all of it. */
@Tag("kafka")
class KafkaJoinTest {
    private static final String TOPIC = "events";
    private static final long LATENESS_MILLIS = 700;
    private static final long LATENESS_NANOS = LATENESS_MILLIS * 1_000_000;
    private static final int LATE = 25;

    @TempDir
    Path folder;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private KafkaBroker broker;

    @BeforeEach
    void startBroker() throws Exception {
        broker = KafkaBroker.start(Files.createDirectory(folder.resolve("kafka")));
        // A partition more than nodes: it stays empty.
        broker.createTopic(TOPIC, 4);
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    private Path whole(List<ByteBuffer> frames) throws IOException {
        return NodeMessages.whole(Files.createDirectories(folder.resolve("whole")), frames);
    }

    private Map<String, Object> joined(String... further) throws IOException {
        Path results = folder.resolve("results" + further.length);
        List<String> arguments = new ArrayList<>(List.of(
                "--one-run",
                "--kafka",
                broker.address(),
                "--topic",
                TOPIC,
                "--lateness",
                LATENESS_MILLIS + "ms",
                "--until-now",
                "--interval",
                "1h",
                "--checkpoints",
                folder.resolve("checkpoints").toUri().toString(),
                "--output",
                results.toString()));
        arguments.addAll(List.of(further));
        FlinkCluster.Outcome outcome = FlinkCluster.get().run(arguments.toArray(String[]::new));
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.status()).isZero();
        return result(results);
    }

    private static Map<String, Object> result(Path results) throws IOException {
        return RunFrames.comparable(Files.readAllBytes(results.resolve(TOPIC).resolve("final_snapshot.json")));
    }

    @Test
    void a_run_whose_messages_arrive_out_of_order_equals_the_whole_run_in_both_folds() throws Exception {
        List<ByteBuffer> frames = Journals.frames(Journals.shape(seed & 0xffff, 90, false));
        Path whole = whole(frames);
        NodeMessages.publish(broker, TOPIC, NodeMessages.shuffled(frames, LATENESS_NANOS, random), random);

        assertThat(joined()).as("seed %d", seed).isEqualTo(RunFrames.replayed(whole, JoinedRunTest.CONFIG));
        assertThat(SampleResults.differences(
                        joined("--fold", "sample"), RunFrames.replayed(whole, JoinedRunTest.CONFIG, 0)))
                .as("seed %d", seed)
                .isEmpty();
    }

    @Test
    void a_topic_that_is_followed_gives_the_result_although_a_partition_is_empty() throws Exception {
        List<ByteBuffer> frames = Journals.frames(Journals.shape(seed & 0xffff, 10, false));
        Path whole = whole(frames);
        NodeMessages.publish(broker, TOPIC, NodeMessages.shuffled(frames, LATENESS_NANOS, random), random);
        Path results = folder.resolve("followed");
        JobClient job = follow(results);
        Path file = results.resolve(TOPIC).resolve("final_snapshot.json");
        Await.until("seed " + seed + ": " + file + " exists", () -> Files.exists(file));
        job.cancel().get(60, TimeUnit.SECONDS);
        assertThat(result(results)).as("seed %d", seed).isEqualTo(RunFrames.replayed(whole, JoinedRunTest.CONFIG));
    }

    private JobClient follow(Path results) throws Exception {
        JoinTimes times = new JoinTimes(LATENESS_MILLIS, 3_000, 0);
        StreamExecutionEnvironment following = FlinkCluster.get().environment();
        StreamJob.configure(following, folder.resolve("checkpoints").toUri().toString());
        SnapshotFiles.add(
                StreamJob.fold(
                        JoinedStream.of(
                                following,
                                KafkaFrames.ofNodes(broker.address(), TOPIC, new Properties(), false, times),
                                times),
                        RunSettings.of(JoinedRunTest.CONFIG, 64L << 20, 1_000, 0)),
                results.toString(),
                true);
        return following.executeAsync("joined");
    }

    @Test
    void a_record_with_a_false_time_does_not_make_later_ones_late_even_after_a_silence() throws Exception {
        List<ByteBuffer> frames = Journals.frames(Journals.shape(seed & 0xffff, 10, false));
        int half = frames.size() / 2;
        // A silence lets everything up to a millisecond through; the rest is of later ones.
        while (JoinTimes.millis(SplitRun.time(frames.get(half)))
                == JoinTimes.millis(SplitRun.time(frames.get(half - 1)))) {
            half++;
        }
        int known = half;
        NodeMessages.publish(
                broker, TOPIC, NodeMessages.shuffled(frames.subList(0, half), LATENESS_NANOS, random), random);
        ByteBuffer last = frames.get(half - 1);
        byte[] future = SplitRun.shifted(last, 3_600_000_000_000L);
        NodeMessages.publish(broker, TOPIC, List.of(new NodeMessages.Message(0, SplitRun.time(last), future)), random);
        Path results = folder.resolve("followed");
        JobClient job = follow(results);
        Path live = results.resolve(TOPIC).resolve("live_snapshot.json");
        Await.until(
                "seed " + seed + ": all but the record with the false time is applied",
                () -> Files.exists(live) && received(live) == known);
        NodeMessages.publish(
                broker,
                TOPIC,
                NodeMessages.shuffled(frames.subList(half, frames.size()), LATENESS_NANOS, random),
                random);
        Path file = results.resolve(TOPIC).resolve("final_snapshot.json");
        Await.until("seed " + seed + ": " + file + " exists", () -> Files.exists(file));
        job.cancel().get(60, TimeUnit.SECONDS);
        Map<String, Object> metrics = metrics(new TreeMap<>(result(results)));
        Map<String, Object> replayed = metrics(new TreeMap<>(RunFrames.replayed(whole(frames), JoinedRunTest.CONFIG)));
        assertThat(value(metrics, "events_late")).as("seed %d", seed).isEqualTo(1);
        for (String name : List.of("records_applied", "total_samples_completed", "sample_latency_ns")) {
            assertThat(metrics.get(name)).as("%s, seed %d", name, seed).isEqualTo(replayed.get(name));
        }
    }

    private static long received(Path live) {
        try {
            return value(metrics(new TreeMap<>(RunFrames.comparable(Files.readAllBytes(live)))), "records_received");
        } catch (IOException e) {
            // The file is replaced meanwhile.
            return 0;
        }
    }

    @Test
    void records_behind_the_lateness_are_counted_and_have_no_other_effect() throws Exception {
        List<ByteBuffer> frames = Journals.frames(Journals.shape(seed & 0xffff, 10, false));
        Path whole = whole(frames);
        List<NodeMessages.Message> messages = NodeMessages.shuffled(frames, LATENESS_NANOS, random);
        List<ByteBuffer> others =
                SplitRun.of(Journals.frames(Journals.shape((seed & 0xffff) + 1, 10, false)), true, "sample.issued");
        long bytes = 0;
        for (int i = 0; i < LATE; i++) {
            ByteBuffer other = others.get(i);
            NodeMessages.Message late = NodeMessages.Message.of(i % 3, other);
            bytes += late.frame().length;
            // After a message of the same partition that is newer by more than the lateness.
            int after = 0;
            while (messages.get(after).node() != late.node()
                    || messages.get(after).nanos() <= late.nanos() + LATENESS_NANOS) {
                after++;
            }
            messages.add(after + 1 + random.nextInt(messages.size() - after), late);
        }
        NodeMessages.publish(broker, TOPIC, messages, random);

        Map<String, Object> joined = new TreeMap<>(joined());
        Map<String, Object> replayed = new TreeMap<>(RunFrames.replayed(whole, JoinedRunTest.CONFIG));
        Map<String, Object> counted = metrics(joined);
        Map<String, Object> expected = metrics(replayed);
        assertThat(value(counted, "events_late")).as("seed %d", seed).isEqualTo(LATE);
        for (String name : List.of("records_received", "frames_received")) {
            assertThat(value(counted, name) - value(expected, name)).as(name).isEqualTo(LATE);
        }
        assertThat(value(counted, "frame_bytes_received") - value(expected, "frame_bytes_received"))
                .isEqualTo(bytes);
        for (String name : List.of("events_late", "records_received", "frames_received", "frame_bytes_received")) {
            counted.remove(name);
            expected.remove(name);
        }
        assertThat(joined.remove("workers")).isNotEqualTo(replayed.remove("workers"));
        assertThat(joined).as("seed %d", seed).isEqualTo(replayed);
    }

    private static Map<String, Object> metrics(Map<String, Object> snapshot) {
        Map<String, Object> metrics = new TreeMap<>();
        ((Map<?, ?>) snapshot.get("metrics")).forEach((name, metric) -> metrics.put((String) name, metric));
        snapshot.put("metrics", metrics);
        return metrics;
    }

    private static long value(Map<String, Object> metrics, String name) {
        return Long.parseLong(String.valueOf(metrics.get(name)).replaceFirst("(?s).*value=([0-9]+).*", "$1"));
    }
}
