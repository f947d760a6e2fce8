package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.GaugeTimeline;
import io.metricsaggregator.snapshot.telemetry.ResourceCounter;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The plots of nodes over time: CPU, memory, disks and network. */
final class NodePlots {
    private static final int NAME_MAX = 28;
    /** With more nodes there is no room for the highest sample of each bucket, which averages hide. */
    private static final int NODES_WITH_HIGHEST = 3;

    private final Map<String, ResourceSnapshot.NodeTimeline> timelines;
    private final TimeAxis axis;
    private final List<Plot> plots = new ArrayList<>();

    private NodePlots(Map<String, ResourceSnapshot.NodeTimeline> timelines, TimeAxis axis) {
        this.timelines = timelines;
        this.axis = axis;
    }

    /** One group; empty if no node reported, and for a live snapshot. */
    static List<PlotGroup> of(MetricsSnapshot snapshot, TimeAxis axis) {
        SnapshotExtensions extensions = snapshot.extensions();
        ResourceSnapshot resource = extensions.telemetry().resource();
        Map<String, ResourceSnapshot.NodeTimeline> timelines = resource == null ? null : resource.timelines();
        if (timelines == null) {
            return List.of();
        }
        NodePlots all = new NodePlots(timelines, axis);
        all.gauges(ResourceSnapshot.NodeTimeline::cpuPercent, "node-cpu", "CPU of nodes");
        all.gauges(ResourceSnapshot.NodeTimeline::memoryPercent, "node-memory", "Memory of nodes");
        all.grown(ResourceCounter.DISK_READ, "node-disk-read", "Disks read");
        all.grown(ResourceCounter.DISK_WRITE, "node-disk-written", "Disks written");
        all.grown(ResourceCounter.NET_EXT_SENT, "node-network-sent", "Network sent");
        all.grown(ResourceCounter.NET_EXT_RECEIVED, "node-network-received", "Network received");
        return List.of(new PlotGroup("Nodes over time", true, all.plots, List.of()));
    }

    private void gauges(Function<ResourceSnapshot.NodeTimeline, GaugeTimeline> gauge, String key, String title) {
        Curves curves = new Curves();
        boolean highest = key.equals("node-cpu") && timelines.size() <= NODES_WITH_HIGHEST;
        timelines.forEach((node, timeline) -> {
            double[] xs = axis.middles(timeline.buckets(), timeline.clock());
            String name = Printable.escape(node, NAME_MAX);
            curves.add(name, xs, Curves.values(gauge.apply(timeline).mean(), xs.length));
            if (highest) {
                curves.addBehind(
                        name + ", highest",
                        xs,
                        Curves.values(gauge.apply(timeline).max(), xs.length));
            }
        });
        if (!curves.isEmpty()) {
            plots.add(TimePlot.of(key, title, new SeriesUnit(AxisUnit.PERCENT, 1), curves));
        }
    }

    private void grown(ResourceCounter counter, String key, String title) {
        Curves curves = new Curves();
        timelines.forEach((node, timeline) -> {
            double[] xs = axis.middles(timeline.buckets(), timeline.clock());
            double width = timeline.buckets().widthNanos() / 1e9;
            double[] ys = Curves.values(timeline.grown().get(counter), xs.length);
            for (int i = 0; i < ys.length; i++) {
                ys[i] /= width;
            }
            curves.add(Printable.escape(node, NAME_MAX), xs, ys);
        });
        if (!curves.isEmpty()) {
            plots.add(TimePlot.of(key, title, SeriesUnit.named("bytes", true, curves.largest()), curves));
        }
    }
}
