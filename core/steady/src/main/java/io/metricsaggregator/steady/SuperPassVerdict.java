package io.metricsaggregator.steady;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the diagnostics of a run's super-passes say: in the terms of MLCommons' submission rules, and as the map that a newer branch of MLCommons endpoints
 * has in its snapshots.
 *
 * <p>Sources: endpoints_rules.md §4.4 of MLCommons' endpoints_policies; {@code compute_steady_state_metrics} of MLCommons endpoints.
 */
public final class SuperPassVerdict {
    /** Fewest super-passes of a steady window. */
    private static final int PASSES_MIN = Admissibility.BLOCKS_MIN;

    private final SuperPassDiagnostics diagnostics;
    private final SteadyWindow steady;

    /**
     * Finds the window, which takes most of the time.
     *
     * @param diagnostics the super-passes and the rules
     */
    public SuperPassVerdict(SuperPassDiagnostics diagnostics) {
        this.diagnostics = diagnostics;
        this.steady = diagnostics.window();
    }

    /** Whether a window of enough length was found. */
    public boolean isFound() {
        return steady.isFound();
    }

    /** The super-passes of the reported window, certified or not; empty if there is none. */
    public List<SuperPass> window() {
        return steady.window();
    }

    /** Index of the window's first super-pass, counted from the first of the run; 0 without a window. */
    public int windowFrom() {
        SteadyWindow window = steady;
        return window.selected() < 0
                ? 0
                : diagnostics.warmup()
                        + window.plateaus().get(window.selected()).from();
    }

    /**
     * What a run covers: {@code windowable}; {@code partial_dataset} below one whole super-pass; {@code insufficient_passes} below four after the
     * warm-up; {@code insufficient_duration} if these, or every plateau among them, were issued in less time than a window needs.
     */
    public String status() {
        List<SuperPass> blocks = diagnostics.blocks();
        if (diagnostics.all().stream().mapToLong(SuperPass::issued).sum() < diagnostics.size()) {
            return "partial_dataset";
        }
        if (blocks.size() < PASSES_MIN) {
            return "insufficient_passes";
        }
        MinimumDuration duration = steady.duration();
        boolean isShort =
                duration == null ? SuperPass.issueSpanSeconds(blocks) < diagnostics.floorSeconds() : duration.isShort();
        return isShort ? "insufficient_duration" : "windowable";
    }

    /**
     * The shape of the run: {@code anomaly}, {@code STEADY STATE}, {@code drifting_up}, {@code drifting_down} or {@code not found}. Drifting: a
     * gated metric changes significantly and by 5 % or more, from the window, or from the warm-up if there is none, to the end of the run.
     */
    public String verdict() {
        SteadyWindow window = steady;
        if (window.shift().detected()) {
            return "anomaly";
        }
        List<SuperPass> rest = window.blocks()
                .subList(
                        window.selected() < 0
                                ? 0
                                : window.plateaus().get(window.selected()).from(),
                        window.blocks().size());
        double drift = SuperPassMetric.GATED.stream()
                .map(each -> each.trajectory(rest))
                .filter(values -> values.length >= PASSES_MIN && Admissibility.MLCOMMONS.drifts(values))
                .mapToDouble(LinearFit::relativeDrift)
                .findFirst()
                .orElse(0);
        if (drift != 0) {
            return drift > 0 ? "drifting_up" : "drifting_down";
        }
        return window.isFound() ? "STEADY STATE" : "not found";
    }

    /** The keys of {@code steady_state} in {@code result_summary.json}. */
    public Map<String, @Nullable Object> headline() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("superpass_size", diagnostics.size());
        tree.put("n_super_passes", diagnostics.all().size());
        tree.put("n_post_warmup", diagnostics.blocks().size());
        tree.putAll(steady.tree());
        return tree;
    }

    /** The map {@code steady_state} of a snapshot, as the newer branch writes it. */
    public Map<String, @Nullable Object> newerTree() {
        SteadyWindow window = steady;
        List<SuperPass> passes = window.window();
        Map<String, @Nullable Object> older = window.tree();
        List<String> drifting = passes.isEmpty() ? driftingGated(window.blocks()) : null;
        boolean scatters = drifting != null && drifting.isEmpty();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("found", window.isFound());
        tree.put(
                "reason", passes.isEmpty() ? newerReason(window.blocks(), drifting) : shortReason(older.get("reason")));
        tree.put("superpass_size", diagnostics.size());
        tree.put("n_super_passes", diagnostics.all().size());
        tree.put("warmup", diagnostics.warmup());
        tree.put("window", newerWindow(older.get("window"), passes));
        tree.put("ttft", older.get("ttft"));
        tree.put("tpot", older.get("tpot"));
        tree.put("osl", DistributionTree.of(SuperPass.pooled(passes, SuperPassValues.LENGTHS)));
        tree.put("latency", DistributionTree.of(SuperPass.pooled(passes, SuperPassValues.LATENCY)));
        tree.put("tps", older.get("tps"));
        tree.put("cov", passes.isEmpty() ? scatters ? cov(window.blocks()) : Map.of() : cov(passes));
        tree.put("cov_basis", scatters ? basis(window.blocks().size()) : null);
        for (String same : List.of("anomaly", "short_window", "global_trend", "drifting_up")) {
            tree.put(same, older.get(same));
        }
        return tree;
    }

    /** The gated metrics that drift over all blocks; null if that cannot be tested. */
    private static @Nullable List<String> driftingGated(List<SuperPass> blocks) {
        for (SuperPassMetric each : SuperPassMetric.GATED) {
            double[] values = each.perBlock(blocks);
            if (values.length < PASSES_MIN || Arrays.stream(values).anyMatch(Double::isNaN)) {
                return null;
            }
        }
        return SuperPassMetric.GATED.stream()
                .filter(each -> Admissibility.MLCOMMONS.drifts(each.perBlock(blocks)))
                .map(SuperPassMetric::wire)
                .toList();
    }

    private static String newerReason(List<SuperPass> blocks, @Nullable List<String> drifting) {
        String reason = "no admissible steady plateau";
        if (drifting == null) {
            return reason;
        }
        return drifting.isEmpty()
                ? reason + ": the run is trend-steady across all " + blocks.size()
                        + " super-passes, but its CoV exceeds " + Admissibility.COV_MAX
                : reason + ": " + String.join(", ", drifting) + " trends across the run";
    }

    private static @Nullable String shortReason(@Nullable Object older) {
        return older == null ? null : older.toString().replace("; pass --no-min-duration to override", "");
    }

    private static @Nullable Map<String, @Nullable Object> newerWindow(@Nullable Object older, List<SuperPass> passes) {
        if (passes.isEmpty()) {
            return null;
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        ((Map<?, ?>) Objects.requireNonNull(older)).forEach((name, value) -> {
            tree.put(String.valueOf(name), value);
            if ("n_samples".equals(name)) {
                tree.put("start_ns", passes.get(0).firstIssueNs());
                tree.put("end_ns", passes.get(passes.size() - 1).lastIssueNs());
            }
        });
        return tree;
    }

    private static Map<String, Object> basis(int blocks) {
        Map<String, Object> basis = new LinkedHashMap<>();
        basis.put("sp_lo", 0);
        basis.put("sp_hi", blocks);
        basis.put("n_super_passes", blocks);
        return basis;
    }

    private static Map<String, Object> cov(List<SuperPass> blocks) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (SuperPassMetric each : SuperPassMetric.values()) {
            tree.put(each.wire(), SuperPassDiagnostics.cov(each, each.trajectory(blocks)));
        }
        return tree;
    }
}
