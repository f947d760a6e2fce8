package io.metricsaggregator.telemetry.scrape;

import io.metricsaggregator.telemetry.promql.ScrapeSeries;
import io.metricsaggregator.telemetry.triton.TritonWindow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one looks at first on servers and GPUs, from the last samples of series whose names are known. */
final class ScrapeHighlights {
    private static final Map<String, String> SERVER = new LinkedHashMap<>();
    private static final Map<String, String> GPU = new LinkedHashMap<>();

    static {
        SERVER.put("running", "vllm:num_requests_running");
        SERVER.put("waiting", "vllm:num_requests_waiting");
        SERVER.put("kv_cache_usage", "vllm:kv_cache_usage_perc");
        SERVER.put("kv_cache_usage ", "vllm:gpu_cache_usage_perc");
        SERVER.put("preemptions", "vllm:num_preemptions_total");
        SERVER.put("generation_tokens", "vllm:generation_tokens_total");
        SERVER.put("prompt_tokens", "vllm:prompt_tokens_total");
        SERVER.put("pending", "nv_inference_pending_request_count");
        SERVER.put("requests", "nv_inference_request_success");
        SERVER.put("failures", "nv_inference_request_failure");
        GPU.put("power_w", "DCGM_FI_DEV_POWER_USAGE");
        GPU.put("util_pct", "DCGM_FI_DEV_GPU_UTIL");
        GPU.put("temp_c", "DCGM_FI_DEV_GPU_TEMP");
        GPU.put("memory_used_mib", "DCGM_FI_DEV_FB_USED");
        GPU.put("memory_free_mib", "DCGM_FI_DEV_FB_FREE");
        GPU.put("tensor_active", TritonWindow.TENSOR);
        GPU.put("dram_active", TritonWindow.DRAM);
        GPU.put("power_w ", "nv_gpu_power_usage");
        GPU.put("util_ratio", "nv_gpu_utilization");
    }

    private final Function<String, List<ScrapeSeries>> byName;

    ScrapeHighlights(Function<String, List<ScrapeSeries>> byName) {
        this.byName = byName;
    }

    /** By server and by GPU; what a counter grew by, what a gauge last was: sums, but shares are the largest. */
    Map<String, @Nullable Object> freeze() {
        Map<String, Map<String, Object>> servers = new TreeMap<>();
        SERVER.forEach((as, name) -> {
            for (ScrapeSeries each : byName.apply(name)) {
                if (Double.isFinite(each.last())) {
                    double value = each.isCounter() ? each.total() : each.last();
                    servers.computeIfAbsent(each.label("instance"), key -> new LinkedHashMap<>())
                            .merge(
                                    as.trim(),
                                    value,
                                    (a, b) -> as.startsWith("kv_")
                                            ? Math.max((Double) a, (Double) b)
                                            : (Double) a + (Double) b);
                }
            }
        });
        Map<String, Map<String, Object>> gpus = new TreeMap<>();
        GPU.forEach((as, name) -> {
            for (ScrapeSeries each : byName.apply(name)) {
                if (Double.isFinite(each.last()) && !TritonWindow.isBlank(each.last())) {
                    String gpu = each.label("gpu_uuid").isEmpty()
                            ? TritonWindow.gpu(each)
                            : each.label("instance") + "/" + each.label("gpu_uuid");
                    gpus.computeIfAbsent(gpu, key -> new LinkedHashMap<>()).put(as.trim(), each.last());
                }
            }
        });
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("servers", rows(servers));
        tree.put("gpus", rows(gpus));
        return tree;
    }

    private static List<Object> rows(Map<String, Map<String, Object>> by) {
        List<Object> rows = new ArrayList<>();
        by.forEach((name, values) -> {
            if (rows.size() < 256) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("name", name);
                row.putAll(values);
                rows.add(row);
            }
        });
        return rows;
    }
}
