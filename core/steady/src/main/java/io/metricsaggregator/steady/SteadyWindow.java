package io.metricsaggregator.steady;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The steady window of a run by super-passes: the first plateau that lasts long enough, else the longest one, which is then not certified.
 *
 * @param blocks super-passes after the warm-up
 * @param plateaus all plateaus, as ranges of {@code blocks}
 * @param selected index of the reported plateau; -1 if there is none
 * @param duration required and actual duration of the reported plateau; null if there is none
 * @param shift change of level after the reported plateau
 */
record SteadyWindow(
        List<SuperPass> blocks,
        List<Span> plateaus,
        int selected,
        @Nullable MinimumDuration duration,
        LevelShift shift) {

    /**
     * @param floorSeconds shortest duration that is certified, 600 for MLCommons
     */
    static SteadyWindow of(Admissibility rule, List<SuperPass> blocks, double floorSeconds) {
        List<Span> plateaus = Plateaus.find(
                rule,
                SuperPassMetric.GATED.stream()
                        .map(each -> each.perBlock(blocks))
                        .toList());
        List<MinimumDuration> durations = plateaus.stream()
                .map(each -> MinimumDuration.of(blocks.subList(each.from(), each.to()), floorSeconds))
                .toList();
        int selected = -1;
        for (int i = 0; i < durations.size() && selected < 0; i++) {
            selected = durations.get(i).isShort() ? -1 : i;
        }
        if (selected < 0 && !durations.isEmpty()) {
            selected = durations.indexOf(durations.stream()
                    .max(Comparator.comparingDouble(MinimumDuration::spanSeconds)
                            .thenComparing(
                                    Comparator.comparingInt(durations::indexOf).reversed()))
                    .orElseThrow());
        }
        return new SteadyWindow(
                blocks,
                plateaus,
                selected,
                selected < 0 ? null : durations.get(selected),
                LevelShift.of(blocks, plateaus, Math.max(0, selected)));
    }

    /** Whether the window is long enough to be certified. */
    boolean isFound() {
        return duration != null && !duration.isShort();
    }

    /** The super-passes of the reported plateau; empty if there is none. */
    List<SuperPass> window() {
        return selected < 0
                ? List.of()
                : blocks.subList(
                        plateaus.get(selected).from(), plateaus.get(selected).to());
    }

    /** Why no window is certified; null if one is. Parsed by tools of MLCommons, so the words are theirs. */
    @Nullable
    String reason() {
        if (duration == null) {
            return "no admissible steady plateau";
        }
        return duration.isShort()
                ? "all " + plateaus.size() + " admissible plateau(s) too short: longest "
                        + whole(duration.spanSeconds())
                        + "s < " + whole(duration.requiredSeconds()) + "s required (" + duration.dominant()
                        + "-dominated); pass --no-min-duration to override"
                : null;
    }

    private static String whole(double seconds) {
        return new BigDecimal(seconds).setScale(0, RoundingMode.HALF_EVEN).toPlainString();
    }

    /** The trends of the watched metrics from the window to the end of the run. */
    Map<String, TrendVerdict> trends() {
        List<SuperPass> rest =
                blocks.subList(selected < 0 ? 0 : plateaus.get(selected).from(), blocks.size());
        Map<String, TrendVerdict> trends = new LinkedHashMap<>();
        for (SuperPassMetric each : SuperPassMetric.WATCHED) {
            trends.put(each.wire(), TrendTest.MK_HAMED_RAO.verdict(each.trajectory(rest)));
        }
        return trends;
    }

    /** The map {@code steady_state} of {@code steady_state.json}. */
    Map<String, @Nullable Object> tree() {
        List<SuperPass> window = window();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("found", isFound());
        tree.put("reason", reason());
        tree.put("window", selected < 0 ? null : windowTree(window));
        tree.put("ttft", DistributionTree.of(SuperPass.pooled(window, SuperPassValues.TTFT)));
        tree.put("tpot", DistributionTree.of(SuperPass.pooled(window, SuperPassValues.TPOT)));
        tree.put("tps", selected < 0 ? null : TokenRates.of(window).tree());
        tree.put("anomaly", shift.tree(plateaus));
        tree.put("short_window", duration == null ? null : duration.tree());
        Map<String, TrendVerdict> trends = trends();
        Map<String, Object> verdicts = new LinkedHashMap<>();
        List<Object> drifting = new ArrayList<>();
        trends.forEach((metric, trend) -> {
            verdicts.put(metric, trend.wire());
            if (trend == TrendVerdict.UP) {
                drifting.add(metric);
            }
        });
        tree.put("global_trend", verdicts);
        tree.put("drifting_up", drifting);
        return tree;
    }

    private Map<String, Object> windowTree(List<SuperPass> window) {
        Span span = plateaus.get(selected);
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("sp_lo", span.from());
        tree.put("sp_hi", span.to());
        tree.put("n_super_passes", span.length());
        tree.put(
                "n_samples",
                window.stream().mapToInt(each -> each.ttft().length).sum());
        tree.put("plateau_index", selected);
        tree.put("n_plateaus", plateaus.size());
        tree.put("skipped_short", skippedShort());
        return tree;
    }

    /** Plateaus before the reported one that are too short. */
    private int skippedShort() {
        int skipped = 0;
        for (Span each : plateaus.subList(0, selected)) {
            double floor = duration == null ? 0 : duration.floorSeconds();
            skipped += MinimumDuration.of(blocks.subList(each.from(), each.to()), floor)
                            .isShort()
                    ? 1
                    : 0;
        }
        return skipped;
    }
}
