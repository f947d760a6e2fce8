package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.MetricSnapshot;
import io.metricsaggregator.snapshot.telemetry.TimeBuckets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The plots of custom metrics over time: one for each name, kind and unit. */
final class MetricPlots {
    private static final int PLOTS_MAX = 48;
    private static final int OPEN_MAX = 8;

    private MetricPlots() {}

    /** What the curves of a plot share. */
    private record Key(MetricSnapshot.RowKind kind, String name, String unit) {}

    /** One group; empty without custom metrics, and for a live snapshot. */
    static List<PlotGroup> of(MetricsSnapshot snapshot, TimeAxis axis) {
        SnapshotExtensions extensions = snapshot.extensions();
        MetricSnapshot metric = extensions.telemetry().metric();
        if (metric == null) {
            return List.of();
        }
        Map<Key, Curves> all = new LinkedHashMap<>();
        for (MetricSnapshot.Row row : metric.rows()) {
            MetricSnapshot.Timeline timeline = row.timeline();
            TimeBuckets buckets = timeline == null ? null : metric.buckets(timeline.clock());
            if (timeline == null || buckets == null) {
                continue;
            }
            double[] xs = axis.middles(buckets, timeline.clock());
            double[] ys = Curves.values(timeline.values(), xs.length);
            if (row.kind() == MetricSnapshot.RowKind.COUNT) {
                double seconds = buckets.widthNanos() / 1e9;
                for (int i = 0; i < ys.length; i++) {
                    ys[i] /= seconds;
                }
            }
            String labels = Tree.labels(row.labels());
            all.computeIfAbsent(new Key(row.kind(), row.name(), row.unit()), any -> new Curves())
                    .add(Printable.escape(labels.isEmpty() ? row.name() : labels, 40), xs, ys);
        }
        List<Plot> plots = new ArrayList<>();
        all.forEach((key, curves) -> {
            if (!curves.isEmpty() && plots.size() < PLOTS_MAX) {
                plots.add(plot(key, curves));
            }
        });
        return List.of(new PlotGroup("Own metrics over time", plots.size() <= OPEN_MAX, plots, List.of()));
    }

    private static Plot plot(Key key, Curves curves) {
        String name = Printable.escape(key.name(), 64);
        boolean rate = key.kind() == MetricSnapshot.RowKind.COUNT;
        SeriesUnit unit = SeriesUnit.named(Printable.escape(key.unit(), 24), rate, curves.largest());
        String title = key.kind() == MetricSnapshot.RowKind.RECORD ? name + ", mean" : name;
        return TimePlot.of("metric-" + name.replaceAll("[^A-Za-z0-9]+", "-"), title, unit, curves);
    }
}
