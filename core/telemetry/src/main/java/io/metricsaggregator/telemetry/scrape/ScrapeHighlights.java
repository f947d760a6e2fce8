package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.snapshot.telemetry.ScrapeHighlight;
import io.metricsaggregator.snapshot.telemetry.ScrapeHighlight.Figure;
import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import io.metricsaggregator.telemetry.triton.TritonWindow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The well-known figures of servers, GPUs and hosts, from the newest samples of series whose names are known. */
final class ScrapeHighlights {
    private static final int ROWS_MAX = 256;
    /** Series by figure, in display order. Which of several series for a figure a server exposes depends on its version. */
    private static final List<Map.Entry<Figure, String>> SERVER = List.of(
            Map.entry(Figure.RUNNING, "vllm:num_requests_running"),
            Map.entry(Figure.WAITING, "vllm:num_requests_waiting"),
            Map.entry(Figure.KV_CACHE_USAGE, "vllm:kv_cache_usage_perc"),
            Map.entry(Figure.KV_CACHE_USAGE, "vllm:gpu_cache_usage_perc"),
            Map.entry(Figure.PREEMPTIONS, "vllm:num_preemptions_total"),
            Map.entry(Figure.GENERATION_TOKENS, "vllm:generation_tokens_total"),
            Map.entry(Figure.PROMPT_TOKENS, "vllm:prompt_tokens_total"),
            Map.entry(Figure.PENDING, "nv_inference_pending_request_count"),
            Map.entry(Figure.REQUESTS, "nv_inference_request_success"),
            Map.entry(Figure.FAILURES, "nv_inference_request_failure"));

    private static final List<Map.Entry<Figure, String>> GPU = List.of(
            Map.entry(Figure.POWER_WATTS, "DCGM_FI_DEV_POWER_USAGE"),
            Map.entry(Figure.UTILIZATION_PERCENT, "DCGM_FI_DEV_GPU_UTIL"),
            Map.entry(Figure.TEMPERATURE_CELSIUS, "DCGM_FI_DEV_GPU_TEMP"),
            Map.entry(Figure.MEMORY_USED_MIB, "DCGM_FI_DEV_FB_USED"),
            Map.entry(Figure.MEMORY_FREE_MIB, "DCGM_FI_DEV_FB_FREE"),
            Map.entry(Figure.TENSOR_ACTIVE, TritonWindow.TENSOR),
            Map.entry(Figure.DRAM_ACTIVE, TritonWindow.DRAM),
            Map.entry(Figure.POWER_WATTS, "nv_gpu_power_usage"),
            Map.entry(Figure.UTILIZATION_RATIO, "nv_gpu_utilization"),
            Map.entry(Figure.ENGINE_ACTIVE, "DCGM_FI_PROF_GR_ENGINE_ACTIVE"),
            Map.entry(Figure.SM_CLOCK_MHZ, "DCGM_FI_DEV_SM_CLOCK"),
            Map.entry(Figure.MEMORY_CLOCK_MHZ, "DCGM_FI_DEV_MEM_CLOCK"),
            Map.entry(Figure.MEMORY_TEMPERATURE_CELSIUS, "DCGM_FI_DEV_MEMORY_TEMP"),
            Map.entry(Figure.XID, "DCGM_FI_DEV_XID_ERRORS"),
            Map.entry(Figure.NVLINK_TRAFFIC, "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL"),
            Map.entry(Figure.POWER_VIOLATION, "DCGM_FI_DEV_POWER_VIOLATION"),
            Map.entry(Figure.THERMAL_VIOLATION, "DCGM_FI_DEV_THERMAL_VIOLATION"));

    private static final List<Map.Entry<Figure, String>> HOST = List.of(
            Map.entry(Figure.MEMORY_AVAILABLE_BYTES, "node_memory_MemAvailable_bytes"),
            Map.entry(Figure.WAITED_CPU_SECONDS, "node_pressure_cpu_waiting_seconds_total"),
            Map.entry(Figure.WAITED_MEMORY_SECONDS, "node_pressure_memory_waiting_seconds_total"),
            Map.entry(Figure.WAITED_IO_SECONDS, "node_pressure_io_waiting_seconds_total"),
            Map.entry(Figure.RECEIVED_BYTES, "node_network_receive_bytes_total"),
            Map.entry(Figure.SENT_BYTES, "node_network_transmit_bytes_total"));
    private static final String CPU_SECONDS = "node_cpu_seconds_total";
    private static final Set<String> IDLE_MODES = Set.of("idle", "iowait");

    private final Function<String, List<ScrapeSeries>> byName;

    ScrapeHighlights(Function<String, List<ScrapeSeries>> byName) {
        this.byName = byName;
    }

    /** The names of targets with these series: the instance, and the job where targets of several jobs have the instance. */
    private Function<ScrapeSeries, String> targets(Stream<String> names) {
        Map<String, String> jobs = new HashMap<>();
        Set<String> shared = new HashSet<>();
        names.forEach(name -> byName.apply(name).forEach(series -> {
            String job = series.label("job");
            if (!job.equals(jobs.getOrDefault(series.label("instance"), job))) {
                shared.add(series.label("instance"));
            }
            jobs.put(series.label("instance"), job);
        }));
        return series -> {
            String instance = series.label("instance");
            return shared.contains(instance) ? instance + " (" + series.label("job") + ")" : instance;
        };
    }

    /** Servers by name. Growth of counters and values of gauges are summed over a server's series, shares are the largest of them. */
    List<ScrapeHighlight> servers() {
        Function<ScrapeSeries, String> target = targets(SERVER.stream().map(Map.Entry::getValue));
        Map<String, Map<Figure, Double>> servers = new TreeMap<>();
        SERVER.forEach(each -> {
            Figure figure = each.getKey();
            for (ScrapeSeries series : byName.apply(each.getValue())) {
                if (Double.isFinite(series.last())) {
                    double value = series.isCounter() ? series.total() : series.last();
                    servers.computeIfAbsent(target.apply(series), key -> new LinkedHashMap<>())
                            .merge(figure, value, figure == Figure.KV_CACHE_USAGE ? Math::max : Double::sum);
                }
            }
        });
        return rows(servers);
    }

    /** Hosts by name: their share of busy CPU time, growth of counters and newest values of gauges. */
    List<ScrapeHighlight> hosts() {
        Function<ScrapeSeries, String> target =
                targets(Stream.concat(Stream.of(CPU_SECONDS), HOST.stream().map(Map.Entry::getValue)));
        Map<String, double[]> seconds = new TreeMap<>();
        for (ScrapeSeries series : byName.apply(CPU_SECONDS)) {
            double[] busy = seconds.computeIfAbsent(target.apply(series), key -> new double[2]);
            busy[0] += IDLE_MODES.contains(series.label("mode")) ? 0 : series.total();
            busy[1] += series.total();
        }
        Map<String, Map<Figure, Double>> hosts = new TreeMap<>();
        seconds.forEach((host, busy) -> {
            if (busy[1] > 0) {
                hosts.computeIfAbsent(host, key -> new LinkedHashMap<>()).put(Figure.CPU_RATIO, busy[0] / busy[1]);
            }
        });
        HOST.forEach(each -> {
            for (ScrapeSeries series : byName.apply(each.getValue())) {
                if (Double.isFinite(series.last()) && !series.label("device").equals("lo")) {
                    hosts.computeIfAbsent(target.apply(series), key -> new LinkedHashMap<>())
                            .merge(each.getKey(), series.isCounter() ? series.total() : series.last(), Double::sum);
                }
            }
        });
        return rows(hosts);
    }

    /** GPUs by name, with the newest value of each gauge and the growth of each counter. */
    List<ScrapeHighlight> gpus() {
        Map<String, Map<Figure, Double>> gpus = new TreeMap<>();
        GPU.forEach(each -> {
            for (ScrapeSeries series : byName.apply(each.getValue())) {
                if (Double.isFinite(series.last()) && !TritonWindow.isBlank(series.last())) {
                    String gpu = series.label("gpu_uuid").isEmpty()
                            ? TritonWindow.gpu(series)
                            : series.label("instance") + "/" + series.label("gpu_uuid");
                    gpus.computeIfAbsent(gpu, key -> new LinkedHashMap<>())
                            .put(each.getKey(), series.isCounter() ? series.total() : series.last());
                }
            }
        });
        return rows(gpus);
    }

    private static List<ScrapeHighlight> rows(Map<String, Map<Figure, Double>> by) {
        return by.entrySet().stream()
                .limit(ROWS_MAX)
                .map(each -> new ScrapeHighlight(each.getKey(), each.getValue()))
                .toList();
    }
}
