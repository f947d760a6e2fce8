package io.metricsaggregator.samples;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.codec.MalformedMessageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The counter tracks of a trace: requests in flight, tokens per second, and what observations say about caches, power and load. Memory is bounded:
 * the first two are sums on a grid whose width doubles, and at most {@value #POINTS_MAX} values of observations are kept.
 */
final class TraceCounters {
    /** Cells of a grid. */
    static final int CELLS_MAX = 20_000;

    static final int POINTS_MAX = 500_000;
    private static final long MILLISECOND = 1_000_000;
    private static final long SECOND = 1000 * MILLISECOND;
    /** Scraped series that explain latencies, and their tracks. */
    private static final Map<String, String> SCRAPED = Map.ofEntries(
            Map.entry("vllm:kv_cache_usage_perc", "KV cache used"),
            Map.entry("vllm:gpu_cache_usage_perc", "KV cache used"),
            Map.entry("sglang:token_usage", "KV cache used"),
            Map.entry("vllm:num_requests_running", "requests running"),
            Map.entry("vllm:num_requests_waiting", "requests waiting"),
            Map.entry("sglang:num_running_reqs", "requests running"),
            Map.entry("sglang:num_queue_reqs", "requests waiting"),
            Map.entry("DCGM_FI_DEV_POWER_USAGE", "GPU power W"),
            Map.entry("nv_gpu_power_usage", "GPU power W"),
            Map.entry("DCGM_FI_DEV_GPU_UTIL", "GPU used %"),
            Map.entry("nv_gpu_utilization", "GPU used"));

    private record Point(String track, long at, double value) {}

    private final Grid inFlight = new Grid(MILLISECOND);
    private final Grid tokens = new Grid(SECOND);
    private final List<Point> points = new ArrayList<>();
    private long pointsLeftOut;
    private boolean tokensTold;

    void flight(long from, long to) {
        inFlight.add(from, 1);
        inFlight.add(to, -1);
    }

    /**
     * A chunk.
     *
     * @param count its tokens; null if its record does not tell
     */
    void chunk(long at, @Nullable Integer count) {
        tokensTold |= count != null;
        tokens.add(at, count == null ? 1 : count);
    }

    /** Takes what a record of telemetry says; any other is skipped. */
    void observation(RecordRow row) {
        String type = row.type();
        Long at = row.timestampNanos();
        if (type == null || at == null) {
            return;
        }
        switch (type) {
            case "resource.sample" -> resource(fields(row), at);
            case "scrape.samples" -> scrape(fields(row), at);
            case "metric.gauge" -> {
                Map<String, ?> fields = fields(row);
                point("" + fields.get("name"), at, fields.get("value"));
            }
            default -> {}
        }
    }

    private static Map<String, ?> fields(RecordRow row) {
        try {
            return JsonTree.read(row.json());
        } catch (MalformedMessageException e) {
            return Map.of();
        }
    }

    private void resource(Map<String, ?> fields, long at) {
        String node = "" + fields.get("node_id");
        Object cpu = fields.get("cpu_pct_avg");
        if (fields.get("cpu_pct") instanceof List<?> each) {
            cpu = each.stream()
                    .filter(Number.class::isInstance)
                    .mapToDouble(value -> ((Number) value).doubleValue())
                    .average()
                    .orElse(Double.NaN);
        }
        point("CPU % " + node, at, cpu);
        point("memory % " + node, at, fields.get("mem_percent"));
    }

    private void scrape(Map<String, ?> fields, long at) {
        if (!(fields.get("samples") instanceof List<?> samples)) {
            return;
        }
        for (Object each : samples) {
            if (each instanceof List<?> sample && sample.size() >= 4 && sample.get(0) instanceof String name) {
                String track = SCRAPED.get(name);
                if (track != null) {
                    Object gpu = sample.get(1) instanceof Map<?, ?> labels
                            ? Objects.requireNonNullElse(labels.get("gpu"), labels.get("gpu_uuid"))
                            : null;
                    point(track + " " + fields.get("instance") + (gpu == null ? "" : " GPU " + gpu), at, sample.get(3));
                }
            }
        }
    }

    private void point(String track, long at, @Nullable Object value) {
        if (!(value instanceof Number number) || !Double.isFinite(number.doubleValue())) {
            return;
        }
        if (points.size() == POINTS_MAX) {
            pointsLeftOut++;
            return;
        }
        points.add(new Point(track, at, number.doubleValue()));
    }

    long pointsLeftOut() {
        return pointsLeftOut;
    }

    /** The time of the first observation; {@link Long#MAX_VALUE} without one. */
    long first() {
        return points.stream().mapToLong(Point::at).min().orElse(Long.MAX_VALUE);
    }

    void write(TraceEvents events, int process) throws IOException {
        double open = 0;
        for (Map.Entry<Long, Long> cell : inFlight.cells.entrySet()) {
            open += cell.getValue();
            events.counter(process, "in flight", inFlight.start(cell.getKey()), open);
        }
        Long before = null;
        String name = tokensTold ? "tokens/s" : "chunks/s";
        double seconds = (double) tokens.width / SECOND;
        for (Map.Entry<Long, Long> cell : tokens.cells.entrySet()) {
            if (before != null && cell.getKey() > before + 1) {
                events.counter(process, name, tokens.start(before + 1), 0);
            }
            events.counter(process, name, tokens.start(cell.getKey()), cell.getValue() / seconds);
            before = cell.getKey();
        }
        if (before != null) {
            events.counter(process, name, tokens.start(before + 1), 0);
        }
        for (Point each : points) {
            events.counter(process, each.track, each.at, each.value);
        }
    }

    /** Sums over equal spans of time. */
    private static final class Grid {
        private TreeMap<Long, Long> cells = new TreeMap<>();
        private long width;

        Grid(long width) {
            this.width = width;
        }

        void add(long at, long count) {
            cells.merge(Math.floorDiv(at, width), count, Long::sum);
            while (cells.size() > CELLS_MAX) {
                width *= 2;
                TreeMap<Long, Long> wider = new TreeMap<>();
                cells.forEach((cell, sum) -> wider.merge(Math.floorDiv(cell, 2L), sum, Long::sum));
                cells = wider;
            }
        }

        long start(long cell) {
            return cell * width;
        }
    }
}
