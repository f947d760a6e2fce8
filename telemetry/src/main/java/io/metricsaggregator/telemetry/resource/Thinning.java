package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.telemetry.fold.RowBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node's reports as lightgbm-benchmark's collector keeps them, and its figures of them: when there are more than an even number M, every
 * other one goes and from then on only every second, fourth … is taken. It loses maxima and ends: its figures are shown beside ours, under
 * its own names.
 */
final class Thinning {
    private static final double MIB = 1 << 20;
    private static final int[] THRESHOLDS = {100, 80, 40, 20};
    private static final List<String> TOTALS = List.of(
            "total_disk_io_read_mb",
            "total_disk_io_write_mb",
            "total_net_io_lo_sent_mb",
            "total_net_io_ext_sent_mb",
            "total_net_io_lo_recv_mb",
            "total_net_io_ext_recv_mb");

    private final RowBudget budget;
    private boolean givenUp;
    private int keptMax;
    private final List<Report> kept = new ArrayList<>();
    private long seen;
    private long frequency = 1;
    private double sum;
    private final long[] over = new long[THRESHOLDS.length];
    private final double[] maxima = new double[5 + TOTALS.size()];

    private record Report(long number, ResourceSample sample) {}

    /**
     * Of a node that has reported nothing.
     *
     * @param lengthMax reports the original would keep
     * @param budget reports of all nodes; without room for one more, this node's are given up
     */
    Thinning(int lengthMax, RowBudget budget) {
        this.budget = budget;
        Arrays.fill(maxima, Double.NaN);
        lengthMax(lengthMax);
    }

    /** How many reports are kept: the next even number. */
    void lengthMax(int lengthMax) {
        keptMax = 2 * ((lengthMax + 1) / 2);
    }

    void add(ResourceSample sample) {
        seen++;
        if (givenUp || seen % frequency != 0) {
            return;
        }
        if (!budget.take()) {
            givenUp = true;
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

    /** Whether there was no memory for this node's reports: its figures of the original are then unknown. */
    boolean isGivenUp() {
        return givenUp;
    }

    Map<String, Object> freeze() {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("effective_max_length", (long) keptMax);
        tree.put("final_skip_frequency", frequency);
        tree.put("reports_seen", seen);
        tree.put("kept_count", (long) kept.size());
        if (givenUp) {
            tree.put("given_up", true);
        }
        tree.put("kept_report_numbers_1based", kept.stream().map(Report::number).toList());
        return tree;
    }

    /** Of a report that is kept. */
    private void sum(ResourceSample sample) {
        sum += sample.average();
        for (int i = 0; i < THRESHOLDS.length; i++) {
            over[i] += sample.average() >= THRESHOLDS[i] ? 1 : 0;
        }
        max(0, sample.average());
        max(1, sample.lowest());
        max(2, sample.highest());
        max(3, sample.memory());
        max(4, sample.disk());
        for (int i = 0; i < TOTALS.size(); i++) {
            long bytes = sample.counters().get(i);
            max(5 + i, bytes < 0 ? Double.NaN : bytes / MIB);
        }
    }

    private void max(int figure, double value) {
        maxima[figure] = Double.isNaN(maxima[figure]) || value > maxima[figure] ? value : maxima[figure];
    }

    private void sumAll() {
        sum = 0;
        Arrays.fill(over, 0);
        Arrays.fill(maxima, Double.NaN);
        kept.forEach(each -> sum(each.sample));
    }

    private @Nullable Double max(int figure) {
        return Double.isNaN(maxima[figure]) ? null : maxima[figure];
    }

    /**
     * The figures the original logs.
     *
     * @param reportNanos when it does, on the node's clock; null for the time of the node's last sample, which is taken too where the report would be
     *     older than that: then it is of another clock
     * @param cpus how many CPUs it takes the node to have: those of the machine that reports
     */
    Map<String, @Nullable Object> figures(@Nullable Long reportNanos, double cpus) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        int n = kept.size();
        double mean = sum / n;
        tree.put("max_t_cpu_pct_per_cpu_avg", max(0));
        tree.put("cpu_avg_utilization_pct", mean);
        for (int i = 0; i < THRESHOLDS.length; i++) {
            String name = THRESHOLDS[i] == 100 ? "at100" : "over" + THRESHOLDS[i];
            tree.put("cpu_avg_utilization_" + name + "_pct", (double) over[i] / n * 100);
        }
        tree.put("max_t_cpu_pct_per_cpu_min", max(1));
        tree.put("max_t_cpu_pct_per_cpu_max", max(2));
        long last = kept.get(n - 1).sample.nanos();
        long end = reportNanos == null || reportNanos < last ? last : reportNanos;
        double hours = (end - kept.get(0).sample.nanos()) / 1e9 * cpus / 60 / 60;
        tree.put("node_cpu_hours", hours);
        tree.put("node_unused_cpu_hours", hours * (100 - mean) / 100);
        tree.put("max_t_mem_percent", max(3));
        tree.put("max_t_disk_usage_percent", max(4));
        for (int i = 0; i < TOTALS.size(); i++) {
            tree.put(TOTALS.get(i), max(5 + i));
        }
        return tree;
    }
}
