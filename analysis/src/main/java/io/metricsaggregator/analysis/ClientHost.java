package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the host that the daemon runs on, beside the client, had CPU to spare: a load generator that waits for a core is measured
 * with the server.
 *
 * @param scarce whether it had too little
 * @param evidence what was seen
 */
public record ClientHost(boolean scarce, String evidence) {
    /** CPUs that are busier than 80 % together for more than this share of the time, in percent, are scarce. */
    private static final double BUSY_MAX_PCT = 20;
    /** So they are if some task waited for one for more than this share of the time: a machine that is in use shows some of it. */
    private static final double WAITED_MAX_PCT = 25;
    /** Or if the control group was stopped for its limit for more than this share of the time. */
    private static final double THROTTLED_MAX_PCT = 5;

    /** Null if nobody looked at it: {@code --host} does. */
    public static @Nullable ClientHost of(MetricsSnapshot snapshot) {
        if (snapshot.extensions() == null) {
            return null;
        }
        String name = snapshot.extensions().run().environment().get("host");
        if (name == null) {
            return null;
        }
        Map<?, ?> node =
                Tree.map(Tree.map(Tree.of(snapshot, "resource").get("by_node")).get(name));
        double busy = Tree.real(node.get("cpu_over80_pct"));
        if (Double.isNaN(busy)) {
            return null;
        }
        double waited = mean(node, "pressure_cpu_some_pct");
        double throttled = mean(node, "cgroup_throttled_pct");
        StringBuilder evidence = new StringBuilder(String.format(
                Locale.ROOT,
                "its CPUs were busy for %s %% on average, above 80 %% for %.1f %% of the time",
                Tree.number(node.get("cpu_avg_pct"), "%.1f"),
                busy));
        int core = busiestCore(node);
        if (core >= 0) {
            evidence.append(String.format(
                    Locale.ROOT,
                    ", CPU %d for %.1f %%",
                    core,
                    Tree.real(Tree.list(node.get("core_avg_pct")).get(core))));
        }
        if (!Double.isNaN(waited)) {
            evidence.append(String.format(Locale.ROOT, "; tasks waited for one %.1f %% of the time", waited));
        }
        if (throttled > 0) {
            evidence.append(String.format(Locale.ROOT, "; its limit stopped it for %.1f %%", throttled));
        }
        // A comparison with what was not measured is false.
        return new ClientHost(
                busy > BUSY_MAX_PCT || waited > WAITED_MAX_PCT || throttled > THROTTLED_MAX_PCT, evidence.toString());
    }

    private static double mean(Map<?, ?> node, String gauge) {
        return Tree.real(Tree.map(node.get(gauge)).get("mean"));
    }

    /** The CPU of a node that is busiest on average; -1 if its CPUs were not told apart. */
    public static int busiestCore(Map<?, ?> node) {
        List<?> means = Tree.list(node.get("core_avg_pct"));
        int busiest = -1;
        for (int i = 0; i < means.size(); i++) {
            if (busiest < 0
                    ? means.get(i) instanceof Number
                    : Tree.real(means.get(i)) > Tree.real(means.get(busiest))) {
                busiest = i;
            }
        }
        return busiest;
    }

    public Finding finding() {
        return new Finding(scarce ? Finding.Weight.REMARK : Finding.Weight.GOOD, "the client's host", evidence);
    }
}
