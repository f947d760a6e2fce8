/**
 * Reads the frames of runs from a Kafka topic as a stream of the runs' frames, or of the records of nodes that saw the same run. Deserializers run on the
 * source's task thread; nothing here keeps state between messages, because Flink's checkpoint holds the offsets. It must not fold, and it accepts any bytes.
 */
@NullMarked
package io.metricsaggregator.flink.kafka;

import org.jspecify.annotations.NullMarked;
