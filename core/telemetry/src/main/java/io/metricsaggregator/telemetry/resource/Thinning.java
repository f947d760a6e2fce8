package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.snapshot.telemetry.CollectorFigure;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import io.metricsaggregator.telemetry.fold.RowBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reports of one node that lightgbm-benchmark's collector (src/common/perf.py) would keep, and the figures it would log. With more than an even number M of reports it drops every
 * second one and from then on takes only every second, fourth … report, so it loses maxima and totals. A snapshot shows these figures beside the daemon's own. Belongs to the thread
 * that applies events.
 */
final class Thinning {
    private static final double MIB = 1 << 20;
    private static final Map<CollectorFigure, Integer> THRESHOLDS = new EnumMap<>(Map.of(
            CollectorFigure.CPU_AT_100, 100,
            CollectorFigure.CPU_OVER_80, 80,
            CollectorFigure.CPU_OVER_40, 40,
            CollectorFigure.CPU_OVER_20, 20));
    /** Its totals since boot, by the ordinal of {@link io.metricsaggregator.snapshot.telemetry.ResourceCounter}. */
    private static final List<CollectorFigure> TOTALS = List.of(
            CollectorFigure.DISK_READ,
            CollectorFigure.DISK_WRITE,
            CollectorFigure.NET_LO_SENT,
            CollectorFigure.NET_EXT_SENT,
            CollectorFigure.NET_LO_RECEIVED,
            CollectorFigure.NET_EXT_RECEIVED);

    private static final Set<CollectorFigure> MAXIMA = EnumSet.of(
            CollectorFigure.MAX_CPU_AVERAGE,
            CollectorFigure.MAX_CPU_LOWEST,
            CollectorFigure.MAX_CPU_HIGHEST,
            CollectorFigure.MAX_MEMORY,
            CollectorFigure.MAX_DISK_USAGE);

    static {
        MAXIMA.addAll(TOTALS);
    }

    private final RowBudget budget;
    private boolean dropped;
    private int keptMax;
    private final List<Report> kept = new ArrayList<>();
    private long seen;
    private long frequency = 1;
    private double sum;
    private final Map<CollectorFigure, Long> over = new EnumMap<>(CollectorFigure.class);
    private final double[] maxima = new double[CollectorFigure.values().length];

    private record Report(long number, ResourceSample sample) {}

    /**
     * A collector without reports.
     *
     * @param lengthMax most reports the collector keeps
     * @param budget reports of all nodes; without room for one more, this node's reports are dropped
     */
    Thinning(int lengthMax, RowBudget budget) {
        this.budget = budget;
        Arrays.fill(maxima, Double.NaN);
        lengthMax(lengthMax);
    }

    /** Sets the most reports kept: {@code lengthMax}, rounded up to an even number. */
    void lengthMax(int lengthMax) {
        keptMax = 2 * ((lengthMax + 1) / 2);
    }

    void add(ResourceSample sample) {
        seen++;
        if (dropped || seen % frequency != 0) {
            return;
        }
        if (!budget.take()) {
            dropped = true;
            budget.giveBack(kept.size());
            kept.clear();
            return;
        }
        kept.add(new Report(seen, sample));
        sum(sample);
        if (kept.size() > keptMax) {
            List<Report> half = new ArrayList<>();
            for (int i = 0; i < keptMax; i += 2) {
                half.add(kept.get(i));
            }
            budget.giveBack(kept.size() - half.size());
            kept.clear();
            kept.addAll(half);
            frequency *= 2;
            sumAll();
        }
    }

    /** Whether the reports were dropped for want of memory; their figures are then unknown. */
    boolean isDropped() {
        return dropped;
    }

    ResourceSnapshot.ThinnedReports reports() {
        return new ResourceSnapshot.ThinnedReports(
                keptMax,
                frequency,
                seen,
                kept.size(),
                dropped,
                kept.stream().map(Report::number).toList());
    }

    /** Adds a kept report to the sums. */
    private void sum(ResourceSample sample) {
        sum += sample.average();
        THRESHOLDS.forEach((figure, threshold) -> {
            if (sample.average() >= threshold) {
                over.merge(figure, 1L, Long::sum);
            }
        });
        max(CollectorFigure.MAX_CPU_AVERAGE, sample.average());
        max(CollectorFigure.MAX_CPU_LOWEST, sample.lowest());
        max(CollectorFigure.MAX_CPU_HIGHEST, sample.highest());
        max(CollectorFigure.MAX_MEMORY, sample.memory());
        max(CollectorFigure.MAX_DISK_USAGE, sample.disk());
        for (int i = 0; i < TOTALS.size(); i++) {
            long bytes = sample.counters().get(i);
            max(TOTALS.get(i), bytes < 0 ? Double.NaN : bytes / MIB);
        }
    }

    private void max(CollectorFigure figure, double value) {
        int i = figure.ordinal();
        maxima[i] = Double.isNaN(maxima[i]) || value > maxima[i] ? value : maxima[i];
    }

    private void sumAll() {
        sum = 0;
        over.clear();
        Arrays.fill(maxima, Double.NaN);
        kept.forEach(each -> sum(each.sample));
    }

    private @Nullable Double max(CollectorFigure figure) {
        double value = maxima[figure.ordinal()];
        return Double.isNaN(value) ? null : value;
    }

    /**
     * The figures the collector would log. At least one report must be kept.
     *
     * @param reportNanos time of the collector's report, on the node's clock; the time of the node's last sample if it is null, or older than that sample and thus of another clock
     * @param cpus CPUs that the collector ascribes to the node: those of the reporting machine
     */
    Map<CollectorFigure, @Nullable Double> figures(@Nullable Long reportNanos, double cpus) {
        Map<CollectorFigure, @Nullable Double> figures = new EnumMap<>(CollectorFigure.class);
        int n = kept.size();
        double mean = sum / n;
        MAXIMA.forEach(each -> figures.put(each, max(each)));
        figures.put(CollectorFigure.CPU_UTILIZATION, mean);
        THRESHOLDS.forEach(
                (figure, threshold) -> figures.put(figure, (double) over.getOrDefault(figure, 0L) / n * 100));
        long last = kept.get(n - 1).sample.nanos();
        long end = reportNanos == null || reportNanos < last ? last : reportNanos;
        double hours = (end - kept.get(0).sample.nanos()) / 1e9 * cpus / 60 / 60;
        figures.put(CollectorFigure.NODE_CPU_HOURS, hours);
        figures.put(CollectorFigure.NODE_UNUSED_CPU_HOURS, hours * (100 - mean) / 100);
        return figures;
    }
}
