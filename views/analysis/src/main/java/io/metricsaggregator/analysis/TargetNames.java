package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.server.ServerSnapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Names of scrape targets in sentences and tables: the instance, and the job behind it where several targets have the same instance. */
public final class TargetNames {
    private final Map<String, Set<String>> jobs = new HashMap<>();

    private TargetNames() {}

    /** The names of scraped targets. */
    public static TargetNames of(List<ScrapeSnapshot.Target> targets) {
        TargetNames names = new TargetNames();
        targets.forEach(each -> names.add(each.job(), each.instance()));
        return names;
    }

    /** The names of scraped inference servers. */
    public static TargetNames ofServers(ServerSnapshot servers) {
        TargetNames names = new TargetNames();
        servers.targets().forEach(each -> names.add(each.job(), each.instance()));
        return names;
    }

    private void add(String job, String instance) {
        jobs.computeIfAbsent(instance, any -> new HashSet<>()).add(job);
    }

    /** Whether several targets have that instance. */
    public boolean isShared(String instance) {
        return jobs.getOrDefault(instance, Set.of()).size() > 1;
    }

    /** The name of a target, escaped; job and instance are each cut to {@code maxChars}. */
    public String name(String job, String instance, int maxChars) {
        String name = Printable.escape(instance, maxChars);
        return isShared(instance) ? name + " (" + Printable.escape(job, maxChars) + ")" : name;
    }
}
