package io.metricsaggregator.steady;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Output tokens per second of a window, per user and of the system, with 95 % intervals over its super-passes.
 *
 * @param perUser 10⁹ / mean TPOT in ns; 0 without TPOT
 * @param system output tokens after the first chunks by the seconds from first to last issue
 */
record TokenRates(double perUser, double perUserLow, double perUserHigh, double system, double systemHalfWidth) {

    static TokenRates of(List<SuperPass> window) {
        double[] tpot = SuperPass.pooled(window, SuperPassValues.TPOT);
        double mean = tpot.length == 0 ? 0 : Descriptive.mean(tpot);
        double[] means = window.stream()
                .filter(each -> each.tpot().length > 0)
                .mapToDouble(each -> Descriptive.mean(each.tpot()))
                .toArray();
        BatchMeans interval = means.length < 2 ? new BatchMeans(mean, 0) : BatchMeans.of(means);
        long tokens = window.stream().mapToLong(SuperPass::outTokens).sum();
        double[] rates = window.stream()
                .filter(each -> each.issueSpanSeconds() > 0)
                .mapToDouble(each -> each.outTokens() / each.issueSpanSeconds())
                .toArray();
        double span = SuperPass.issueSpanSeconds(window);
        return new TokenRates(
                perUser(mean),
                perUser(interval.high()),
                perUser(interval.low()),
                span > 0 ? tokens / span : 0,
                rates.length < 2 ? 0 : BatchMeans.of(rates).halfWidth());
    }

    private static double perUser(double tpotNs) {
        return tpotNs > 0 ? 1e9 / tpotNs : 0;
    }

    /** The map {@code tps} of {@code steady_state.json}. */
    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("per_user", perUser);
        tree.put("per_user_ci", List.of(perUserLow, perUserHigh));
        tree.put("system", system);
        tree.put("system_ci", List.of(system - systemHalfWidth, system + systemHalfWidth));
        return tree;
    }
}
