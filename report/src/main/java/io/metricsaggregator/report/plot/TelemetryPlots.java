package io.metricsaggregator.report.plot;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.TimeAxis;
import io.metricsaggregator.analysis.Tree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.telemetry.GaugeTimeline;
import io.metricsaggregator.snapshot.telemetry.MetricSnapshot;
import io.metricsaggregator.snapshot.telemetry.ResourceCounter;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import io.metricsaggregator.snapshot.telemetry.ScrapeSnapshot;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import io.metricsaggregator.snapshot.telemetry.TimeBuckets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Plots of telemetry over time, on the run's time axis. */
final class TelemetryPlots {
    private static final Plot.Axis TIME = new Plot.Axis("time since the start of the session, s", Plot.Scale.LINEAR);
    private static final int CURVES_MAX = 6;
    private static final int SCRAPED_MAX = 48;
    private static final double MIB = 1 << 20;
    /** Series whose plots stand first, in this order. */
    private static final List<String> FIRST = List.of(
            "vllm:num_requests_running",
            "vllm:num_requests_waiting",
            "vllm:kv_cache_usage_perc",
            "vllm:generation_tokens_total",
            "vllm:prompt_tokens_total",
            "nv_inference_count",
            "nv_inference_request_success",
            "nv_inference_pending_request_count",
            "DCGM_FI_DEV_POWER_USAGE",
            "DCGM_FI_DEV_GPU_UTIL",
            "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
            "DCGM_FI_PROF_DRAM_ACTIVE");

    private final MetricsSnapshot snapshot;
    private final TimeAxis axis;
    private final List<Plot> plots = new ArrayList<>();

    private TelemetryPlots(MetricsSnapshot snapshot) {
        this.snapshot = snapshot;
        this.axis = new TimeAxis(snapshot);
    }

    static List<Plot> of(MetricsSnapshot snapshot) {
        TelemetryPlots all = new TelemetryPlots(snapshot);
        Arrays.stream(TelemetryKind.values())
                .map(all::of)
                .sorted(Comparator.comparingInt(Section::place))
                .forEach(section -> section.add().run());
        return all.plots;
    }

    /** Adds the plots of a kind, at its place among the kinds. */
    private record Section(int place, Runnable add) {}

    private Section of(TelemetryKind kind) {
        return switch (kind) {
            case SCRAPE -> new Section(0, this::scraped);
            case RESOURCE -> new Section(1, this::nodes);
            case METRIC -> new Section(2, this::metrics);
            // Snapshots hold totals of these, no values over time.
            case TRANSFER, OPERATION -> new Section(3, () -> {});
        };
    }

    private static double[] values(@Nullable Object list, int size, double scale) {
        List<?> values = Tree.list(list);
        double[] ys = new double[size];
        for (int i = 0; i < size; i++) {
            ys[i] = i < values.size() ? Tree.real(values.get(i)) * scale : Double.NaN;
        }
        return ys;
    }

    private static boolean moves(double[] values) {
        for (double each : values) {
            if (Double.isFinite(each) && each != 0) {
                return true;
            }
        }
        return false;
    }

    private void add(String key, String title, String unit, List<Plot.Curve> curves) {
        if (!curves.isEmpty()) {
            plots.add(new Plot(
                    key,
                    title,
                    TIME,
                    new Plot.Axis(unit, Plot.Scale.LINEAR),
                    curves.subList(0, Math.min(CURVES_MAX, curves.size()))));
        }
    }

    private void scraped() {
        SnapshotExtensions extensions = snapshot.extensions();
        ScrapeSnapshot scrape =
                extensions == null ? null : extensions.telemetry().scrape();
        ScrapeSnapshot.Table table = scrape == null ? null : scrape.table();
        if (scrape == null || table == null) {
            return;
        }
        double[] xs = axis.middles(table.buckets(), scrape.clock());
        Map<String, List<Plot.Curve>> byName = new LinkedHashMap<>();
        FIRST.forEach(each -> byName.put(each, new ArrayList<>()));
        Map<String, String> units = new LinkedHashMap<>();
        for (ScrapeSnapshot.Series row : table.rows()) {
            String name = row.name();
            double[] ys = values(row.values(), xs.length, 1);
            if (name.endsWith("_bucket") || name.endsWith("_created") || !moves(ys)) {
                continue;
            }
            units.put(name, row.rate() ? "per second" : "value");
            byName.computeIfAbsent(name, any -> new ArrayList<>())
                    .add(new Plot.Curve(curve(row), Plot.Mark.LINE, xs, ys));
        }
        int shown = 0;
        for (Map.Entry<String, List<Plot.Curve>> each : byName.entrySet()) {
            if (!each.getValue().isEmpty() && shown++ < SCRAPED_MAX) {
                String name = Printable.escape(each.getKey(), 64);
                add(
                        "scraped-" + name.replaceAll("[^A-Za-z0-9]+", "-"),
                        name,
                        units.getOrDefault(each.getKey(), "value"),
                        each.getValue());
            }
        }
    }

    /** The labels that tell a series from others of its name, shortened. */
    private static String curve(ScrapeSnapshot.Series row) {
        List<String> parts = new ArrayList<>();
        for (String each : List.of("instance", "model", "model_name", "gpu", "device", "GPU_I_ID", "pod")) {
            if (!row.label(each).isEmpty()) {
                parts.add(row.label(each));
            }
        }
        return Printable.escape(String.join(" ", parts), 28);
    }

    private void nodes() {
        SnapshotExtensions extensions = snapshot.extensions();
        ResourceSnapshot resource =
                extensions == null ? null : extensions.telemetry().resource();
        Map<String, ResourceSnapshot.NodeTimeline> timelines = resource == null ? null : resource.timelines();
        if (timelines == null) {
            return;
        }
        // Only with few nodes is there room for the highest sample of each bucket, which averages hide.
        gauges(timelines, ResourceSnapshot.NodeTimeline::cpuPercent, "node-cpu", "CPU of nodes", timelines.size() <= 3);
        gauges(timelines, ResourceSnapshot.NodeTimeline::memoryPercent, "node-memory", "Memory of nodes", false);
        grown(timelines, ResourceCounter.DISK_READ, "node-disk-read", "Disks read");
        grown(timelines, ResourceCounter.DISK_WRITE, "node-disk-written", "Disks written");
        grown(timelines, ResourceCounter.NET_EXT_SENT, "node-network-sent", "Network sent");
        grown(timelines, ResourceCounter.NET_EXT_RECEIVED, "node-network-received", "Network received");
    }

    private void gauges(
            Map<String, ResourceSnapshot.NodeTimeline> timelines,
            Function<ResourceSnapshot.NodeTimeline, GaugeTimeline> gauge,
            String key,
            String title,
            boolean highest) {
        List<Plot.Curve> curves = new ArrayList<>();
        timelines.forEach((node, timeline) -> {
            double[] xs = axis.middles(timeline.buckets(), timeline.clock());
            String name = Printable.escape(node, 28);
            curve(curves, name, xs, values(gauge.apply(timeline).mean(), xs.length, 1));
            if (highest) {
                curve(
                        curves,
                        name + ", highest",
                        xs,
                        values(gauge.apply(timeline).max(), xs.length, 1));
            }
        });
        add(key, title, "%", curves);
    }

    private void grown(
            Map<String, ResourceSnapshot.NodeTimeline> timelines, ResourceCounter counter, String key, String title) {
        List<Plot.Curve> curves = new ArrayList<>();
        timelines.forEach((node, timeline) -> {
            double[] xs = axis.middles(timeline.buckets(), timeline.clock());
            double width = timeline.buckets().widthNanos() / 1e9;
            curve(
                    curves,
                    Printable.escape(node, 28),
                    xs,
                    values(timeline.grown().get(counter), xs.length, 1 / MIB / width));
        });
        add(key, title, "MiB/s", curves);
    }

    private static void curve(List<Plot.Curve> curves, String name, double[] xs, double[] ys) {
        if (moves(ys)) {
            curves.add(new Plot.Curve(name, Plot.Mark.LINE, xs, ys));
        }
    }

    private void metrics() {
        SnapshotExtensions extensions = snapshot.extensions();
        MetricSnapshot metric =
                extensions == null ? null : extensions.telemetry().metric();
        if (metric == null) {
            return;
        }
        Map<String, List<Plot.Curve>> byName = new LinkedHashMap<>();
        Map<String, String> units = new LinkedHashMap<>();
        for (MetricSnapshot.Row row : metric.rows()) {
            MetricSnapshot.Timeline timeline = row.timeline();
            TimeBuckets buckets = timeline == null ? null : metric.buckets(timeline.clock());
            if (timeline == null || buckets == null) {
                continue;
            }
            double[] xs = axis.middles(buckets, timeline.clock());
            String name = Printable.escape(row.name(), 64);
            String labels = Tree.labels(row.labels());
            units.put(name, unit(row));
            curve(
                    byName.computeIfAbsent(name, any -> new ArrayList<>()),
                    labels.isEmpty() ? name : Printable.escape(labels, 28),
                    xs,
                    values(timeline.values(), xs.length, 1));
        }
        int shown = 0;
        for (Map.Entry<String, List<Plot.Curve>> each : byName.entrySet()) {
            if (!each.getValue().isEmpty() && shown++ < SCRAPED_MAX) {
                add(
                        "metric-" + each.getKey().replaceAll("[^A-Za-z0-9]+", "-"),
                        each.getKey(),
                        units.getOrDefault(each.getKey(), "value"),
                        each.getValue());
            }
        }
    }

    private static String unit(MetricSnapshot.Row row) {
        return row.kind() == MetricSnapshot.RowKind.COUNT
                ? "in a bucket"
                : row.unit().isEmpty() ? "value" : Printable.escape(row.unit(), 24);
    }
}
