package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks that every scrape target answered and every expected node reported; a silent one is a remark, never a pass. */
final class TelemetryCoverage {
    private TelemetryCoverage() {}

    /** The finding; null if the run has neither scrape targets nor resource telemetry. */
    static @Nullable Finding of(MetricsSnapshot snapshot) {
        List<?> targets = Tree.list(Tree.of(snapshot, "scrape").get("targets"));
        Map<?, ?> resource = Tree.of(snapshot, "resource");
        if (targets.isEmpty() && resource.isEmpty()) {
            return null;
        }
        List<String> missing = new ArrayList<>();
        long failures = 0;
        for (Object each : targets) {
            Map<?, ?> target = Tree.map(each);
            String name = Tree.text(target.get("instance"), 64);
            if (!Boolean.TRUE.equals(target.get("ever_reached"))) {
                missing.add(name + " never answered");
            } else if (!Boolean.TRUE.equals(target.get("reachable"))) {
                missing.add(name + " stopped answering");
            } else if (target.get("n_failed") instanceof Long failed) {
                failures += failed;
            }
        }
        Tree.list(resource.get("nodes_missing"))
                .forEach(node -> missing.add("node " + Tree.text(node, 64) + " never reported"));
        if (failures > 0) {
            missing.add(String.format(Locale.ROOT, "%,d other scrapes failed", failures));
        }
        long dropped = snapshot.counter(CounterName.COLLECTED_RECORDS_DROPPED);
        if (dropped > 0) {
            missing.add(String.format(
                    Locale.ROOT,
                    "%,d records of the daemon's own collectors were dropped: their queue was full",
                    dropped));
        }
        return missing.isEmpty()
                ? new Finding(Finding.Weight.GOOD, "telemetry", "all targets answered and all nodes reported")
                : new Finding(
                        Finding.Weight.REMARK,
                        "telemetry",
                        String.join("; ", missing.subList(0, Math.min(8, missing.size())))
                                + (missing.size() > 8 ? " and " + (missing.size() - 8) + " more" : ""));
    }
}
