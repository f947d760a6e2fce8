package io.metricsaggregator.flink.run;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.flink.journal.StoredRun;
import io.metricsaggregator.flink.output.ResultFile;
import io.metricsaggregator.run.JournalReplay;
import java.io.IOException;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.util.Collector;

/**
 * Folds the run in each folder, and writes its result. A task that fails reads its run again and replaces what it wrote. Runs that cannot
 * be computed with the given settings are named in the accumulator {@value #REFUSED} instead of failing the job.
 */
final class FoldRuns extends ProcessFunction<String, FoldedRun> {
    /** Accumulator of the runs that were refused, in words. */
    static final String REFUSED = "refused";

    private static final long serialVersionUID = 1;

    private final FoldSettings settings;
    private final ListAccumulator<String> refused = new ListAccumulator<>();

    FoldRuns(FoldSettings settings) {
        this.settings = settings;
    }

    @Override
    public void open(OpenContext context) {
        getRuntimeContext().addAccumulator(REFUSED, refused);
    }

    @Override
    public void processElement(String folder, Context context, Collector<FoldedRun> out) throws IOException {
        String id = settings.id(folder);
        JournalReplay.Result result;
        try {
            JournalReplay replay = JournalReplay.open(StoredRun.list(new Path(folder)));
            RunConfig config =
                    replay.recorded().toBuilder().version(settings.version()).build();
            result = replay.replay(config, resources());
        } catch (IllegalArgumentException e) {
            refused.add(folder + ": " + e.getMessage());
            return;
        }
        ResultFile.write(result.snapshot(), new Path(settings.output(), id));
        out.collect(new FoldedRun(folder, id, result.snapshot().state().name()));
    }

    private RunResources resources() {
        String[] temporary = ((StreamingRuntimeContext) getRuntimeContext())
                .getTaskManagerRuntimeInfo()
                .getTmpDirectories();
        int place = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() % temporary.length;
        return new RunResources(
                null, Integer.MAX_VALUE, settings.valuesMaxBytes(), java.nio.file.Path.of(temporary[place]));
    }
}
