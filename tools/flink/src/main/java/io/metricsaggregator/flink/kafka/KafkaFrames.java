package io.metricsaggregator.flink.kafka;

import io.metricsaggregator.flink.stream.RunFrame;
import java.util.Properties;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;

/** Builds the sources of jobs that read frames from a Kafka topic, from its beginning on. Stateless. */
public final class KafkaFrames {
    private static final FrameDeserializer FRAMES = new FrameDeserializer(FrameDeserializer.FRAME_MAX_BYTES);

    private KafkaFrames() {}

    /**
     * Builds a source that follows a topic for as long as the job runs.
     *
     * @param brokers {@code host:port}, several separated by commas
     * @param topic its partitions are found again every 5 minutes, Flink's default
     * @param properties of the Kafka client, such as those of TLS and SASL
     */
    public static KafkaSource<RunFrame> following(String brokers, String topic, Properties properties) {
        return builder(brokers, topic, properties).build();
    }

    /** Builds a source that ends with the messages that the topic holds when the job starts; parameters as of {@link #following}. */
    public static KafkaSource<RunFrame> untilNow(String brokers, String topic, Properties properties) {
        return builder(brokers, topic, properties)
                .setBounded(OffsetsInitializer.latest())
                .build();
    }

    private static KafkaSourceBuilder<RunFrame> builder(String brokers, String topic, Properties properties) {
        return KafkaSource.<RunFrame>builder()
                .setProperties(properties)
                .setBootstrapServers(brokers)
                .setTopics(topic)
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setProperty("isolation.level", "read_committed")
                // Offsets lie in Flink's checkpoints; without a group there is none to commit them to.
                .setProperty("commit.offsets.on.checkpoint", "false")
                .setDeserializer(FRAMES);
    }
}
