package io.metricsaggregator.flink.stream;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.run.StreamedRun;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the runs of a stream are folded, and when a run ends without saying so. Immutable; part of the job's graph.
 *
 * @param settings the configuration of every run without a journal by name, as {@link RunConfigCodec} encodes it
 * @param journals descriptions of the journals that are read, by run; empty for a stream
 * @param valuesMaxBytes memory for the values of a run, from which its last percentiles are computed; beyond it they are those of the histograms
 * @param intervalMillis time between snapshots of a run; 0 for none before its last, which then comes with the end of its input
 * @param idleMillis a run without a frame for this long is interrupted; 0 for never
 */
public record RunSettings(
        TreeMap<String, String> settings,
        TreeMap<String, TreeMap<String, String>> journals,
        long valuesMaxBytes,
        long intervalMillis,
        long idleMillis)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /** Settings of runs with a configuration. */
    public static RunSettings of(RunConfig config, long valuesMaxBytes, long intervalMillis, long idleMillis) {
        Map<String, String> encoded = RunConfigCodec.encode(config);
        return new RunSettings(new TreeMap<>(encoded), new TreeMap<>(), valuesMaxBytes, intervalMillis, idleMillis);
    }

    /**
     * Settings of runs whose journals are read: each has its recorded configuration, keeps no values, and ends with its journal.
     *
     * @param version version of this program
     * @param journals descriptions of the journals, by run
     */
    public static RunSettings ofJournals(String version, Map<String, Map<String, String>> journals) {
        TreeMap<String, TreeMap<String, String>> sorted = new TreeMap<>();
        journals.forEach((run, description) -> sorted.put(run, new TreeMap<>(description)));
        Map<String, String> encoded =
                RunConfigCodec.encode(RunConfig.builder().version(version).build());
        return new RunSettings(new TreeMap<>(encoded), sorted, 0, 0, 0);
    }

    /** The configuration of a run. */
    public RunConfig config(String run) {
        RunConfig config = RunConfigCodec.decode(settings);
        Map<String, String> description = journals.get(run);
        return description == null ? config : StreamedRun.recorded(description, config.version());
    }

    /** The id of a run: that of its journal, or one that follows from its name. */
    public String id(String run) {
        Map<String, String> description = journals.get(run);
        return description == null ? RunIds.of(run) : description.getOrDefault(RunOrigin.RUN_ID, run);
    }

    StreamedRun start(String run, long startedWallNanos) {
        RunConfig config = RunConfigCodec.decode(settings);
        RunResources resources = RunResources.ofReplay(null, valuesMaxBytes);
        Map<String, String> description = journals.get(run);
        return description == null
                ? StreamedRun.start(id(run), startedWallNanos, config, resources)
                : StreamedRun.ofJournal(run, description, config.version(), resources);
    }
}
