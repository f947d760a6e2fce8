package io.metricsaggregator.analysis;

/** The span of time that throughput is computed over. */
public enum ThroughputWindow {
    /** First issue to the completion of the sample issued last, less one sample: MLPerf LoadGen's definition, for Poisson load. */
    LOADGEN,
    /** The tracked windows, each to the last completion among its samples: the native definition of MLCommons endpoints. */
    TRACKED,
    /** Not stated by the run: headline figures are those of {@link #TRACKED}, and reports show LoadGen's beside them. */
    UNSTATED
}
