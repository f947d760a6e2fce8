package io.metricsaggregator.run;

import io.metricsaggregator.config.SteadySettings;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.storage.ValueStorage;
import java.util.Map;

/**
 * The wired parts that every run has.
 *
 * @param limits bounds that follow from the heap
 * @param limitsByName the bounds in force by name, as in snapshots
 * @param steady how the steady state is judged
 * @param earlyStopping whether the terminal snapshot holds MLPerf's early stopping estimates
 * @param values memory for the values of series
 * @param registry counters and series
 * @param fold computes counters and series from events
 * @param texts counts the tokens of the fold's texts
 * @param counters counters of the daemon itself
 * @param frames decodes frames and applies their records to the folds
 */
record RunParts(
        HeapLimits limits,
        Map<String, Long> limitsByName,
        SteadySettings steady,
        boolean earlyStopping,
        ValueStorage values,
        Registry registry,
        LoadgenFold fold,
        TextCounting texts,
        DaemonCounters counters,
        FrameApplier frames) {}
