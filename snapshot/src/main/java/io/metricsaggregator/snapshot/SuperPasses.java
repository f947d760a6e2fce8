package io.metricsaggregator.snapshot;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The steady state of a finished run by super-passes: blocks of as many samples as the dataset has, in order of issue.
 *
 * @param size samples of a super-pass
 * @param notJudged why the super-passes were not judged, in words with a remedy; null if they were
 * @param judgement null if they were not judged
 */
public record SuperPasses(
        long size, @Nullable String notJudged, @Nullable Judgement judgement) {

    /**
     * What the super-passes say. The maps hold strings, numbers, booleans, lists and maps; values are null where nothing was measured.
     *
     * @param status {@code windowable}, {@code insufficient_duration}, {@code insufficient_passes} or {@code partial_dataset}
     * @param verdict {@code STEADY STATE}, {@code drifting_up}, {@code drifting_down}, {@code anomaly} or {@code not found}; up means slower
     * @param compat MLCommons' headline: its size, counts and map {@code steady_state}
     * @param compatLive the map that a newer branch of MLCommons endpoints has in its snapshots
     * @param ours the map {@code steady_state} by stricter rules
     */
    public record Judgement(
            String status,
            String verdict,
            Map<String, @Nullable Object> compat,
            Map<String, @Nullable Object> compatLive,
            Map<String, @Nullable Object> ours) {
        public Judgement {
            compat = Collections.unmodifiableMap(new LinkedHashMap<>(compat));
            compatLive = Collections.unmodifiableMap(new LinkedHashMap<>(compatLive));
            ours = Collections.unmodifiableMap(new LinkedHashMap<>(ours));
        }

        /** Whether MLCommons' rules found a window that is long enough. */
        public boolean isFound() {
            return Boolean.TRUE.equals(compat.get("found"));
        }

        /** Change of a later level against the window's in percent, positive for slower: by MLCommons' rules, else by ours; null without one. */
        public @Nullable Double anomalyPercent() {
            Double theirs = anomalyPercent(compat);
            return theirs == null ? anomalyPercent(ours) : theirs;
        }

        /** The change that a map {@code steady_state} reports as an anomaly; null if it reports none. */
        public static @Nullable Double anomalyPercent(Map<?, ?> steadyState) {
            return steadyState.get("anomaly") instanceof Map<?, ?> anomaly
                            && Boolean.TRUE.equals(anomaly.get("detected"))
                            && anomaly.get("delta_pct") instanceof Number percent
                    ? (Double) percent.doubleValue()
                    : null;
        }
    }
}
