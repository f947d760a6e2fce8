package io.metricsaggregator.flink.sample;

import io.metricsaggregator.flink.journal.JournalEntry;
import io.metricsaggregator.flink.journal.JournalFormat;
import io.metricsaggregator.flink.journal.RunEnumerator;
import io.metricsaggregator.flink.stream.RunFrame;
import io.metricsaggregator.flink.stream.RunFrameSerializer;
import io.metricsaggregator.flink.stream.RunSettings;
import io.metricsaggregator.flink.stream.RunSnapshot;
import io.metricsaggregator.flink.stream.RunSnapshotSerializer;
import io.metricsaggregator.flink.stream.SnapshotFiles;
import io.metricsaggregator.flink.stream.StreamJob;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** The part of a job that folds runs keyed by sample: heads, rows of samples, totals. Stateless. */
public final class FoldSampleJob {
    private FoldSampleJob() {}

    /**
     * Adds a job that folds journals keyed by sample to an environment that has no job yet, and sets it to STREAMING: the same steps, with a result for
     * each run once its journal is read.
     *
     * @param journals runs by name, as {@code settings} describes them, with the folders of their journals
     * @param output folder of the results, as a URI
     * @param checkpoints as of {@link StreamJob#build}
     * @throws IllegalArgumentException if there is no folder for checkpoints
     */
    public static void buildOfJournals(
            StreamExecutionEnvironment environment,
            Map<String, Path> journals,
            RunSettings settings,
            String output,
            @Nullable String checkpoints) {
        StreamJob.configure(environment, checkpoints);
        Map<String, String> runs = new TreeMap<>();
        journals.forEach((run, folder) -> runs.put(folder.toString(), run));
        FileSource<JournalEntry> source = FileSource.forBulkFileFormat(
                        new JournalFormat(), journals.values().toArray(Path[]::new))
                .setFileEnumerator(RunEnumerator::new)
                .build();
        DataStream<RunSnapshot> results = add(
                environment
                        .fromSource(source, WatermarkStrategy.noWatermarks(), "journals")
                        .uid("journals")
                        .flatMap(new JournalFrames(runs))
                        .returns(RunFrameSerializer.TYPE)
                        .name("frames")
                        .uid("frames"),
                settings);
        SnapshotFiles.add(results, output, true);
    }

    /** Folds a stream of frames and gives the snapshots of its runs. */
    public static DataStream<RunSnapshot> add(DataStream<RunFrame> frames, RunSettings settings) {
        SingleOutputStreamOperator<SampleMessage> heads = frames.keyBy(RunFrame::run)
                .process(new RunHeads(settings), SampleMessageSerializer.TYPE)
                .name("heads")
                .uid("heads");
        DataStream<SampleMessage> parts = heads.filter(each -> each.kind() == SampleMessage.Kind.EVENT)
                .keyBy(SampleMessage::key, Types.STRING)
                .transform("samples", SampleMessageSerializer.TYPE, new SampleRows(settings))
                .uid("samples");
        return heads.filter(each -> each.kind() != SampleMessage.Kind.EVENT)
                .union(parts)
                .keyBy(SampleMessage::run, Types.STRING)
                .process(new RunTotals(), RunSnapshotSerializer.TYPE)
                .name("totals")
                .uid("totals");
    }
}
