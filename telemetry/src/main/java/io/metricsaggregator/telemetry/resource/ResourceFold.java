package io.metricsaggregator.telemetry.resource;

import io.metricsaggregator.codec.LazyTree;
import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
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

/** Nodes' CPU, memory, disk and network: by node, and of all of them together. */
public final class ResourceFold implements TelemetryFold {
    /** Nodes told apart; samples of others are rejected. */
    static final int NODES_MAX = TelemetryLimits.NODES_MAX;

    private static final int REPORTS_MAX = 1000;
    private static final int REPORTS_LIMIT = 100_000;
    private static final int BUCKETS = 512;
    private static final long SECOND = 1_000_000_000L;

    private final Map<String, @Nullable ResourceNode> nodes = new LinkedHashMap<>();
    /** Clocks that are not each other's have grids of their own. */
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

    /** Nodes, with memory for all. */
    public ResourceFold(List<String> expected) {
        this(expected, TelemetryLimits.ample(), Allowance.unlimited());
    }

    /**
     * Nodes.
     *
     * @param expected that are to report; those that do not are named
     */
    public ResourceFold(List<String> expected, TelemetryLimits limits, Allowance allowance) {
        this.rows = new RowBudget(limits.nodes(), TelemetryLimits.NODE_BYTES, allowance);
        this.reports = new RowBudget(limits.nodeReports(), TelemetryLimits.REPORT_BYTES, allowance);
        this.allowance = allowance;
        expected.forEach(each -> nodes.put(each, null));
    }

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.RESOURCE;
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

    /** What the job is: which nodes are to report; for the original's figures how many reports it keeps, when it reports, and where. */
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

    @Override
    public Map<String, @Nullable Object> freeze(boolean terminal) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        List<String> missing = new ArrayList<>();
        Map<String, ResourceNode> reporting = new LinkedHashMap<>();
        nodes.forEach((name, node) -> {
            if (node == null) {
                missing.add(name);
            } else {
                reporting.put(name, node);
            }
        });
        Map<String, @Nullable Object> byNode =
                LazyTree.map(nodes, (name, node) -> node == null ? silent() : node.freeze(terminal));
        Map<String, @Nullable Object> compat = LazyTree.map(reporting, this::compat);
        tree.put("by_node", byNode);
        tree.put("cluster", cluster(byNode));
        tree.put("nodes_missing", missing);
        // The original takes the maximum of an empty list, and with it loses the report of every node.
        tree.put("compat", missing.isEmpty() ? compat : null);
        tree.put("compat_error", missing.isEmpty() ? null : "ValueError: max() arg is an empty sequence");
        if (terminal) {
            tree.put(
                    "thinning",
                    LazyTree.map(reporting, (name, node) -> node.thinning().freeze()));
            tree.put("timeline", LazyTree.map(reporting, this::timeline));
        }
        return tree;
    }

    /** When the original would report, on the clock of a node; null where the job did not end, or told no time of that clock. */
    private @Nullable Long reportNanos(String node) {
        boolean wall = Boolean.TRUE.equals(wallClock.get(node));
        return !ended ? null : wall ? reportWallNanos : (Long) reportMonotonicNanos;
    }

    private @Nullable Map<String, @Nullable Object> compat(String name, ResourceNode node) {
        if (node.thinning().isGivenUp()) {
            return null;
        }
        ResourceSample newest = node.newest();
        Double cpus = reportCpus;
        return node.thinning().figures(reportNanos(name), cpus != null ? cpus : newest == null ? 0 : newest.cpus());
    }

    private Map<String, @Nullable Object> timeline(String name, ResourceNode node) {
        Map<String, @Nullable Object> timeline = node.timeline();
        timeline.put("clock", Boolean.TRUE.equals(wallClock.get(name)) ? "wall" : "monotonic");
        return timeline;
    }

    private static Map<String, @Nullable Object> silent() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n_samples", 0L);
        tree.put("cpu_avg_pct", null);
        tree.put("node_cpu_hours", null);
        tree.put("node_unused_cpu_hours", null);
        return tree;
    }

    private static Map<String, @Nullable Object> cluster(Map<String, @Nullable Object> byNode) {
        long reporting = 0;
        double hours = 0;
        double used = 0;
        double memory = Double.NaN;
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (Object each : byNode.values()) {
            Map<?, ?> node = (Map<?, ?>) each;
            if (node == null || !(node.get("node_cpu_hours") instanceof Double cpuHours)) {
                continue;
            }
            reporting++;
            hours += cpuHours;
            used += node.get("node_used_cpu_hours") instanceof Double nodeUsed ? nodeUsed : 0;
            if (node.get("mem_max_pct") instanceof Double most) {
                memory = Double.isNaN(memory) ? most : Math.max(memory, most);
            }
            for (String counter : ResourceSample.COUNTERS) {
                if (node.get("job_" + counter) instanceof Long job) {
                    bytes.merge("job_" + counter, job, TimestampMath::saturatedAdd);
                }
            }
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n_nodes", (long) byNode.size());
        tree.put("n_nodes_reporting", reporting);
        tree.put("total_cpu_hours", hours);
        tree.put("total_used_cpu_hours", used);
        tree.put("total_unused_cpu_hours", hours - used);
        tree.put("cpu_avg_pct_weighted", hours == 0 ? null : 100 * used / hours);
        tree.putAll(bytes);
        tree.put("max_mem_pct", Double.isNaN(memory) ? null : memory);
        return tree;
    }
}
