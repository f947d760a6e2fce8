package io.metricsaggregator.steady;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A later plateau whose mean TPOT differs by more than 5 % from the reported one, confirmed by a change point of the blocks' means.
 *
 * @param percent change of the mean TPOT in percent, positive for slower; 0 if no shift was detected
 * @param detected whether there is such a plateau
 * @param change the change point over all blocks; null if there is no later plateau to compare
 */
record LevelShift(
        double percent, boolean detected, @Nullable ChangePoint change) {
    private static final double SHIFT_MIN = 0.05;

    /**
     * @param reported index of the reported plateau
     */
    static LevelShift of(List<SuperPass> blocks, List<Span> plateaus, int reported) {
        if (plateaus.size() <= reported + 1) {
            return new LevelShift(0, false, null);
        }
        double level = mean(blocks, plateaus.get(reported));
        if (!(level > 0)) {
            return new LevelShift(0, false, null);
        }
        ChangePoint change = ChangePoint.of(blocks.stream()
                .mapToDouble(each -> each.tpot().length == 0 ? 0 : Descriptive.mean(each.tpot()))
                .toArray());
        for (Span each : plateaus.subList(reported + 1, plateaus.size())) {
            double relative = (mean(blocks, each) - level) / level;
            if (Math.abs(relative) > SHIFT_MIN && change.isSignificant()) {
                return new LevelShift(100 * relative, true, change);
            }
        }
        return new LevelShift(0, false, change);
    }

    private static double mean(List<SuperPass> blocks, Span span) {
        return Descriptive.mean(SuperPass.pooled(blocks.subList(span.from(), span.to()), SuperPassValues.TPOT));
    }

    /** The map {@code anomaly} of {@code steady_state.json}. */
    Map<String, @Nullable Object> tree(List<Span> plateaus) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("detected", detected);
        tree.put("change_point_sp", detected && change != null ? change.position() : null);
        tree.put("delta_pct", percent);
        Map<String, Object> pettitt = new LinkedHashMap<>();
        if (change != null) {
            pettitt.put("change_point", change.position());
            pettitt.put("k_stat", change.k());
            pettitt.put("pvalue", change.p());
            pettitt.put("significant", change.isSignificant());
        }
        tree.put("pettitt", change == null ? null : pettitt);
        tree.put(
                "plateaus",
                plateaus.stream().map(each -> List.of(each.from(), each.to())).toList());
        return tree;
    }
}
