package io.metricsaggregator.flink.run;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.flink.journal.StoredRun;
import io.metricsaggregator.flink.output.ResultFile;
import io.metricsaggregator.flink.output.RowFile;
import io.metricsaggregator.options.TokenizerOption;
import io.metricsaggregator.options.WhatIfArguments;
import io.metricsaggregator.options.WhatIfOptions;
import io.metricsaggregator.run.JournalReplay;
import java.io.IOException;
import org.apache.flink.api.common.accumulators.ListAccumulator;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * Folds the run in each folder, and writes its rows, its part and, last, its snapshot. A task that fails reads its run again and replaces
 * what it wrote. Runs that cannot be computed with the given settings are named in the accumulator {@value FoldRunJob#REFUSED} instead of failing
 * the job.
 */
final class FoldRuns extends ProcessFunction<String, FoldedRun> {
    private static final long serialVersionUID = 1;

    private final FoldSettings settings;
    private final ListAccumulator<String> refused = new ListAccumulator<>();

    FoldRuns(FoldSettings settings) {
        this.settings = settings;
    }

    @Override
    public void open(OpenContext context) {
        getRuntimeContext().addAccumulator(FoldRunJob.REFUSED, refused);
    }

    @Override
    public void processElement(String folder, Context context, Collector<FoldedRun> out) throws IOException {
        String id = settings.id(folder);
        StoredRun files = StoredRun.list(new Path(folder));
        Path results = new Path(settings.output(), id);
        try (JournalReplay.Result result = replay(files)) {
            if (settings.rows() != null) {
                RowFile.write(files, settings.version(), new Path(settings.rows()));
            }
            ResultFile.write(new Path(results, ResultFile.PART), result.part()::write);
            ResultFile.write(result.snapshot(), results);
            out.collect(new FoldedRun(folder, id, result.snapshot().state().name()));
        } catch (IllegalArgumentException e) {
            refused.add(folder + ": " + e.getMessage());
        }
    }

    private JournalReplay.Result replay(StoredRun files) throws IOException {
        JournalReplay replay = JournalReplay.open(files);
        WhatIfOptions whatIf = WhatIfArguments.parse(settings.whatIf());
        TokenizerOption.@Nullable Loaded tokenizer = whatIf.tokenizer(replay.recorded());
        RunConfig config = whatIf.config(replay.recorded(), settings.version(), tokenizer);
        return whatIf.replay(
                replay,
                config,
                new RunResources(
                        tokenizer == null
                                ? null
                                : tokenizer.resource(FoldRunJob.TOKENIZER_THREADS, FoldRunJob.TEXT_MAX_BYTES),
                        Integer.MAX_VALUE,
                        settings.valuesMaxBytes(),
                        TaskFiles.temporary(getRuntimeContext())));
    }
}
