package io.metricsaggregator.flink.kafka;

import io.metricsaggregator.flink.stream.RunSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Publishes the snapshots of runs to a Kafka topic: the value is the snapshot as JSON, the key names the run, so that all snapshots of a run are in one
 * partition, in their order. After a failure some are published again. Stateless.
 */
public final class SnapshotTopic {
    private SnapshotTopic() {}

    /**
     * Publishes a stream of snapshots.
     *
     * @param brokers {@code host:port}, several separated by commas
     * @param topic must exist, unless the brokers create topics
     * @param properties of the Kafka client, such as those of TLS and SASL
     */
    public static void add(DataStream<RunSnapshot> snapshots, String brokers, String topic, Properties properties) {
        KafkaRecordSerializationSchema<RunSnapshot> messages = (snapshot, context, timestamp) ->
                new ProducerRecord<>(topic, snapshot.run().getBytes(StandardCharsets.UTF_8), snapshot.json());
        snapshots
                .sinkTo(KafkaSink.<RunSnapshot>builder()
                        .setKafkaProducerConfig(properties)
                        .setBootstrapServers(brokers)
                        .setRecordSerializer(messages)
                        .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                        .build())
                .name("snapshot topic")
                .uid("snapshot-topic");
    }
}
