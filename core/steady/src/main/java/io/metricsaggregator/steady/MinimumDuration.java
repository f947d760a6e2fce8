package io.metricsaggregator.steady;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How long a steady window must last to be certified: the longest of the time for ±5 % precision of the mean, five times the p90 latency, and a floor.
 *
 * @param spanSeconds first to last issue of the window
 * @param requiredSeconds the required duration
 * @param dominant the term that determines it: {@code precision}, {@code relaxation} or {@code floor}
 * @param precisionSeconds batches × tau; 0 while four batches are enough
 * @param relaxationSeconds five times the p90 latency
 * @param floorSeconds the configured floor
 * @param batches blocks needed for the precision, at least 4
 * @param cov coefficient of variation of the blocks' median TPOT
 * @param tauSeconds median issue span of a block
 * @param latencySeconds p90 latency over the window
 */
record MinimumDuration(
        double spanSeconds,
        double requiredSeconds,
        String dominant,
        double precisionSeconds,
        double relaxationSeconds,
        double floorSeconds,
        int batches,
        double cov,
        double tauSeconds,
        double latencySeconds) {
    private static final double Z_95 = 1.96;
    private static final double PRECISION = 0.05;
    private static final double RELAXATION_TIMES = 5;

    static MinimumDuration of(List<SuperPass> window, double floorSeconds) {
        double cov = Descriptive.cov(SuperPassMetric.TPOT_P50.trajectory(window));
        double[] spans = window.stream()
                .mapToDouble(SuperPass::issueSpanSeconds)
                .filter(each -> each > 0)
                .toArray();
        double tau = spans.length == 0 ? 0 : Descriptive.median(spans);
        double[] latencies = SuperPass.pooled(window, SuperPassValues.LATENCY);
        double latency = latencies.length == 0 ? 0 : Descriptive.percentile(latencies, 0.9) / 1e9;
        int batches = batches(cov);
        double precision = batches > Admissibility.BLOCKS_MIN ? batches * tau : 0;
        double relaxation = RELAXATION_TIMES * latency;
        double required = Math.max(floorSeconds, Math.max(precision, relaxation));
        String dominant = required == precision ? "precision" : required == relaxation ? "relaxation" : "floor";
        return new MinimumDuration(
                SuperPass.issueSpanSeconds(window),
                required,
                dominant,
                precision,
                relaxation,
                floorSeconds,
                batches,
                cov,
                tau,
                latency);
    }

    /** Blocks needed so that the mean of a series with this coefficient of variation is known to ±5 %; at least 4. */
    static int batches(double cov) {
        return Math.max((int) Math.ceil(Math.pow(Z_95 * cov / PRECISION, 2)), Admissibility.BLOCKS_MIN);
    }

    boolean isShort() {
        return spanSeconds < requiredSeconds;
    }

    /** The map {@code short_window} of {@code steady_state.json}. */
    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("is_short", isShort());
        tree.put("window_duration_s", spanSeconds);
        tree.put("min_duration_s", requiredSeconds);
        tree.put("dominant", dominant);
        tree.put("t_precision_s", precisionSeconds);
        tree.put("t_relaxation_s", relaxationSeconds);
        tree.put("t_floor_s", floorSeconds);
        tree.put("kstar", batches);
        tree.put("cov_b", cov);
        tree.put("tau_sp_s", tauSeconds);
        tree.put("l_p90_s", latencySeconds);
        return tree;
    }
}
