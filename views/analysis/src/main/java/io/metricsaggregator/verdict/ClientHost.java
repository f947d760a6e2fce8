package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.telemetry.NodeResources;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import java.util.List;
import java.util.Locale;

/**
 * The CPU of the host that the daemon shares with the client. A load generator that waits for a core adds its own delay to the measured latency.
 */
final class ClientHost implements Check {
    /** CPU is scarce if overall utilisation exceeds 80 % for more than this percentage of the time. */
    private static final double BUSY_MAX_PCT = 20;
    /** CPU is scarce if some task waited for it (pressure {@code some}) for more than this percentage of the time. */
    private static final double WAITED_MAX_PCT = 25;
    /** CPU is scarce if the control group was throttled for more than this percentage of the time. */
    private static final double THROTTLED_MAX_PCT = 5;

    @Override
    public String name() {
        return "the client's host";
    }

    @Override
    public String effect() {
        return "with `--host`, for the daemon's host, which is the client's for a sidecar: CPUs above 80 % for more than "
                + Check.number(BUSY_MAX_PCT) + " % of the time, tasks waiting for a CPU for more than "
                + Check.number(WAITED_MAX_PCT) + " %, or throttled by a control group for more than "
                + Check.number(THROTTLED_MAX_PCT)
                + " %: questionable, and limited by the client unless its schedule was kept";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        if (snapshot.extensions().isNone()) {
            return List.of();
        }
        String name = snapshot.extensions().run().environment().get("host");
        if (name == null) {
            return List.of();
        }
        ResourceSnapshot resource = snapshot.extensions().telemetry().resource();
        NodeResources node = resource == null ? null : resource.nodes().get(name);
        Double busy = node == null ? null : node.cpu().over80Percent();
        if (node == null || busy == null) {
            return List.of();
        }
        double waited = Tree.real(node.gaugeMean("pressure_cpu_some_pct"));
        double throttled = Tree.real(node.gaugeMean("cgroup_throttled_pct"));
        StringBuilder evidence = new StringBuilder(String.format(
                Locale.ROOT,
                "CPU utilisation was %s %% on average and above 80 %% for %.1f %% of the time",
                Tree.number(node.cpu().averagePercent(), "%.1f"),
                busy));
        int core = node.busiestCore();
        if (core >= 0) {
            evidence.append(String.format(
                    Locale.ROOT,
                    "; the busiest, CPU %d, averaged %.1f %%",
                    core,
                    Tree.real(node.cores().get(core).averagePercent())));
        }
        if (!Double.isNaN(waited)) {
            evidence.append(String.format(Locale.ROOT, "; tasks waited for CPU %.1f %% of the time", waited));
        }
        if (throttled > 0) {
            evidence.append(
                    String.format(Locale.ROOT, "; the control group was throttled %.1f %% of the time", throttled));
        }
        // NaN stands for an unmeasured value, and every comparison with it is false.
        boolean scarce = busy > BUSY_MAX_PCT || waited > WAITED_MAX_PCT || throttled > THROTTLED_MAX_PCT;
        Finding finding =
                new Finding(scarce ? Finding.Weight.REMARK : Finding.Weight.GOOD, name(), evidence.toString());
        // A schedule is direct evidence of a late client; the CPU of its host is indirect.
        return List.of(ClientSchedule.isKept(snapshot) ? finding : finding.limitedBy(Finding.Limit.CLIENT));
    }
}
