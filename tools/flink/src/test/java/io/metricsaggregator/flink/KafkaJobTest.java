package io.metricsaggregator.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.flink.kafka.KafkaBroker;
import io.metricsaggregator.flink.stream.RunFrame;
import io.metricsaggregator.flink.stream.RunFrames;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.run.GoldenCase;
import io.metricsaggregator.tokens.TransformersVersion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows, token counts, objectives and published snapshots of runs from a Kafka topic, against those of journals with the same frames. */
@Tag("kafka")
class KafkaJobTest {
    private static final String SYNTHETIC = "00c0ffee00000001";
    private static final String TEXTS = "00c0ffee00000002";

    @TempDir
    Path folder;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void publish(KafkaBroker broker, String run, List<RunFrame> frames) {
        try (KafkaProducer<byte[], byte[]> producer = broker.producer()) {
            for (RunFrame each : frames) {
                ProducerRecord<byte[], byte[]> message =
                        new ProducerRecord<>("events", null, each.wallNanos() / 1_000_000, ascii(run), each.frame());
                message.headers().add("received_ns", ascii(Long.toString(each.nanos())));
                producer.send(message);
            }
        }
    }

    /** The last message of each key. */
    private static Map<String, byte[]> published(KafkaBroker broker) {
        Map<String, byte[]> last = new HashMap<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.address()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition("snapshots", 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    last.put(new String(each.key(), StandardCharsets.US_ASCII), each.value());
                }
            }
        }
        return last;
    }

    @Test
    void rows_tokens_and_objectives_are_those_of_a_replay_and_snapshots_are_published() throws Exception {
        GoldenCase golden = new GoldenCase("05a_tokens_text");
        String tokenizer = Objects.requireNonNull(golden.tokenizer()).toString();
        RunConfig config = RunConfig.builder()
                .version(Version.text())
                .objectives(new Slo(50_000_000, 20_000_000, 200_000_000, 0.9))
                .tokenizer(TokenizerOption.load(tokenizer, TransformersVersion.DEFAULT)
                        .settings())
                .build();
        Path journals = Files.createDirectory(folder.resolve("journals"));
        Map<String, Path> runs = Map.of(
                SYNTHETIC,
                Journals.write(journals, SYNTHETIC, config, Journals.frames(Journals.shape(3, 5, true)), true),
                TEXTS,
                Journals.write(journals, TEXTS, config, golden.frames(), true));
        Path results = folder.resolve("results");
        try (KafkaBroker broker = KafkaBroker.start(Files.createDirectory(folder.resolve("kafka")))) {
            broker.createTopic("events", 2);
            broker.createTopic("snapshots", 1);
            for (Map.Entry<String, Path> each : runs.entrySet()) {
                publish(broker, each.getKey(), RunFrames.of(each.getKey(), each.getValue()));
            }
            FlinkCluster.Outcome outcome = FlinkCluster.get().run(arguments(broker, results, tokenizer));
            assertThat(outcome.err()).isEmpty();
            assertThat(outcome.status()).isZero();
            Map<String, byte[]> published = published(broker);
            for (Map.Entry<String, Path> each : runs.entrySet()) {
                assertRun(each.getKey(), each.getValue(), config, results);
                assertThat(published.get(each.getKey()))
                        .as(each.getKey())
                        .isEqualTo(Files.readAllBytes(
                                results.resolve(each.getKey()).resolve("final_snapshot.json")));
            }
        }
    }

    private String[] arguments(KafkaBroker broker, Path results, String tokenizer) {
        return new String[] {
            "--kafka",
            broker.address(),
            "--topic",
            "events",
            "--until-now",
            "--snapshots",
            "kafka:snapshots",
            "--rows",
            folder.resolve("rows").toString(),
            "--tokenizer",
            tokenizer,
            "--slo",
            "ttft=50ms,tpot=20ms,latency=200ms,share=90%",
            "--checkpoints",
            folder.resolve("checkpoints").toUri().toString(),
            "--output",
            results.toString()
        };
    }

    private void assertRun(String run, Path journal, RunConfig config, Path results) throws IOException {
        assertThat(RunFrames.comparable(Files.readAllBytes(results.resolve(run).resolve("final_snapshot.json"))))
                .as(run)
                .isEqualTo(RunFrames.comparable(Results.snapshotWithTexts(journal)));
        assertThat(results.resolve(run).resolve("live_snapshot.json")).doesNotExist();
        long started = RunFrames.of(run, journal).get(0).wallNanos();
        assertThat(Files.readAllBytes(
                        folder.resolve("rows/run=" + run + "/node=__HIVE_DEFAULT_PARTITION__/part-0.parquet")))
                .as("rows of %s", run)
                .isEqualTo(SampleRowBytes.of(journal, config, run, started));
    }
}
