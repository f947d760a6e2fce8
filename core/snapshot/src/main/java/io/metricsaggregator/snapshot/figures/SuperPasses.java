package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.fields.FixedMap;
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
    private static final SuperPasses BLANK = new SuperPasses(0, null, null);

    /** The fields among those of the steady state. */
    static @Nullable SuperPasses group(Fields f, @Nullable SuperPasses v) throws MalformedMessageException {
        return f.group(v != null, "superpass_size") ? pass(f, v == null ? BLANK : v) : null;
    }

    /** The fields; see {@link Fields.Shape}. */
    public static SuperPasses pass(Fields f, SuperPasses v) throws MalformedMessageException {
        long size = f.count("superpass_size", v.size());
        return f.group(v.judgement() != null, "compat")
                ? new SuperPasses(
                        size, null, Judgement.pass(f, v.judgement() == null ? Judgement.BLANK : v.judgement()))
                : new SuperPasses(size, f.text("not_judged", v.notJudged() == null ? "" : v.notJudged()), null);
    }

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
        private static final Judgement BLANK = new Judgement("", "", Map.of(), Map.of(), Map.of());

        public Judgement {
            compat = FixedMap.copyOf(compat);
            compatLive = FixedMap.copyOf(compatLive);
            ours = FixedMap.copyOf(ours);
        }

        private static Judgement pass(Fields f, Judgement v) throws MalformedMessageException {
            String status = f.text("status", v.status());
            String verdict = f.text("verdict", v.verdict());
            f.derived("anomaly_pct", v.anomalyPercent());
            return new Judgement(
                    status,
                    verdict,
                    f.anything("compat", v.compat()),
                    f.anything("compat_live", v.compatLive()),
                    f.anything("ours", v.ours()));
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
