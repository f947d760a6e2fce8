package io.metricsaggregator.flink.stream;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.run.StreamedRun;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the runs of a stream are folded, and when a run ends without saying so. Immutable; part of the job's graph.
 *
 * @param settings the configuration of every run by name, as {@link RunConfigCodec} encodes it
 * @param valuesMaxBytes memory for the values of a run, from which its last percentiles are computed; beyond it they are those of the histograms
 * @param intervalMillis time between snapshots of a run, above 0
 * @param idleMillis a run without a frame for this long is interrupted; 0 for never
 */
public record RunSettings(TreeMap<String, String> settings, long valuesMaxBytes, long intervalMillis, long idleMillis)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Settings of runs with a configuration. */
    public static RunSettings of(RunConfig config, long valuesMaxBytes, long intervalMillis, long idleMillis) {
        Map<String, String> encoded = RunConfigCodec.encode(config);
        return new RunSettings(new TreeMap<>(encoded), valuesMaxBytes, intervalMillis, idleMillis);
    }

    StreamedRun start(String id, long startedWallNanos) {
        return StreamedRun.start(
                id, startedWallNanos, RunConfigCodec.decode(settings), RunResources.ofReplay(null, valuesMaxBytes));
    }
}
