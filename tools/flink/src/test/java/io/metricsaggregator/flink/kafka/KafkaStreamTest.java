package io.metricsaggregator.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.Await;
import io.metricsaggregator.flink.FlinkCluster;
import io.metricsaggregator.flink.Journals;
import io.metricsaggregator.flink.stream.RunFrame;
import io.metricsaggregator.flink.stream.RunFrames;
import io.metricsaggregator.flink.stream.RunSettings;
import io.metricsaggregator.flink.stream.SnapshotFiles;
import io.metricsaggregator.flink.stream.StreamJob;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose frames lie in a Kafka topic, folded on a cluster, against a replay in this process. */
@Tag("kafka")
class KafkaStreamTest {
    private static final String TOPIC = "events";
    private static final RunConfig CONFIG = RunConfig.builder().version("test").build();

    @TempDir
    Path folder;

    /** Journals of golden cases and of synthetic runs by the name of the run. */
    private static Map<String, Path> journals(Path directory) throws IOException {
        Map<String, Path> journals = new LinkedHashMap<>();
        for (String name :
                List.of("02_streaming_chunks", "03_windows_in_flight", "04_duplicates_out_of_order", "08a_malformed")) {
            journals.put("golden-" + name, Journals.golden(name, directory));
        }
        for (int seed = 1; seed <= 4; seed++) {
            String id = "00c0ffee0000000" + seed;
            journals.put(id, Journals.synthetic(id, Journals.shape(seed, 5, seed == 2), directory, true));
        }
        return journals;
    }

    /** Publishes the frames of all runs in turn, some of them twice, with messages of no use between them. */
    private static void publish(KafkaBroker broker, Map<String, Path> journals, Random random) throws IOException {
        List<List<RunFrame>> runs = new ArrayList<>();
        for (Map.Entry<String, Path> each : journals.entrySet()) {
            runs.add(new ArrayList<>(RunFrames.of(each.getKey(), each.getValue())));
        }
        try (KafkaProducer<byte[], byte[]> producer = broker.producer()) {
            while (!runs.isEmpty()) {
                List<RunFrame> run = runs.get(random.nextInt(runs.size()));
                RunFrame frame = run.remove(0);
                if (run.isEmpty()) {
                    runs.remove(run);
                }
                producer.send(message(frame));
                if (random.nextInt(50) == 0) {
                    producer.send(message(frame));
                }
                if (random.nextInt(200) == 0) {
                    producer.send(new ProducerRecord<>(TOPIC, ascii(frame.run()), null));
                }
            }
        }
    }

    private static ProducerRecord<byte[], byte[]> message(RunFrame frame) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(TOPIC, null, frame.wallNanos() / 1_000_000, ascii(frame.run()), frame.frame());
        message.headers().add(FrameDeserializer.SEQ, ascii(Long.toString(frame.sequence())));
        message.headers().add(FrameDeserializer.RECEIVED, ascii(Long.toString(frame.nanos())));
        return message;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void runs_in_four_partitions_equal_their_replay_while_and_after_the_topic_is_written() throws Exception {
        long seed = System.nanoTime();
        Map<String, Path> journals = journals(Files.createDirectory(folder.resolve("journals")));
        try (KafkaBroker broker = KafkaBroker.start(Files.createDirectory(folder.resolve("kafka")))) {
            broker.createTopic(TOPIC, 4);
            publish(broker, journals, new Random(seed));
            Path results = folder.resolve("results");
            FlinkCluster.Outcome outcome = FlinkCluster.get()
                    .run(
                            "--kafka",
                            broker.address(),
                            "--topic",
                            TOPIC,
                            "--until-now",
                            "--interval",
                            "1h",
                            "--checkpoints",
                            folder.resolve("checkpoints").toUri().toString(),
                            "--output",
                            results.toString());
            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.status()).isZero();
            assertEqual(journals, results, seed);

            // The same topic, followed: runs end with their sessions, and the job goes on.
            Path followed = folder.resolve("followed");
            StreamExecutionEnvironment following = FlinkCluster.get().environment();
            SnapshotFiles.add(
                    StreamJob.build(
                            following,
                            KafkaFrames.following(broker.address(), TOPIC, new Properties()),
                            RunSettings.of(CONFIG, 64L << 20, 1_000, 0),
                            folder.resolve("checkpoints").toUri().toString()),
                    followed.toString(),
                    true);
            JobClient job = following.executeAsync("kafka");
            awaitResults(journals, followed, seed);
            job.cancel().get(60, TimeUnit.SECONDS);
            assertEqual(journals, followed, seed);
        }
    }

    private static void awaitResults(Map<String, Path> journals, Path results, long seed) {
        for (String run : journals.keySet()) {
            Path file = results.resolve(run).resolve("final_snapshot.json");
            Await.until("seed " + seed + ": " + file + " exists", () -> Files.exists(file));
        }
    }

    private static void assertEqual(Map<String, Path> journals, Path results, long seed) throws IOException {
        for (Map.Entry<String, Path> each : journals.entrySet()) {
            Path run = results.resolve(each.getKey());
            assertThat(RunFrames.comparable(Files.readAllBytes(run.resolve("final_snapshot.json"))))
                    .as("run %s, seed %d", each.getKey(), seed)
                    .isEqualTo(RunFrames.replayed(each.getValue(), CONFIG));
            assertThat(run.resolve("live_snapshot.json")).doesNotExist();
        }
    }

    @Test
    void a_stream_without_a_folder_for_checkpoints_is_refused() {
        FlinkCluster.Outcome outcome =
                FlinkCluster.get().run("--kafka", "localhost:9", "--topic", TOPIC, "--output", folder.toString());
        assertThat(outcome.status()).isEqualTo(2);
        assertThat(outcome.err()).contains("--checkpoints PATH");
    }

    @Test
    void results_that_exist_are_not_overwritten() throws IOException {
        Path run = Files.createDirectories(folder.resolve("results/run"));
        Files.writeString(run.resolve("final_snapshot.json"), "{}");
        FlinkCluster.Outcome outcome = FlinkCluster.get()
                .run(
                        "--kafka",
                        "localhost:9",
                        "--topic",
                        TOPIC,
                        "--output",
                        folder.resolve("results").toString());
        assertThat(outcome.status()).isEqualTo(4);
        assertThat(outcome.err()).contains("--overwrite");
    }

    @Test
    void options_that_contradict_each_other_are_refused() {
        FlinkCluster.Outcome both = FlinkCluster.get()
                .run("--kafka", "localhost:9", "--topic", TOPIC, "--input", "x", "--output", folder.toString());
        assertThat(both.status()).isEqualTo(2);
        assertThat(both.err()).contains("exclude each other");
        assertThat(FlinkCluster.get().run("--topic", TOPIC, "--output", "x").err())
                .contains("--kafka BROKERS");
        assertThat(FlinkCluster.get().run("--output", "x").err()).contains("--input PATH");
    }
}
