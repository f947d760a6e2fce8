package io.metricsaggregator.runs;

import io.metricsaggregator.codec.RunIds;
import io.metricsaggregator.snapshot.MergeSettings;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Imported;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The run information of a merged run: an id that depends only on the ids of its runs, start and end, how they were merged, and the
 * environment and settings of all runs side by side. It names no node and no clock: those are of one run each.
 */
final class MergedRun {
    private static final String MERGED_OF = "merged of ";
    private static final int IDS_SHOWN = 8;
    private static final int VALUES_SHOWN = 8;
    private static final int WORDS_MAX = 64;

    private MergedRun() {}

    /** The ids of the runs merged into a run, or added up by a fleet; its own id for any other run. */
    static List<String> parts(SnapshotExtensions run) {
        Nodes nodes = run.optional().nodes();
        if (nodes != null) {
            List<String> ids = new ArrayList<>(List.of(run.run().runId()));
            nodes.rows().stream()
                    .filter(row -> !row.runId().isEmpty() && row.refused() == null)
                    .forEach(row -> ids.add(row.runId()));
            return ids;
        }
        String merged = run.run().settings().get(MergeSettings.RUNS);
        return merged == null ? List.of(run.run().runId()) : List.of(merged.split(",", -1));
    }

    /** {@code merged-} and the first 64 bits of the SHA-256 of the sorted ids, so that repeated merges have the same id. */
    static String id(Set<String> ascendingParts) {
        return "merged-" + RunIds.of(String.join("\n", ascendingParts));
    }

    /**
     * Builds the run information.
     *
     * @param all the merged runs
     * @param notes notes on the merge, for {@code recomputed}
     */
    static RunInfo of(List<SnapshotExtensions> all, RunOverlap overlap, List<String> notes) {
        Set<String> ids = new TreeSet<>();
        Set<String> exposures = new LinkedHashSet<>();
        Set<String> words = new LinkedHashSet<>();
        for (SnapshotExtensions each : all) {
            ids.addAll(parts(each));
        }
        words.add(MERGED_OF + ids.size() + " runs: " + shown(ids, IDS_SHOWN, ", ")
                + (overlap.kind() == RunOverlap.Kind.WHOLE ? "; " + overlap.text() : "")
                + "; counters add up, the peak in flight is at most the sum of theirs");
        if (overlap.kind() != RunOverlap.Kind.WHOLE) {
            words.add(overlap.text());
        }
        words.addAll(notes);
        for (SnapshotExtensions each : all) {
            exposures.addAll(each.run().exposures());
            each.run().recomputed().stream()
                    .filter(word -> !word.startsWith(MERGED_OF))
                    .forEach(words::add);
        }
        Map<String, String> settings = sideBySide(all, each -> each.run().settings());
        settings.put(MergeSettings.RUNS, String.join(",", ids));
        settings.put(MergeSettings.OVERLAP, overlap.kind().word());
        return new RunInfo(
                RunInfo.SCHEMA_VERSION,
                id(ids),
                all.get(0).run().version(),
                all.stream()
                        .mapToLong(each -> each.run().startedWallNanos())
                        .filter(each -> each != 0)
                        .min()
                        .orElse(0),
                all.stream().mapToLong(each -> each.run().wallNanos()).max().orElse(0),
                bounded(exposures),
                bounded(words),
                sideBySide(all, each -> each.run().environment()),
                settings,
                imported(all),
                sideBySide(all, each -> each.run().labels()),
                null,
                null);
    }

    /** The import of runs that come from the same format of the same tool; null if one does not. */
    private static @Nullable Imported imported(List<SnapshotExtensions> all) {
        Imported first = all.get(0).run().imported();
        Imported merged = first;
        for (SnapshotExtensions each : all.subList(1, all.size())) {
            Imported next = each.run().imported();
            if (merged == null || next == null || !merged.format().equals(next.format())) {
                return null;
            }
            merged = merged.and(next);
        }
        return merged;
    }

    /** Values by name; if runs differ, the distinct values separated by slashes. */
    static Map<String, String> sideBySide(
            List<SnapshotExtensions> all, Function<SnapshotExtensions, Map<String, String>> of) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        for (SnapshotExtensions each : all) {
            of.apply(each).forEach((name, value) -> {
                Set<String> own = values.computeIfAbsent(name, any -> new LinkedHashSet<>());
                own.addAll(List.of(value.split(" / ", -1)));
            });
        }
        Map<String, String> shown = new LinkedHashMap<>();
        values.forEach((name, own) -> shown.put(name, shown(own, VALUES_SHOWN, " / ")));
        return shown;
    }

    private static String shown(Collection<String> values, int most, String separator) {
        List<String> first = values.stream().limit(most).toList();
        return String.join(separator, first) + (values.size() > most ? " and " + (values.size() - most) + " more" : "");
    }

    static List<String> bounded(Set<String> words) {
        List<String> kept = new ArrayList<>(words.stream().limit(WORDS_MAX).toList());
        if (words.size() > WORDS_MAX) {
            kept.add("and " + (words.size() - WORDS_MAX) + " more");
        }
        return kept;
    }
}
