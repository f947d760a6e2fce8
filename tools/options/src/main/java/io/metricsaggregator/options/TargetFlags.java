package io.metricsaggregator.options;

import io.metricsaggregator.config.TargetSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The endpoints under test, for a run or its recomputation: when one counts as stalled, and which are expected. */
@OptionGroup.In(OptionGroup.METRICS)
public final class TargetFlags {
    @Option(
            names = "--endpoint-idle",
            paramLabel = "TIME",
            description =
                    "Time without a chunk, a completion or an error, with samples in flight, after which an endpoint counts as"
                            + " stalled, such as 30s; 0: never. Default: 300s until 100 samples have completed, then 3 times the 99th"
                            + " percentile of the time to first token, at least 30s; of the latency, at least 300s, without streaming.")
    private @Nullable Duration endpointIdle;

    @Option(
            names = "--expect-label",
            paramLabel = "KEY=V,…",
            description =
                    "Values of a label that samples should have, such as endpoint=a,b,c: a value without samples counts as 0"
                            + " in the comparison of the values. Repeatable.")
    private List<String> expected = List.of();

    /** Whether any of these options is given. */
    boolean areGiven() {
        return endpointIdle != null || !expected.isEmpty();
    }

    /**
     * Builds the settings.
     *
     * @param defaults apply where an option is not given
     * @throws IllegalArgumentException if a label is not of the form KEY=V,…, or there are too many
     */
    public TargetSettings build(TargetSettings defaults) {
        return new TargetSettings(
                endpointIdle == null ? defaults.endpointIdleNanos() : endpointIdle.toNanos(),
                expected.isEmpty() ? defaults.expectedLabels() : labels());
    }

    private Map<String, List<String>> labels() {
        Map<String, List<String>> labels = new LinkedHashMap<>();
        for (String each : expected) {
            int equals = each.indexOf('=');
            if (equals < 1 || equals == each.length() - 1) {
                throw new IllegalArgumentException(
                        "--expect-label '" + each + "' is not a key and its values, such as endpoint=a,b,c");
            }
            labels.computeIfAbsent(each.substring(0, equals), key -> new ArrayList<>())
                    .addAll(List.of(each.substring(equals + 1).split(",")));
        }
        return labels;
    }
}
