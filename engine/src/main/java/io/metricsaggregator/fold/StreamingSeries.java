package io.metricsaggregator.fold;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;

/** The series of streamed answers. All are registered together, so that a run has either none or all of them. */
final class StreamingSeries {
    final LongSeries timeToFirstToken;
    final LongSeries chunkDelta;
    /** (complete − first chunk) / tokens after the first chunk, as MLCommons endpoints defines TPOT. Empty without a tokenizer. */
    final DoubleSeries timePerToken;

    final LongSeries failedTimeToFirstToken;
    /** (complete − first chunk) / (tokens − 1): TPOT as in vLLM, inter-token latency as in AIPerf. Empty without a tokenizer. */
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
