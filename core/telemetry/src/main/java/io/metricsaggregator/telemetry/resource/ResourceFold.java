package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.CollectorFigure;
import io.metricsaggregator.snapshot.telemetry.NodeResources;
import io.metricsaggregator.snapshot.telemetry.ResourceCounter;
import io.metricsaggregator.snapshot.telemetry.ResourceSnapshot;
import io.metricsaggregator.snapshot.telemetry.SampleClock;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.RowBudget;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.statistics.TimeGrid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Aggregates resource samples by node and over all nodes. Belongs to the thread that applies events. */
public final class ResourceFold implements TelemetryFold {
    /** Most nodes with a row of their own; samples of further ones are rejected. */
    static final int NODES_MAX = TelemetryLimits.NODES_MAX;

    private static final int REPORTS_MAX = 1000;
    private static final int REPORTS_LIMIT = 100_000;
    private static final int BUCKETS = 512;
    private static final long SECOND = 1_000_000_000L;

    private final Map<String, @Nullable ResourceNode> nodes = new LinkedHashMap<>();
    /** Nodes with a wall clock and nodes without have grids of their own: their times cannot be compared. */
    private final TimeGrid wallGrid = new TimeGrid(BUCKETS, SECOND);

    private final TimeGrid monotonicGrid = new TimeGrid(BUCKETS, SECOND);
    private final Map<String, Boolean> wallClock = new LinkedHashMap<>();
    private final RowBudget rows;
    private final RowBudget reports;
    private final Allowance allowance;
    private int reportsMax = REPORTS_MAX;
    private boolean ended;
    private @Nullable Long reportWallNanos;
    private long reportMonotonicNanos;
    private @Nullable Double reportCpus;

    /** A fold without memory limits. */
    public ResourceFold(List<String> expected) {
        this(expected, TelemetryLimits.ample(), Allowance.unlimited());
    }

    /**
     * A fold without samples.
     *
     * @param expected names of nodes that must report; a snapshot lists those that did not
     * @param limits bounds on nodes and kept reports
     * @param allowance memory that all kinds share
     */
    public ResourceFold(List<String> expected, TelemetryLimits limits, Allowance allowance) {
        this.rows = new RowBudget(limits.nodes(), TelemetryLimits.NODE_BYTES, allowance);
        this.reports = new RowBudget(limits.nodeReports(), TelemetryLimits.REPORT_BYTES, allowance);
        this.allowance = allowance;
        expected.forEach(each -> nodes.put(each, null));
    }

    @Override
    public List<String> categories() {
        return List.of("resource", "perf");
    }

    @Override
    public void apply(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        switch (observation.type()) {
            case "resource.sample" -> sample(observation, ResourceSample.of(observation));
            case "perf.report" -> sample(observation, ResourceSample.ofReport(observation));
            case "resource.job" -> job(observation);
            default -> throw new TelemetryRecord.Rejected("unknown_type");
        }
    }

    private void sample(TelemetryRecord observation, ResourceSample sample) throws TelemetryRecord.Rejected {
        String name = observation.node().isEmpty() ? observation.source() : observation.node();
        if (name.isEmpty()) {
            throw new TelemetryRecord.Rejected("missing_node_id");
        }
        ResourceNode node = nodes.get(name);
        if (node == null) {
            if ((nodes.size() >= NODES_MAX && !nodes.containsKey(name)) || !rows.take()) {
                throw new TelemetryRecord.Rejected("too_many_nodes");
            }
            boolean wall = observation.wallNanos() != null || observation.type().equals("perf.report");
            node = new ResourceNode(wall ? wallGrid : monotonicGrid, reportsMax, reports, allowance);
            nodes.put(name, node);
            wallClock.put(name, wall);
        }
        if (!node.add(sample)) {
            throw new TelemetryRecord.Rejected("sample_too_late");
        }
    }

    /** Applies a {@code resource.job}: the expected nodes, and how lightgbm-benchmark's collector keeps and reports its figures. */
    private void job(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        long length = observation.count("max_length", reportsMax);
        if (length < 1 || length > REPORTS_LIMIT) {
            throw new TelemetryRecord.Rejected("invalid_max_length");
        }
        List<String> expected = new ArrayList<>();
        for (Object each : observation.list("expected_nodes")) {
            if (!(each instanceof String name) || name.isEmpty() || name.length() > TelemetryRecord.NAME_MAX_CHARS) {
                throw new TelemetryRecord.Rejected("invalid_expected_nodes");
            }
            expected.add(name);
        }
        if (nodes.size() + expected.size() > NODES_MAX) {
            throw new TelemetryRecord.Rejected("too_many_nodes");
        }
        if (observation.has("cpu_count")) {
            reportCpus = observation.positive("cpu_count");
        }
        reportsMax = (int) length;
        nodes.values().forEach(node -> {
            if (node != null) {
                node.thinning().lengthMax(reportsMax);
            }
        });
        expected.forEach(each -> nodes.putIfAbsent(each, null));
        if (Boolean.TRUE.equals(observation.fields().get("ended"))) {
            ended = true;
            reportWallNanos = observation.wallNanos();
            reportMonotonicNanos = observation.timestampNanos();
        }
    }

    @Override
    public boolean isEmpty() {
        return nodes.isEmpty();
    }

    /**
     * The nodes over the run.
     *
     * @param terminal whether this is the run's last snapshot: then it has timelines, and its maps are views of the fold
     */
    @Override
    public ResourceSnapshot snapshot(boolean terminal) {
        List<String> missing = new ArrayList<>();
        Map<String, ResourceNode> reporting = new LinkedHashMap<>();
        nodes.forEach((name, node) -> {
            if (node == null) {
                missing.add(name);
            } else {
                reporting.put(name, node);
            }
        });
        Map<String, NodeResources> byNode =
                LazyTree.map(nodes, (name, node) -> node == null ? NodeResources.SILENT : node.resources(terminal));
        Map<String, @Nullable Map<CollectorFigure, @Nullable Double>> collector =
                LazyTree.map(reporting, this::collector);
        if (!terminal) {
            // A live snapshot is read while the fold applies further samples.
            byNode = new LinkedHashMap<>(byNode);
            collector = new LinkedHashMap<>(collector);
        }
        return new ResourceSnapshot(
                byNode,
                cluster(byNode),
                missing,
                // The collector takes the maximum of an empty list where a node is missing, and loses the report of
                // every node.
                missing.isEmpty() ? collector : null,
                missing.isEmpty() ? null : "ValueError: max() arg is an empty sequence",
                terminal
                        ? LazyTree.map(
                                reporting, (name, node) -> node.thinning().reports())
                        : null,
                terminal ? LazyTree.map(reporting, (name, node) -> node.timeline(clock(name))) : null);
    }

    private SampleClock clock(String node) {
        return Boolean.TRUE.equals(wallClock.get(node)) ? SampleClock.WALL : SampleClock.MONOTONIC;
    }

    /** When the collector would report, on the node's clock; null if the job did not end, or its end has no time of that clock. */
    private @Nullable Long reportNanos(String node) {
        return !ended ? null : clock(node) == SampleClock.WALL ? reportWallNanos : (Long) reportMonotonicNanos;
    }

    private @Nullable Map<CollectorFigure, @Nullable Double> collector(String name, ResourceNode node) {
        if (node.thinning().isDropped()) {
            return null;
        }
        ResourceSample newest = node.newest();
        Double cpus = reportCpus;
        return node.thinning().figures(reportNanos(name), cpus != null ? cpus : newest == null ? 0 : newest.cpus());
    }

    private static ResourceSnapshot.ClusterResources cluster(Map<String, NodeResources> byNode) {
        long reporting = 0;
        double hours = 0;
        double used = 0;
        double memory = Double.NaN;
        Map<ResourceCounter, Long> bytes = new LinkedHashMap<>();
        for (NodeResources node : byNode.values()) {
            Double cpuHours = node.cpu().hours();
            if (cpuHours == null) {
                continue;
            }
            reporting++;
            hours += cpuHours;
            Double nodeUsed = node.cpu().usedHours();
            used += nodeUsed == null ? 0 : nodeUsed;
            Double highest = node.memoryMaxPercent();
            if (highest != null) {
                memory = Double.isNaN(memory) ? highest : Math.max(memory, highest);
            }
            node.grown()
                    .forEach((counter, growth) -> bytes.merge(counter, growth.bytes(), TimestampMath::saturatedAdd));
        }
        return new ResourceSnapshot.ClusterResources(
                byNode.size(),
                reporting,
                hours,
                used,
                hours - used,
                hours == 0 ? null : (Double) (100 * used / hours),
                bytes,
                Double.isNaN(memory) ? null : (Double) memory);
    }
}
