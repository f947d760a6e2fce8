package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.TargetNames;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks that every scrape target answered and every expected node reported; a silent one is a remark, never a pass. */
final class TelemetryCoverage implements Check {
    @Override
    public String name() {
        return "telemetry";
    }

    @Override
    public String effect() {
        return "an expected target or node never reported or stopped reporting, a scrape failed after the session had begun, or records of the"
                + " daemon's own collectors were dropped: questionable. Failures before the session are only named";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        ScrapeSnapshot scrape = extensions.telemetry().scrape();
        ResourceSnapshot resource = extensions.telemetry().resource();
        List<ScrapeSnapshot.Target> targets = scrape == null ? List.of() : scrape.targets();
        if (targets.isEmpty() && resource == null) {
            return List.of();
        }
        List<String> missing = new ArrayList<>();
        long failures = 0;
        long early = 0;
        TargetNames names = TargetNames.of(targets);
        for (ScrapeSnapshot.Target target : targets) {
            String name = names.name(target.job(), target.instance(), 64);
            early += target.failedBeforeSession();
            if (!target.everReached()) {
                missing.add(name + " never answered");
            } else if (!target.reachable()) {
                missing.add(name + " stopped answering");
            } else {
                failures += target.failed() - target.failedBeforeSession();
            }
        }
        if (resource != null) {
            resource.nodesMissing().forEach(node -> missing.add("node " + Tree.text(node, 64) + " never reported"));
        }
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
        return List.of(
                missing.isEmpty()
                        ? new Finding(
                                Finding.Weight.GOOD,
                                name(),
                                "all targets answered and all nodes reported"
                                        + (early == 0
                                                ? ""
                                                : String.format(
                                                        Locale.ROOT,
                                                        "; %,d scrapes failed before the session began",
                                                        early)))
                        : new Finding(
                                Finding.Weight.REMARK,
                                name(),
                                String.join("; ", missing.subList(0, Math.min(8, missing.size())))
                                        + (missing.size() > 8 ? " and " + (missing.size() - 8) + " more" : "")));
    }
}
