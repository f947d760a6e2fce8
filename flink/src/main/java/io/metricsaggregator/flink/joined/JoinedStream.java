package io.metricsaggregator.flink.joined;

import io.metricsaggregator.flink.stream.RunFrame;
import io.metricsaggregator.flink.stream.RunFrameSerializer;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The part of a job that joins the messages of several nodes to runs: a source with a watermark for each partition, and the order by time. Stateless. */
public final class JoinedStream {
    /** How far one partition is read ahead of the slowest, at least: what is read ahead waits in the state of its run. */
    private static final Duration AHEAD_MIN = Duration.ofMinutes(1);
    /** How often partitions are compared; reading what was written before is at most {@code AHEAD_MIN} of event time for each. */
    private static final Duration AHEAD_CHECK = Duration.ofMillis(200);

    private JoinedStream() {}

    /**
     * Adds a source of messages to an environment.
     *
     * @param messages partitions are its splits
     * @return the records of each run, late ones among them, in the order in which they are applied
     */
    public static DataStream<RunFrame> of(
            StreamExecutionEnvironment environment, Source<NodeMessage, ?, ?> messages, JoinTimes times) {
        return inOrder(
                environment
                        .fromSource(messages, watermarks(times), "messages", NodeMessageSerializer.TYPE)
                        .uid("messages"),
                times);
    }

    /** Watermarks that stay behind the newest record by the lateness; a partition in silence does not hold back others. */
    static WatermarkStrategy<NodeMessage> watermarks(JoinTimes times) {
        Duration lateness = Duration.ofMillis(times.latenessMillis());
        return WatermarkStrategy.<NodeMessage>forBoundedOutOfOrderness(lateness)
                .withTimestampAssigner((message, before) -> JoinTimes.millis(message.newestNanos()))
                .withIdleness(Duration.ofMillis(times.silenceMillis()))
                .withWatermarkAlignment(
                        "messages", lateness.compareTo(AHEAD_MIN) > 0 ? lateness : AHEAD_MIN, AHEAD_CHECK);
    }

    /** Puts the records of messages, which have timestamps and watermarks, in order. */
    static DataStream<RunFrame> inOrder(DataStream<NodeMessage> messages, JoinTimes times) {
        return messages.keyBy(NodeMessage::run, Types.STRING)
                .process(new OrderByTime(times), RunFrameSerializer.TYPE)
                .name("order")
                .uid("order");
    }
}
