package io.metricsaggregator.steady;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The steady-state diagnostics of MLCommons endpoints over the super-passes of a run, and the same verdict by stricter rules.
 *
 * <p>Source: {@code steady_state_diagnostics.py} of MLCommons endpoints, commit 5606359, profile {@code concurrency}.
 *
 * @param all super-passes in order of issue, the last possibly partial
 * @param size samples of a super-pass
 * @param warmupBlocks super-passes to leave out at the start; -1 to find them
 * @param floorSeconds shortest steady window that is certified, 600 for MLCommons
 */
public record SuperPassDiagnostics(List<SuperPass> all, long size, int warmupBlocks, double floorSeconds) {
    /** {@code warmupBlocks}: found from the data. */
    public static final int AUTO = -1;

    private static final int[] WINDOWS = {4, 6, 8};
    private static final double[] COV_BOUNDS = {0.03, 0.05, 0.08};

    /** Blocks left out at the start by the rules of MLCommons. */
    int warmup() {
        return warmupBlocks == AUTO ? Plateaus.warmup(SuperPassMetric.TPOT_P50.trajectory(all)) : warmupBlocks;
    }

    /** The blocks after the warm-up by the rules of MLCommons. */
    List<SuperPass> blocks() {
        return after(warmup());
    }

    /** The steady window by the rules of MLCommons. */
    SteadyWindow window() {
        return SteadyWindow.of(Admissibility.MLCOMMONS, blocks(), floorSeconds);
    }

    /** The content of {@code steady_state.json}: maps, lists, numbers, strings, null. */
    public Map<String, @Nullable Object> tree() {
        int warmup = warmup();
        List<SuperPass> blocks = blocks();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n_super_passes", all.size());
        tree.put("superpass_size", size);
        tree.put("warmup", warmup);
        tree.put("warmup_mode", warmupBlocks == AUTO ? "auto" : "fixed");
        tree.put("n_post_warmup", blocks.size());
        tree.put(
                "metrics",
                Arrays.stream(SuperPassMetric.values())
                        .map(SuperPassMetric::wire)
                        .toList());
        tree.put(
                "gated_metrics",
                SuperPassMetric.GATED.stream().map(SuperPassMetric::wire).toList());
        Map<SuperPassMetric, double[]> trajectories = new LinkedHashMap<>();
        Map<String, Object> shown = new LinkedHashMap<>();
        for (SuperPassMetric each : SuperPassMetric.values()) {
            trajectories.put(each, each.trajectory(blocks));
            shown.put(
                    each.wire(), Arrays.stream(each.trajectory(blocks)).boxed().toList());
        }
        tree.put("trajectories", shown);
        Map<String, Object> cov = new LinkedHashMap<>();
        Map<String, Object> drift = new LinkedHashMap<>();
        for (int window : WINDOWS) {
            Map<String, Object> covs = new LinkedHashMap<>();
            Map<String, Object> drifts = new LinkedHashMap<>();
            trajectories.forEach((metric, values) -> {
                covs.put(metric.wire(), cov(metric, values, window));
                drifts.put(metric.wire(), drift(values, window));
            });
            cov.put(Integer.toString(window), covs);
            drift.put(Integer.toString(window), drifts);
        }
        tree.put("cov", cov);
        tree.put("drift", drift);
        tree.put("steady_state", window().tree());
        tree.put("per_super_pass", perSuperPass(blocks));
        return tree;
    }

    /**
     * The map {@code steady_state} by stricter rules: a held level that was left is not taken for warm-up, and with fewer than eight super-passes any
     * drift of 5 % breaks a plateau. Indexes count from {@code warmup}, which the map also holds, with {@code warmup_held_plateau}.
     */
    public Map<String, @Nullable Object> strictTree() {
        double[] driver = SuperPassMetric.TPOT_P50.trajectory(all);
        int found = Plateaus.warmupKeepingPlateaus(driver);
        int warmup = warmupBlocks == AUTO ? found : warmupBlocks;
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("warmup", warmup);
        tree.put("warmup_held_plateau", warmupBlocks == AUTO && found < Plateaus.warmup(driver));
        tree.putAll(SteadyWindow.of(Admissibility.STRICT, after(warmup), floorSeconds)
                .tree());
        return tree;
    }

    private List<SuperPass> after(int warmup) {
        return all.subList(Math.min(warmup, all.size()), all.size());
    }

    private static Map<String, @Nullable Object> cov(SuperPassMetric metric, double[] values, int window) {
        return cov(metric, Descriptive.slice(values, Math.max(0, values.length - window), values.length));
    }

    /** The coefficient of variation of a metric's trajectory, and whether it is within each bound; null with fewer than two values. */
    static Map<String, @Nullable Object> cov(SuperPassMetric metric, double[] trailing) {
        @Nullable Double cov = trailing.length < 2 ? null : (Double) Descriptive.cov(trailing);
        Map<String, @Nullable Object> passes = new LinkedHashMap<>();
        for (double bound : COV_BOUNDS) {
            passes.put(Double.toString(bound), cov == null ? null : (Boolean) (cov <= bound));
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("gated", SuperPassMetric.GATED.contains(metric));
        tree.put("n", trailing.length);
        tree.put("cov", cov);
        tree.put("passes", passes);
        return tree;
    }

    private static Map<String, Object> drift(double[] values, int window) {
        List<Map<String, Object>> rolling = new ArrayList<>();
        for (int from = 0; from + window <= values.length; from++) {
            Map<String, Object> cell = new LinkedHashMap<>();
            cell.put("window", List.of(from, from + window));
            cell.put("verdicts", verdicts(Descriptive.slice(values, from, from + window)));
            rolling.add(cell);
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("whole_run", verdicts(values));
        tree.put("rolling", rolling);
        return tree;
    }

    private static Map<String, Object> verdicts(double[] values) {
        Map<String, Object> verdicts = new LinkedHashMap<>();
        for (TrendTest each : TrendTest.values()) {
            verdicts.put(each.wire(), each.verdict(values).wire());
        }
        return verdicts;
    }

    private static List<Map<String, @Nullable Object>> perSuperPass(List<SuperPass> blocks) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (SuperPass each : blocks) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("i", rows.size());
            row.put("n_issued", each.issued());
            row.put("out_tokens", each.outTokens());
            row.put("first_issue_ns", each.firstIssueNs());
            row.put("last_issue_ns", each.lastIssueNs());
            row.put("last_event_ns", each.lastEventNs());
            for (SuperPassMetric metric : SuperPassMetric.WATCHED) {
                double value = metric.of(each);
                row.put(metric.wire(), Double.isNaN(value) ? null : (Double) value);
            }
            rows.add(row);
        }
        return rows;
    }
}
