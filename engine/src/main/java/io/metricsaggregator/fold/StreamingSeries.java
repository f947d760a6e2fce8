package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.DoubleSeries;
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
        timeToFirstToken = registry.longSeries(SeriesName.TTFT_NS);
        chunkDelta = registry.longSeries(SeriesName.CHUNK_DELTA_NS);
        timePerToken = registry.doubleSeries(SeriesName.TPOT_NS);
        failedTimeToFirstToken = registry.longSeries(SeriesName.FAILED_TTFT_NS);
        timePerTokenOfAll = registry.doubleSeries(SeriesName.TPOT_BY_OSL_NS);
        registry.remainder(
                SeriesName.SUCCEEDED_TTFT_NS, timeToFirstToken, failedTimeToFirstToken, successes::firstChunks);
        timePerToken.certify();
        timeToFirstToken.certify();
    }
}
