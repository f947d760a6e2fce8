package io.metricsaggregator.runs;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The extensions of runs that are measured side by side and are not over. Rows, sums and optional figures follow the rules of {@link SnapshotMerge};
 * what hangs on the time of the whole (identity, rates, samples in flight, slices, nodes) the caller supplies.
 */
public final class LiveMerge {
    private static final int SLOWEST_MAX = 10;

    private LiveMerge() {}

    /**
     * The figures that the caller knows.
     *
     * @param run identity of the whole
     * @param inFlight samples in flight in all runs
     * @param rates rates of all runs
     * @param slices the whole in slices of time
     * @param nodes rows of the runs
     * @param labels the labels that have rows, kept from sum to sum
     * @param totals all tracked samples of the run with these extensions; null if its labels are unknown
     */
    public record Known(
            RunInfo run,
            SnapshotExtensions.InFlight inFlight,
            List<Rate> rates,
            Slices slices,
            Nodes nodes,
            KeptLabels labels,
            Function<SnapshotExtensions, LabelBreakdown.@Nullable Value> totals) {
        public Known {
            rates = List.copyOf(rates);
        }
    }

    /** Whether the whole has the longest of the runs' values and not their sum: durations of runs side by side. */
    public static boolean isLongest(String counter) {
        CounterName name = CounterName.ofWire(counter);
        return name != null && SnapshotMerge.DURATIONS.contains(name);
    }

    /** Values by name; if runs differ, up to eight distinct values separated by slashes. */
    public static Map<String, String> sideBySide(
            List<SnapshotExtensions> all, Function<SnapshotExtensions, Map<String, String>> of) {
        return MergedRun.sideBySide(all, of);
    }

    /** The distinct texts, at most 64 and then how many more. */
    public static List<String> bounded(Set<String> words) {
        return MergedRun.bounded(words);
    }

    /** Adds up extensions whose times are on one clock. Sums stay at the end of the 64-bit range where they would pass it. */
    public static SnapshotExtensions of(List<SnapshotExtensions> all, Known known) {
        SaturatingSums sums = new SaturatingSums();
        MergedRows rows = new MergedRows(all, sums);
        LabelBreakdown labels = new LabelMerge(sums, known.labels())
                .merge(all, i -> known.totals().apply(all.get(i)));
        OptionalFigures optional = FigureMerge.of(all, sums, true, labels, known.nodes());
        return SnapshotExtensions.of(known.run(), known.inFlight(), known.slices())
                .rates(known.rates())
                .workers(rows.workers())
                .errors(rows.errors())
                .malformed(rows.malformed())
                .slowest(slowest(all))
                .goodput(all.isEmpty() ? null : SnapshotMerge.goodput(all, sums))
                .telemetry(SnapshotMerge.telemetry(all))
                .session(session(all))
                .outages(rows.outages())
                .optional(optional)
                .completeness(new Completeness(
                        Map.of(),
                        all.stream()
                                .flatMap(each -> each.completeness().leftOut().stream())
                                .distinct()
                                .toList()))
                .build();
    }

    /**
     * All tracked samples of a run as the row of a label that it does not have.
     *
     * @param counters its counters by name
     * @param inputTokens sum of its prompt lengths
     */
    public static LabelBreakdown.Value total(
            Map<String, Long> counters, long inputTokens, SnapshotExtensions extensions) {
        return LabelMerge.total(each -> counters.getOrDefault(each.wire(), 0L), inputTokens, extensions);
    }

    /** Notes on what could not be added up. */
    public static List<String> notes(List<SnapshotExtensions> all) {
        Set<String> notes = new LinkedHashSet<>();
        for (String kind : SnapshotMerge.ofSeveral(all)) {
            notes.add(kind
                    + " telemetry of several nodes cannot be added up and is omitted; see the nodes' own snapshots");
        }
        return List.copyOf(notes);
    }

    private static @Nullable SessionInfo session(List<SnapshotExtensions> all) {
        boolean any = false;
        boolean started = false;
        boolean tracking = false;
        boolean interrupted = false;
        Set<@Nullable Long> sizes = new LinkedHashSet<>();
        for (SnapshotExtensions each : all) {
            SessionInfo own = each.session();
            if (own != null) {
                any = true;
                started |= own.started();
                tracking |= own.tracking();
                interrupted |= own.interrupted();
                sizes.add(own.superPassSize());
            }
        }
        return any
                ? new SessionInfo(
                        started,
                        tracking,
                        interrupted,
                        sizes.size() == 1 ? sizes.iterator().next() : null)
                : null;
    }

    private static List<SlowSample> slowest(List<SnapshotExtensions> all) {
        List<SlowSample> merged = new ArrayList<>();
        for (String by : List.of(SlowSample.LATENCY, SlowSample.TTFT)) {
            all.stream()
                    .flatMap(each -> each.slowest().stream())
                    .filter(one -> one.by().equals(by))
                    .sorted(Comparator.comparingLong(SlowSample::nanos)
                            .reversed()
                            .thenComparing(SlowSample::id)
                            .thenComparingLong(SlowSample::issuedNanos))
                    .limit(SLOWEST_MAX)
                    .forEach(merged::add);
        }
        return merged;
    }
}
