package io.metricsaggregator.run;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunConfigCodec;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.RunOrigin;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.snapshot.figures.Slices;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The description of an imported run in its journal, and what a run without issue times leaves out of its snapshot. Stateless; used by
 * the thread that imports or replays.
 */
public final class ImportedRun {
    static final String IMPORTED = "imported";
    static final String FORMAT = "format";
    static final String KIND = "kind";
    static final String TIMELINE = "timeline";

    private static final Logger LOG = LoggerFactory.getLogger(ImportedRun.class);
    private static final Set<String> DURATIONS = Set.of(
            CounterName.TRACKED_DURATION_NS.wire(),
            CounterName.TOTAL_DURATION_NS.wire(),
            CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS.wire(),
            CounterName.SUCCEEDED_DURATION_NS.wire());

    private ImportedRun() {}

    /**
     * Describes a run for its journal's run entry.
     *
     * @param config decides the numbers of a replay
     * @param runId 16 hexadecimal digits
     * @param startedWallNanos start of the run, in nanoseconds since 1970 UTC; 0 if it is unknown
     * @param environment properties of the machine that measured the run, by name
     */
    public static Map<String, String> describe(
            RunConfig config, String runId, long startedWallNanos, Imported imported, Map<String, String> environment) {
        Map<String, String> description = new LinkedHashMap<>(RunConfigCodec.encode(config));
        description.put(RunOrigin.RUN_ID, runId);
        if (startedWallNanos != 0) {
            description.put(RunOrigin.STARTED_WALL_NANOS, Long.toString(startedWallNanos));
        }
        description.put(JournalReader.ID_SECRET, Long.toHexString(new SecureRandom().nextLong()));
        description.put(FORMAT, imported.format());
        description.put(KIND, imported.kind());
        description.put(TIMELINE, imported.hasTimeline() ? "events" : "none");
        environment.forEach((name, value) -> description.put(JournalRecovery.ENVIRONMENT + name, value));
        // JSON on one line: no value of a description may hold a line feed.
        description.put(IMPORTED, new String(imported.json(), StandardCharsets.UTF_8));
        return description;
    }

    /** Reads the import from a journal's description; null if the run was not imported, or its entry cannot be read. */
    static @Nullable Imported of(Map<String, String> description) {
        String text = description.get(IMPORTED);
        if (text == null) {
            return null;
        }
        try {
            return Imported.ofJson(text.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedMessageException e) {
            LOG.warn("import description unreadable cause={}", e.getMessage());
            return null;
        }
    }

    /** The metrics that a run without issue times has: all but the durations. */
    static List<Metric> withoutDurations(List<Metric> metrics) {
        return metrics.stream()
                .filter(each -> !(each instanceof CounterMetric && DURATIONS.contains(each.name())))
                .toList();
    }

    /** The extensions that a run without issue times has: no slices, no peak of samples in flight, and no judgement on its steady state. */
    static SnapshotExtensions withoutTimeline(SnapshotExtensions all) {
        SnapshotExtensions.InFlight left = all.inFlight();
        return all.toBuilder()
                .inFlight(new SnapshotExtensions.InFlight(left.count(), left.tracked(), left.failed(), 0, 0))
                .rates(List.of())
                .slices(new Slices(0, 1, 0, List.of()))
                .optional(new OptionalFigures(
                                all.optional().usage(),
                                null,
                                null,
                                null,
                                null,
                                all.optional().interactivity(),
                                null)
                        .withServerTimes(all.optional().serverTimes()))
                .build();
    }
}
