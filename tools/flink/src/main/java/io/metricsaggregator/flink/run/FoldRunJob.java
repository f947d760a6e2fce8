package io.metricsaggregator.flink.run;

import io.metricsaggregator.flink.journal.RunEnumerator;
import io.metricsaggregator.flink.journal.RunFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The job that folds whole runs: finds them, folds each in the task that reads it, writes its result. Stateless. */
public final class FoldRunJob {
    /** Accumulator of the runs that were refused, in words. */
    public static final String REFUSED = "refused";
    /** Threads that count the texts of a run: a task has one core of its task manager. */
    public static final int TOKENIZER_THREADS = 1;
    /** Memory for the texts of a run, in bytes. */
    public static final long TEXT_MAX_BYTES = 64 << 20;

    private FoldRunJob() {}

    /** Adds the job to an environment that has no job yet, and sets it to BATCH. */
    public static void build(StreamExecutionEnvironment environment, FoldSettings settings) {
        build(environment, settings, folded -> folded);
    }

    /** Adds the job with a step behind the fold, in its chain. */
    static void build(
            StreamExecutionEnvironment environment, FoldSettings settings, UnaryOperator<DataStream<FoldedRun>> step) {
        environment.setRuntimeMode(RuntimeExecutionMode.BATCH);
        JobSettings.apply(environment);
        Path[] folders = settings.folders().stream().map(Path::new).toArray(Path[]::new);
        FileSource<String> source = FileSource.forBulkFileFormat(new RunFormat(), folders)
                .setFileEnumerator(RunEnumerator::new)
                .build();
        DataStream<FoldedRun> folded = environment
                .fromSource(source, WatermarkStrategy.noWatermarks(), "runs")
                .process(new FoldRuns(settings), TypeInformation.of(FoldedRun.class))
                .name("fold")
                .uid("fold");
        step.apply(folded)
                .global()
                .transform("merge", TypeInformation.of(FoldedRun.class), new MergeRuns(settings))
                .uid("merge")
                .setParallelism(1)
                .sinkTo(new DiscardingSink<>())
                .name("results");
    }

    /** The runs that a finished job refused, in words. */
    public static List<String> refused(JobExecutionResult result) {
        List<String> refused = result.getAccumulatorResult(REFUSED);
        return refused == null ? List.of() : refused;
    }
}
