package io.metricsaggregator.config;

import io.metricsaggregator.fold.series.FoldOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The endpoints under test: when one counts as stalled, and which are expected.
 *
 * @param endpointIdleNanos time without an answer, with samples in flight, from which an endpoint counts as stalled; {@link FoldOptions#AUTO_IDLE}
 *     follows from the run, 0 looks for no stalls
 * @param expectedLabels values of label keys that have a row though no sample may have them: at most {@value #KEYS_MAX} keys of
 *     {@value #VALUES_MAX} values each
 */
public record TargetSettings(long endpointIdleNanos, Map<String, List<String>> expectedLabels) {
    /** Stalls by a limit that follows from the run, and no expected labels. */
    public static final TargetSettings DEFAULT = new TargetSettings(FoldOptions.AUTO_IDLE, Map.of());
    /** Keys that can be expected. */
    public static final int KEYS_MAX = 8;
    /** Values of a key that can be expected. */
    public static final int VALUES_MAX = 32;

    private static final String IDLE = "endpoint_idle_ns";
    private static final String LABEL = "expect_label ";

    public TargetSettings {
        RunConfig.require(endpointIdleNanos >= FoldOptions.AUTO_IDLE, "--endpoint-idle is negative");
        RunConfig.require(expectedLabels.size() <= KEYS_MAX, "--expect-label names more than " + KEYS_MAX + " labels");
        Map<String, List<String>> copy = new TreeMap<>();
        expectedLabels.forEach((key, values) -> {
            RunConfig.require(
                    values.size() <= VALUES_MAX, "--expect-label " + key + " has more than " + VALUES_MAX + " values");
            RunConfig.require(
                    !key.isEmpty() && values.stream().noneMatch(String::isEmpty),
                    "--expect-label " + key + " has no key or no value");
            List<String> texts = new ArrayList<>(values);
            texts.add(key);
            RunConfig.require(
                    texts.stream().allMatch(each -> each.chars().noneMatch(Character::isISOControl)),
                    "--expect-label holds a control character");
            copy.put(key, values.stream().distinct().toList());
        });
        expectedLabels = copy;
    }

    /** Adds what differs from the defaults to named settings. */
    void encode(Map<String, String> into) {
        if (endpointIdleNanos != FoldOptions.AUTO_IDLE) {
            into.put(IDLE, Long.toString(endpointIdleNanos));
        }
        expectedLabels.forEach((key, values) -> into.put(LABEL + key, String.join(",", values)));
    }

    /** Decodes named settings; all of them are the defaults if one is out of range. */
    static TargetSettings decode(Map<String, String> settings) {
        Map<String, List<String>> expected = new LinkedHashMap<>();
        settings.forEach((name, value) -> {
            if (name.startsWith(LABEL)) {
                expected.put(name.substring(LABEL.length()), List.of(value.split(",")));
            }
        });
        try {
            String idle = settings.get(IDLE);
            return new TargetSettings(idle == null ? FoldOptions.AUTO_IDLE : Long.parseLong(idle), expected);
        } catch (IllegalArgumentException e) {
            return DEFAULT;
        }
    }
}
