package io.metricsaggregator.export;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Exports the series of requests under the names of OpenTelemetry's GenAI client metrics as well (semantic conventions 1.43; status: development).
 * Attributes are those that all samples of the run share: by a label of the run or, if every sample has the same value, by a label of the samples.
 */
final class GenAiExport {
    /** Begins all names of the conventions. */
    static final String PREFIX = "gen_ai.";

    static final String SERVER_PORT = "server.port";
    private static final String TOKEN_TYPE = "gen_ai.token.type";
    private static final String DURATION = "from the request to the end of its answer";
    /** A host and its port in an endpoint such as {@code http://node-1:8000/v1} or {@code node-1:8000}. */
    private static final Pattern SERVER =
            Pattern.compile("(?:https?://)?(\\[[^\\]]+]|[^/:@]+)(?::(\\d{1,5}))?(?:/.*)?");
    /** The type of errors that are of several types, or have none. */
    private static final String OTHER_ERROR = "_OTHER";
    /** Attributes by the label that has their value. */
    private static final Map<String, String> ATTRIBUTES = Map.of(
            "operation", "gen_ai.operation.name",
            "provider", "gen_ai.provider.name",
            "model", "gen_ai.request.model");

    private GenAiExport() {}

    static void add(MetricsSnapshot snapshot, DistinctMetrics out) {
        SnapshotExtensions extensions = snapshot.extensions();
        Map<String, String> shared = attributes(extensions);
        SuccessSeries latency = SuccessSeries.LATENCY;
        out.add(seconds(snapshot, latency.shown(snapshot), "duration", DURATION, shared));
        if (!latency.isMixed(snapshot)) {
            out.add(seconds(
                    snapshot,
                    snapshot.series(latency.failed()),
                    "duration",
                    DURATION,
                    with(shared, "error.type", errorType(extensions))));
        }
        out.add(seconds(
                snapshot,
                snapshot.series(SeriesName.TTFT_NS),
                "time_to_first_chunk",
                "from the request to the first chunk of the answer, where answers are streamed",
                shared));
        out.add(seconds(
                snapshot,
                snapshot.series(SeriesName.CHUNK_DELTA_NS),
                "time_per_output_chunk",
                "from one chunk of the answer to the next, where answers are streamed",
                shared));
        out.add(tokens(snapshot, SeriesName.USAGE_PROMPT_TOKENS, SeriesName.ISL, with(shared, TOKEN_TYPE, "input")));
        out.add(tokens(
                snapshot, SeriesName.USAGE_COMPLETION_TOKENS, SeriesName.OSL, with(shared, TOKEN_TYPE, "output")));
    }

    private static Exported.@Nullable Distribution seconds(
            MetricsSnapshot snapshot,
            @Nullable SeriesMetric series,
            String name,
            String help,
            Map<String, String> attributes) {
        return distribution(snapshot, series, "client.operation." + name, help, attributes, "s");
    }

    /** The tokens that servers report, as the conventions prefer, or else those counted. */
    private static Exported.@Nullable Distribution tokens(
            MetricsSnapshot snapshot, SeriesName reported, SeriesName counted, Map<String, String> attributes) {
        SeriesMetric usage = snapshot.series(reported);
        SeriesMetric series = usage == null || usage.count() == 0 ? snapshot.series(counted) : usage;
        return distribution(
                snapshot, series, "client.token.usage", "input and output tokens of a request", attributes, "{token}");
    }

    private static Exported.@Nullable Distribution distribution(
            MetricsSnapshot snapshot,
            @Nullable SeriesMetric series,
            String name,
            String help,
            Map<String, String> attributes,
            String unit) {
        return series == null || series.count() == 0
                ? null
                : Exported.Distribution.of(
                        series, PREFIX + name, help, attributes, unit, SlowExemplars.of(snapshot, series.name()));
    }

    private static Map<String, String> with(Map<String, String> attributes, String name, String value) {
        Map<String, String> all = new TreeMap<>(attributes);
        all.put(name, value);
        return all;
    }

    /** The type that all errors have. */
    private static String errorType(SnapshotExtensions extensions) {
        return extensions.errors().stream()
                .map(SnapshotExtensions.ErrorRow::type)
                .distinct()
                .reduce((one, another) -> OTHER_ERROR)
                .filter(type -> !type.isEmpty())
                .orElse(OTHER_ERROR);
    }

    private static Map<String, String> attributes(SnapshotExtensions extensions) {
        Map<String, String> attributes = new TreeMap<>();
        ATTRIBUTES.forEach((label, attribute) -> {
            String value = shared(extensions, label);
            if (value != null) {
                attributes.put(attribute, value);
            }
        });
        String endpoint = shared(extensions, "endpoint");
        Matcher server = SERVER.matcher(endpoint == null ? "" : endpoint);
        if (server.matches()) {
            attributes.put("server.address", server.group(1));
            if (server.group(2) != null) {
                attributes.put(SERVER_PORT, server.group(2));
            }
        }
        return attributes;
    }

    /** The value of a label that all samples have; null without one. */
    private static @Nullable String shared(SnapshotExtensions extensions, String label) {
        String ofRun = extensions.run().labels().get(label);
        LabelBreakdown breakdown = extensions.optional().labels();
        if (ofRun != null || breakdown == null) {
            return ofRun;
        }
        return breakdown.keys().stream()
                .filter(key -> key.name().equals(label) && key.values().size() == 1)
                .flatMap(key -> key.targets().stream())
                .map(LabelBreakdown.Value::value)
                .findFirst()
                .orElse(null);
    }
}
