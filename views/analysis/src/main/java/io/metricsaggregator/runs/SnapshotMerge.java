package io.metricsaggregator.runs;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.snapshot.figures.Outage;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SlowSample;
import io.metricsaggregator.snapshot.histogram.SeriesAdder;
import io.metricsaggregator.snapshot.histogram.SeriesPart;
import io.metricsaggregator.snapshot.telemetry.TelemetrySnapshots;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The last snapshots of several daemons as one. Counters add up, and stay at the end of the 64-bit range where they would pass it; series add up as
 * {@link SeriesAdder} adds them. Of runs that measured at the same time the durations of the whole are the longest. Of others, see {@link RunOverlap},
 * durations add up too, the peak in flight is the largest, and there are no time slices: their rates are means and not sums. The result does not
 * depend on the order of the parts.
 */
public final class SnapshotMerge {
    static final Set<CounterName> DURATIONS = Set.of(
            CounterName.TRACKED_DURATION_NS,
            CounterName.TOTAL_DURATION_NS,
            CounterName.LEGACY_LOADGEN_WINDOW_DURATION_NS,
            CounterName.SUCCEEDED_DURATION_NS);

    /**
     * A merged run.
     *
     * @param snapshot the run
     * @param warnings why its figures may mislead, for people; also among its notes where it has any
     */
    public record Merged(MetricsSnapshot snapshot, List<String> warnings) {
        public Merged {
            warnings = List.copyOf(warnings);
        }
    }

    private final List<MetricsSnapshot> parts;
    private final RunOverlap overlap;
    private final SaturatingSums sums = new SaturatingSums();
    private final KeptLabels labels = new KeptLabels();
    private final Inflater inflater = new Inflater();
    private final Deflater deflater = new Deflater();

    private SnapshotMerge(List<MetricsSnapshot> parts) {
        this.parts = parts.stream()
                .sorted(Comparator.comparing(SnapshotMerge::firstId))
                .toList();
        this.overlap = RunOverlap.of(parts);
    }

    private static String firstId(MetricsSnapshot part) {
        SnapshotExtensions extensions = part.extensions();
        return extensions.isNone() ? "" : MergedRun.parts(extensions).get(0);
    }

    /**
     * Merges snapshots.
     *
     * @param parts at least one
     * @throws IllegalArgumentException if a run is given twice, alone or within a merged run, or a metric is of two kinds
     */
    public static MetricsSnapshot merge(List<MetricsSnapshot> parts) {
        return of(parts).snapshot();
    }

    /** Merges snapshots as {@link #merge} does, and says what is wrong with the result. */
    public static Merged of(List<MetricsSnapshot> parts) {
        return of(parts, List.of());
    }

    /**
     * Merges snapshots as {@link #of(List)} does.
     *
     * @param sources where each part comes from, such as its file, for messages of errors; empty if unknown
     */
    public static Merged of(List<MetricsSnapshot> parts, List<String> sources) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("no snapshots to merge");
        }
        Map<String, String> places = new HashMap<>();
        for (int i = 0; i < parts.size(); i++) {
            String source = sources.isEmpty() ? "" : sources.get(i);
            requireValues(parts.get(i), source);
            SnapshotExtensions extensions = parts.get(i).extensions();
            for (String id : extensions.isNone() ? List.<String>of() : MergedRun.parts(extensions)) {
                String before = places.putIfAbsent(id, source);
                if (before != null) {
                    throw new IllegalArgumentException("run " + id + " is given twice"
                            + (source.isEmpty() ? "" : ", in " + before + " and in " + source));
                }
            }
        }
        SnapshotMerge merge = new SnapshotMerge(parts);
        try {
            MetricsSnapshot snapshot = merge.merge();
            return new Merged(snapshot, merge.warnings());
        } finally {
            merge.inflater.end();
            merge.deflater.end();
        }
    }

    /** Refuses figures that a tool computed of a whole run: there are no values behind them that could be merged. */
    private static void requireValues(MetricsSnapshot part, String source) {
        Imported imported = part.extensions().run().imported();
        if (imported != null && imported.kind().equals(Imported.AGGREGATES)) {
            throw new IllegalArgumentException("run " + firstId(part) + (source.isEmpty() ? "" : " in " + source)
                    + " was imported as figures of the whole run, which cannot be merged: import its requests");
        }
    }

    private List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (overlap.kind() != RunOverlap.Kind.WHOLE) {
            warnings.add(overlap.text());
        }
        warnings.addAll(saturated());
        return warnings;
    }

    private List<String> saturated() {
        return sums.saturated().isEmpty()
                ? List.of()
                : List.of("sums above 64 bits are saturated at " + Long.MAX_VALUE + ": "
                        + String.join(", ", sums.saturated()));
    }

    private MetricsSnapshot merge() {
        Map<String, List<Metric>> byName = new LinkedHashMap<>();
        for (MetricsSnapshot part : parts) {
            for (Metric metric : part.metrics()) {
                byName.computeIfAbsent(metric.name(), name -> new ArrayList<>()).add(metric);
            }
        }
        for (SuccessSeries each : SuccessSeries.values()) {
            byName.computeIfPresent(each.succeeded().wire(), (name, some) -> each.ofAll(parts));
        }
        List<Metric> merged = new ArrayList<>();
        byName.forEach((name, metrics) -> merged.add(metric(name, metrics)));
        SnapshotExtensions extensions = extensions();
        addLabelsOverLimit(merged);
        boolean complete = parts.stream().allMatch(part -> part.state() == SessionState.COMPLETE);
        return new MetricsSnapshot(
                parts.stream().mapToLong(MetricsSnapshot::counter).max().orElse(0),
                parts.stream().mapToLong(MetricsSnapshot::timestampNanos).max().orElse(0),
                complete ? SessionState.COMPLETE : SessionState.INTERRUPTED,
                sums.total("pending texts", parts, MetricsSnapshot::pendingTasks),
                merged,
                extensions);
    }

    /** Counts the labels that the runs together have beyond the bounds of one. */
    private void addLabelsOverLimit(List<Metric> metrics) {
        if (labels.overLimit() == 0) {
            return;
        }
        String name = CounterName.LABELS_OVER_LIMIT.wire();
        int after = 0;
        for (int i = 0; i < metrics.size(); i++) {
            if (metrics.get(i) instanceof CounterMetric counter) {
                after = i + 1;
                if (counter.name().equals(name)) {
                    metrics.set(i, new CounterMetric(name, sums.add(name, counter.value(), labels.overLimit())));
                    return;
                }
            }
        }
        metrics.add(after, new CounterMetric(name, labels.overLimit()));
    }

    private Metric metric(String name, List<Metric> metrics) {
        if (metrics.stream().allMatch(CounterMetric.class::isInstance)) {
            CounterName known = CounterName.ofWire(name);
            boolean longest =
                    known != null && DURATIONS.contains(known) && overlap.kind().sideBySide();
            long value = 0;
            for (Metric each : metrics) {
                long one = ((CounterMetric) each).value();
                value = longest ? Math.max(value, one) : sums.add(name, value, one);
            }
            return new CounterMetric(name, value);
        }
        if (!metrics.stream().allMatch(SeriesMetric.class::isInstance)) {
            throw new IllegalArgumentException(name + " is a counter in one run and a series in another");
        }
        return series(name, metrics.stream().map(SeriesMetric.class::cast).toList());
    }

    /** Adds up a series. One that only one run has values of keeps its exact percentiles; of several precisions, the sum has the lowest. */
    private SeriesMetric series(String name, List<SeriesMetric> all) {
        List<SeriesMetric> measured =
                all.stream().filter(each -> each.count() > 0).toList();
        if (measured.size() < 2) {
            return measured.isEmpty() ? all.get(0) : measured.get(0).named(name);
        }
        List<SeriesPart> read = new ArrayList<>();
        for (SeriesMetric each : measured) {
            try {
                read.add(SeriesPart.of(each, null, inflater));
            } catch (MalformedMessageException e) {
                throw new IllegalArgumentException("one run cannot be merged: " + e.getMessage(), e);
            }
        }
        SeriesAdder sum = new SeriesAdder(name);
        sum.addAll(read);
        return sum.sum(sums::add, deflater);
    }

    private SnapshotExtensions extensions() {
        List<SnapshotExtensions> all = new ArrayList<>();
        for (MetricsSnapshot part : parts) {
            if (part.extensions().isNone()) {
                return SnapshotExtensions.NONE;
            }
            all.add(part.extensions());
        }
        MergedRows rows = new MergedRows(all, sums);
        SnapshotExtensions.InFlight inFlight = Objects.requireNonNull(sums.adder("samples in flight", overlap())
                .sum(all.stream().map(SnapshotExtensions::inFlight).toList(), SnapshotExtensions.InFlight::pass));
        List<SnapshotExtensions.WorkerRow> workers = rows.workers();
        List<SnapshotExtensions.ErrorRow> errors = rows.errors();
        List<SnapshotExtensions.MalformedRow> malformed = rows.malformed();
        List<Outage> outages = rows.outages();
        Slices slices = slices(all);
        Goodput goodput = goodput(all, sums);
        OptionalFigures optional = FigureMerge.of(
                all, sums, overlap(), new LabelMerge(sums, labels).ofRuns(all, parts), NodesMerge.of(all));
        return SnapshotExtensions.of( // Last: the saturated sums are known only now.
                        MergedRun.of(all, overlap, notes(all)), inFlight, slices)
                .workers(workers)
                .errors(errors)
                .malformed(malformed)
                .slowest(slowest(all))
                .goodput(goodput)
                .telemetry(telemetry(all))
                .session(session(all))
                .outages(outages)
                .optional(optional)
                .completeness( // A part that is omitted from any run is incomplete in the merged run.
                        new Completeness(
                                Map.of(),
                                all.stream()
                                        .flatMap(each -> each.completeness().leftOut().stream())
                                        .distinct()
                                        .toList()))
                .build();
    }

    private List<String> notes(List<SnapshotExtensions> all) {
        List<String> notes = new ArrayList<>();
        for (String kind : ofSeveral(all)) {
            notes.add(kind
                    + " telemetry of several runs cannot be added up and is omitted; see the reports of the"
                    + " single runs");
        }
        if (all.stream().anyMatch(each -> each.optional().conversations() != null)) {
            notes.add(
                    "the mean of active conversations, conversations per second, and percentiles by turn cannot be added up and"
                            + " are omitted");
        }
        notes.addAll(saturated());
        return notes;
    }

    /** Whether some of the runs measured at the same time. */
    private boolean overlap() {
        return overlap.kind() != RunOverlap.Kind.NONE;
    }

    private Slices slices(List<SnapshotExtensions> all) {
        List<Slices> each = all.stream().map(SnapshotExtensions::slices).toList();
        return overlap.kind().sideBySide()
                ? SlicesMerge.merge(each, sums)
                : new Slices(0, 1, sums.total("records outside the time slices", each, Slices::outside), List.of());
    }

    /** The session information that holds for all runs; null if one run has none. */
    private static @Nullable SessionInfo session(List<SnapshotExtensions> all) {
        boolean started = true;
        boolean tracking = true;
        boolean interrupted = false;
        Set<@Nullable Long> sizes = new HashSet<>();
        for (SnapshotExtensions each : all) {
            SessionInfo own = each.session();
            if (own == null) {
                return null;
            }
            started &= own.started();
            tracking &= own.tracking();
            interrupted |= own.interrupted();
            sizes.add(own.superPassSize());
        }
        return new SessionInfo(
                started,
                tracking,
                interrupted,
                sizes.size() == 1 ? sizes.iterator().next() : null);
    }

    /** The slowest samples, as many as a single run has, on the time of the merged run, in which every run starts at 0. */
    private static List<SlowSample> slowest(List<SnapshotExtensions> all) {
        List<SlowSample> merged = new ArrayList<>();
        for (String by : List.of(SlowSample.LATENCY, SlowSample.TTFT)) {
            List<SlowSample> of = new ArrayList<>();
            int most = 0;
            for (SnapshotExtensions each : all) {
                List<SlowSample> own = each.slowest().stream()
                        .filter(one -> one.by().equals(by))
                        .toList();
                most = Math.max(most, own.size());
                own.forEach(one -> of.add(one.since(each.slices().startNanos())));
            }
            of.stream()
                    .sorted(Comparator.comparingLong(SlowSample::nanos)
                            .reversed()
                            .thenComparing(SlowSample::id)
                            .thenComparingLong(SlowSample::issuedNanos))
                    .limit(most)
                    .forEach(merged::add);
        }
        return merged;
    }

    /** The telemetry kinds that exactly one run has; those of several runs cannot be added up from snapshots. */
    static TelemetrySnapshots telemetry(List<SnapshotExtensions> all) {
        Map<String, Object> merged = new LinkedHashMap<>();
        all.forEach(each -> each.telemetry().tree().forEach(merged::putIfAbsent));
        merged.keySet().removeAll(ofSeveral(all));
        return TelemetrySnapshots.of(merged);
    }

    static Set<String> ofSeveral(List<SnapshotExtensions> all) {
        Set<String> once = new LinkedHashSet<>();
        Set<String> several = new LinkedHashSet<>();
        all.forEach(each -> each.telemetry().tree().keySet().forEach(kind -> {
            if (!once.add(kind)) {
                several.add(kind);
            }
        }));
        return several;
    }

    /** The summed goodput; null unless all runs had the same objectives. */
    static @Nullable Goodput goodput(List<SnapshotExtensions> all, SaturatingSums sums) {
        Goodput first = all.get(0).goodput();
        List<@Nullable Goodput> each =
                all.stream().<@Nullable Goodput>map(SnapshotExtensions::goodput).toList();
        return first != null && each.stream().allMatch(first::hasSameObjectives)
                ? sums.adder("goodput", false).sum(each, Goodput::pass)
                : null;
    }
}
