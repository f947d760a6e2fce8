package io.metricsaggregator.flink.joined;

import io.metricsaggregator.flink.run.JobSettings;
import java.util.stream.IntStream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The job that joins the journals of several nodes to one run: a task per journal reads it, one task sorts and folds. Stateless. */
public final class JoinJob {
    private JoinJob() {}

    /** Adds the job to an environment that has no job yet, and sets it to BATCH. */
    public static void build(StreamExecutionEnvironment environment, JoinSettings settings) {
        environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
        JobSettings.apply(environment);
        Integer[] nodes = IntStream.range(0, settings.journals().size()).boxed().toArray(Integer[]::new);
        SingleOutputStreamOperator<NodeRecord> records = environment
                .fromData(Types.INT, nodes)
                .rebalance()
                .process(new JournalRecords(settings), NodeRecordSerializer.TYPE)
                .name("journals")
                .uid("journals");
        records.assignTimestampsAndWatermarks(WatermarkStrategy.<NodeRecord>noWatermarks()
                        .withTimestampAssigner((record, before) -> JoinedFold.place(record)))
                .keyBy(record -> JoinedFold.KEY, Types.INT)
                .connect(records.getSideOutput(JournalRecords.FACTS).broadcast(JoinedFold.FACTS))
                .process(new JoinedFold(settings), Types.STRING)
                .name("join")
                .uid("join")
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .name("results");
    }
}
