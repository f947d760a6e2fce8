package io.metricsaggregator.parquet;

import io.metricsaggregator.journal.RunOrigin;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the footer of a file says about its rows, as key-value metadata with the prefix {@code metrics_aggregator.}.
 *
 * @param version version of the program that wrote the file
 * @param runId id of the run; null if unknown or if the file has rows of several runs
 * @param node name of the node that recorded the run; null if unknown or if there are several
 * @param wallOffsetNanos wall clock minus the node's monotonic clock; null if unknown
 * @param wallOffsetUncertaintyNanos how far the offset can be off; null if unknown
 * @param settings the settings of the run by name; each becomes a key {@code setting.NAME}
 */
public record SampleFileHeader(
        String version,
        @Nullable String runId,
        @Nullable String node,
        @Nullable Long wallOffsetNanos,
        @Nullable Long wallOffsetUncertaintyNanos,
        Map<String, String> settings) {
    private static final String PREFIX = "metrics_aggregator.";

    /** Copies the settings. */
    public SampleFileHeader {
        settings = Map.copyOf(settings);
    }

    /**
     * Facts of a file with the rows of one run.
     *
     * @param version version of the program that writes the file
     * @param description the description in the run's journal
     */
    public static SampleFileHeader ofRun(String version, Map<String, String> description) {
        RunOrigin origin = RunOrigin.of(description);
        Map<String, String> settings = new HashMap<>(description);
        // These have keys of their own.
        settings.keySet().removeAll(Set.of(RunOrigin.RUN_ID, RunOrigin.NODE, RunOrigin.UNCERTAINTY_NANOS));
        return new SampleFileHeader(
                version,
                origin.runId(),
                origin.node(),
                origin.wallOffsetNanos(),
                origin.wallOffsetUncertaintyNanos(),
                settings);
    }

    /** Returns the metadata of the footer, with the schema's version. */
    Map<String, String> metadata() {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(PREFIX + "schema_version", Integer.toString(SampleSchema.VERSION));
        metadata.put(PREFIX + "version", version);
        put(metadata, "run_id", runId);
        put(metadata, "node", node);
        put(metadata, "wall_offset_ns", wallOffsetNanos);
        put(metadata, "wall_offset_uncertainty_ns", wallOffsetUncertaintyNanos);
        settings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> metadata.put(PREFIX + "setting." + each.getKey(), each.getValue()));
        return metadata;
    }

    private static void put(Map<String, String> metadata, String key, @Nullable Object value) {
        if (value != null) {
            metadata.put(PREFIX + key, value.toString());
        }
    }
}
