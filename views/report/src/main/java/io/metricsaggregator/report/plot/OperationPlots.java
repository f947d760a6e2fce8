package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.OperationSnapshot;
import io.metricsaggregator.snapshot.telemetry.ValueStatistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The plots of operations: where their time went, and how long one takes. Snapshots have no operations over time. */
final class OperationPlots {
    private static final int NAMES_MAX = 16;
    private static final double MILLIS = 1e-6;

    private OperationPlots() {}

    /** One group; empty without timed operations. */
    static List<PlotGroup> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        OperationSnapshot operation = extensions.telemetry().operation();
        if (operation == null) {
            return List.of();
        }
        List<Map.Entry<String, OperationSnapshot.Times>> names = operation.overall().times().entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, OperationSnapshot.Times> each) ->
                                each.getValue().sumNanos())
                        .reversed())
                .limit(NAMES_MAX)
                .toList();
        List<Breakdown.Row> totals = new ArrayList<>();
        List<Breakdown.Row> each = new ArrayList<>();
        for (Map.Entry<String, OperationSnapshot.Times> name : names) {
            String shown = Printable.escape(name.getKey(), 40);
            OperationSnapshot.Times times = name.getValue();
            totals.add(total(shown, times));
            Breakdown.Row range = range(shown, times.millis());
            if (range != null) {
                each.add(range);
            }
        }
        List<Breakdown> breakdowns = new ArrayList<>();
        if (!totals.isEmpty()) {
            breakdowns.add(new Breakdown(
                    "operation-time",
                    "Time in operations",
                    AxisUnit.MILLIS,
                    Plot.Scale.LINEAR,
                    List.of("self", "in named children"),
                    totals));
        }
        if (!each.isEmpty()) {
            breakdowns.add(new Breakdown(
                    "operation-durations",
                    "Duration of an operation",
                    AxisUnit.MILLIS,
                    Plot.Scale.LOG,
                    List.of("p50 to p90", "p90 to p99"),
                    each));
        }
        return List.of(new PlotGroup("Operations by name", true, List.of(), breakdowns));
    }

    private static Breakdown.Row total(String name, OperationSnapshot.Times times) {
        double sum = times.sumNanos() * MILLIS;
        // Children that ran at the same time can take more than their parent.
        double self = Math.min(sum, Math.max(0, times.selfSumNanos() * MILLIS));
        String text = AxisUnit.MILLIS.value(sum)
                + (times.children().isEmpty() ? "" : ", self " + AxisUnit.MILLIS.value(times.selfSumNanos() * MILLIS));
        return new Breakdown.Row(name, List.of(new Breakdown.Bar(0, 0, self), new Breakdown.Bar(1, self, sum)), text);
    }

    private static Breakdown.@Nullable Row range(String name, ValueStatistics millis) {
        Double p50 = millis.percentile("p50");
        Double p90 = millis.percentile("p90");
        Double p99 = millis.percentile("p99");
        if (p50 == null || p90 == null || p99 == null) {
            return null;
        }
        return new Breakdown.Row(
                name,
                List.of(new Breakdown.Bar(0, p50, p90), new Breakdown.Bar(1, p90, p99)),
                "p50 " + AxisUnit.MILLIS.value(p50) + ", p99 " + AxisUnit.MILLIS.value(p99));
    }
}
