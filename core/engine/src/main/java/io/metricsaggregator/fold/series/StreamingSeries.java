package io.metricsaggregator.fold.series;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;

/** The series of streamed answers. All are registered together, so that a run has either none or all of them. */
public final class StreamingSeries {
    public final LongSeries timeToFirstToken;
    public final LongSeries chunkDelta;
    /** (complete − first chunk) / tokens after the first chunk, as MLCommons endpoints defines TPOT. Empty without a tokenizer. */
    public final DoubleSeries timePerToken;

    public final LongSeries failedTimeToFirstToken;
    /** Of samples that completed: the series of all has those in flight too, which may still fail. */
    public final LongSeries succeededTimeToFirstToken;
    /** (complete − first chunk) / (tokens − 1): TPOT as in vLLM, inter-token latency as in AIPerf. Empty without a tokenizer. */
    public final DoubleSeries timePerTokenOfAll;

    StreamingSeries(Registry registry) {
        timeToFirstToken = registry.longSeries(SeriesName.TTFT_NS);
        chunkDelta = registry.longSeries(SeriesName.CHUNK_DELTA_NS);
        timePerToken = registry.doubleSeries(SeriesName.TPOT_NS);
        failedTimeToFirstToken = registry.longSeries(SeriesName.FAILED_TTFT_NS);
        timePerTokenOfAll = registry.doubleSeries(SeriesName.TPOT_BY_OSL_NS);
        timePerToken.certify();
        timeToFirstToken.certify();
        succeededTimeToFirstToken =
                registry.recordedRemainder(SeriesName.SUCCEEDED_TTFT_NS, timeToFirstToken, failedTimeToFirstToken);
    }
}
