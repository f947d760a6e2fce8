package io.metricsaggregator.imports.inferenceperf;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.SourceHead;

/**
 * Reports of inference-perf: {@code per_request_lifecycle_metrics.json}, an array of requests with the time of every chunk on the
 * monotonic clock, and {@code summary_lifecycle_metrics.json} or {@code stage_N_lifecycle_metrics.json}, figures. With both, the
 * figures are recomputed from the requests. {@code config.yaml} beside them has what was planned, and
 * {@code inference-perf.partial.stage_0.yaml} the date.
 */
public final class InferencePerfFormat implements ImportFormat {
    @Override
    public String name() {
        return "inference-perf";
    }

    @Override
    public String tool() {
        return "inference-perf";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return (head.has("[].start_time", "[].end_time") && (head.has("[].info") || head.has("[].request")))
                || head.has("load_summary", "successes")
                || InferencePerfStages.isConfiguration(head.text());
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return new InferencePerfReader(options.keepTexts());
    }
}
