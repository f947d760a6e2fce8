package io.metricsaggregator.imports.llmperf;

import io.metricsaggregator.imports.FormatReader;
import io.metricsaggregator.imports.ImportFormat;
import io.metricsaggregator.imports.ImportOptions;
import io.metricsaggregator.imports.SourceHead;

/**
 * Results of LLMPerf: {@code *_individual_responses.json}, durations of the requests without issue times and chunks, and
 * {@code *_summary.json}, figures. With both, the figures are recomputed from the requests.
 */
public final class LlmPerfFormat implements ImportFormat {
    @Override
    public String name() {
        return "llmperf";
    }

    @Override
    public String tool() {
        return "LLMPerf";
    }

    @Override
    public boolean recognises(SourceHead head) {
        return head.has("[].end_to_end_latency_s") || head.has("results_end_to_end_latency_s_mean");
    }

    @Override
    public FormatReader reader(ImportOptions options) {
        return new LlmPerfReader();
    }
}
