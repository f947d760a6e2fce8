package io.metricsaggregator.fold;

import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.HdrRange;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;

/** The series of answers that come in chunks. All of them are registered together, so that a run has either none or all. */
final class StreamingSeries {
    final LongSeries timeToFirstToken;
    final LongSeries chunkDelta;
    /** Of outputs that were counted: empty without a tokenizer. */
    final DoubleSeries timePerToken;

    final LongSeries failedTimeToFirstToken;
    /** (complete − first chunk) / (tokens − 1): what vLLM calls TPOT, and AIPerf inter-token latency. */
    final DoubleSeries timePerTokenOfAll;

    StreamingSeries(Registry registry, SuccessCounters successes) {
        timeToFirstToken = registry.longSeries("ttft_ns", HdrRange.DURATION_NANOS);
        chunkDelta = registry.longSeries("chunk_delta_ns", HdrRange.DURATION_NANOS);
        timePerToken = registry.doubleSeries("tpot_ns", HdrRange.DURATION_NANOS);
        failedTimeToFirstToken = registry.longSeries("failed_ttft_ns", HdrRange.DURATION_NANOS);
        timePerTokenOfAll = registry.doubleSeries("tpot_by_osl_ns", HdrRange.DURATION_NANOS);
        registry.remainder("succeeded_ttft_ns", timeToFirstToken, failedTimeToFirstToken, successes::firstChunks);
        timePerToken.certify();
        timeToFirstToken.certify();
    }
}
