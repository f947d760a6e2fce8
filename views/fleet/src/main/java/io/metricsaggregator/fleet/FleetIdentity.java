package io.metricsaggregator.fleet;

import io.metricsaggregator.runs.LiveMerge;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The identity of a fleet in its snapshots, which keeps its run id for its life, and the notes on its nodes.
 *
 * @param runId the fleet's own
 * @param version version of this program
 * @param startedWallNanos start of the fleet, in nanoseconds since 1970 UTC
 */
record FleetIdentity(String runId, String version, long startedWallNanos) {
    private static final double OVERLAP_SHARE = 0.9;
    private static final double SECOND = 1e9;
    /** Runs that are shorter than this overlap as far as their starts allow. */
    private static final double JUDGED_NANOS = 10 * SECOND;

    private static final int NAMED_MAX = 8;

    /** The run information of a snapshot. */
    RunInfo info(
            List<FleetNode> nodes,
            List<SnapshotExtensions> extensions,
            long wallNanos,
            List<String> exposures,
            long nowNanos) {
        Set<String> open = new LinkedHashSet<>(exposures);
        Set<String> notes = new LinkedHashSet<>(LiveMerge.notes(extensions));
        notes.addAll(differing(extensions));
        notes.addAll(clocks(nodes));
        notes.addAll(overlap(nodes, wallNanos, nowNanos));
        for (SnapshotExtensions each : extensions) {
            open.addAll(each.run().exposures());
            notes.addAll(each.run().recomputed());
        }
        return new RunInfo(
                RunInfo.SCHEMA_VERSION,
                runId,
                version,
                startedWallNanos,
                wallNanos,
                LiveMerge.bounded(open),
                LiveMerge.bounded(notes),
                LiveMerge.sideBySide(extensions, each -> each.run().environment()),
                LiveMerge.sideBySide(extensions, each -> each.run().settings()),
                null,
                LiveMerge.sideBySide(extensions, each -> each.run().labels()),
                null,
                null);
    }

    /** Settings that differ, or that some nodes lack. */
    private static List<String> differing(List<SnapshotExtensions> all) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        Map<String, Integer> given = new LinkedHashMap<>();
        for (SnapshotExtensions each : all) {
            each.run().settings().forEach((name, value) -> {
                values.computeIfAbsent(name, any -> new LinkedHashSet<>()).add(value);
                given.merge(name, 1, Integer::sum);
            });
        }
        List<String> notes = new ArrayList<>();
        values.forEach((name, own) -> {
            if (own.size() > 1) {
                notes.add("nodes differ in the setting " + name + ": "
                        + String.join(" / ", own.stream().limit(NAMED_MAX).toList())
                        + (own.size() > NAMED_MAX ? " and " + (own.size() - NAMED_MAX) + " more" : ""));
            } else if (given.getOrDefault(name, 0) < all.size()) {
                notes.add("only " + given.get(name) + " of " + all.size() + " nodes have the setting " + name);
            }
        });
        return notes;
    }

    private static List<String> clocks(List<FleetNode> nodes) {
        List<String> apart = new ArrayList<>();
        for (FleetNode node : nodes) {
            double seconds = node.aheadNanos() / SECOND;
            if (Math.abs(seconds) > 1) {
                apart.add(String.format(
                        Locale.ROOT, "%s %.1f s %s", node.name(), Math.abs(seconds), seconds > 0 ? "ahead" : "behind"));
            }
        }
        if (apart.isEmpty()) {
            return List.of();
        }
        return List.of("clocks of nodes are more than a slice apart from the fleet's: "
                + String.join(", ", apart.stream().limit(NAMED_MAX).toList())
                + (apart.size() > NAMED_MAX ? " and " + (apart.size() - NAMED_MAX) + " more" : "")
                + "; durations do not depend on them");
    }

    /** A note if the sessions of the nodes have less than 90 % of the longest one in common. */
    private static List<String> overlap(List<FleetNode> nodes, long wallNanos, long nowNanos) {
        double start = Double.NEGATIVE_INFINITY;
        double end = Double.POSITIVE_INFINITY;
        double longest = 0;
        for (FleetNode node : nodes) {
            NodeFrame frame = node.frame();
            if (frame == null || frame.sessionStartWallNanos() == 0) {
                continue;
            }
            double own = (double) frame.sessionStartWallNanos() - node.aheadNanos();
            double until = node.isEnded() ? node.endWallNanos(wallNanos, nowNanos) : wallNanos;
            start = Math.max(start, own);
            end = Math.min(end, until);
            longest = Math.max(longest, until - own);
        }
        double shared = Math.max(0, end - start);
        if (longest < JUDGED_NANOS || shared >= OVERLAP_SHARE * longest) {
            return List.of();
        }
        return List.of(String.format(
                Locale.ROOT,
                "all nodes measured at the same time for %.0f s of %.0f s: durations of the whole are the longest, so its"
                        + " mean rates are below those of the common time",
                shared / SECOND,
                longest / SECOND));
    }
}
