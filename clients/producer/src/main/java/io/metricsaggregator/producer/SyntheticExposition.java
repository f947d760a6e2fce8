package io.metricsaggregator.producer;

import java.util.Locale;

/** A synthetic exposition: a few metrics each of vLLM, Triton and DCGM with their real names, as functions of time. */
public final class SyntheticExposition {
    private SyntheticExposition() {}

    /**
     * Renders the metrics in Prometheus' text format 0.0.4.
     *
     * @param seconds since the server started
     */
    public static String text(double seconds) {
        double wave = 0.5 + 0.5 * Math.sin(seconds / 2.5);
        StringBuilder out = new StringBuilder();
        String vllm = "{model_name=\"made-up/llama\",engine=\"0\"}";
        add(out, "vllm:num_requests_running", "gauge", vllm, Math.rint(4 + 12 * wave));
        add(out, "vllm:num_requests_waiting", "gauge", vllm, Math.rint(Math.max(0, 10 * wave - 6)));
        add(out, "vllm:kv_cache_usage_perc", "gauge", vllm, 0.2 + 0.6 * wave);
        add(out, "vllm:num_preemptions_total", "counter", vllm, Math.floor(seconds / 600));
        add(out, "vllm:prompt_tokens_total", "counter", vllm, Math.rint(5200 * seconds));
        add(
                out,
                "vllm:generation_tokens_total",
                "counter",
                vllm,
                Math.rint(900 * seconds + 900 * (1 - Math.cos(seconds / 2.5))));
        out.append(SyntheticServer.text("model_name=\"made-up/llama\",engine=\"0\"", seconds));
        String model = "{model=\"reranker\",version=\"1\"}";
        double requests = Math.rint(40 * seconds);
        add(out, "nv_inference_request_success", "counter", model, requests);
        add(out, "nv_inference_count", "counter", model, 2 * requests);
        add(out, "nv_inference_exec_count", "counter", model, Math.rint(1.6 * requests));
        add(out, "nv_inference_request_duration_us", "counter", model, 2900 * requests);
        add(out, "nv_inference_queue_duration_us", "counter", model, 600 * requests);
        add(out, "nv_inference_compute_input_duration_us", "counter", model, 150 * requests);
        add(out, "nv_inference_compute_infer_duration_us", "counter", model, 1900 * requests);
        add(out, "nv_inference_compute_output_duration_us", "counter", model, 200 * requests);
        for (int gpu = 0; gpu < 2; gpu++) {
            String labels = "{gpu=\"" + gpu + "\",device=\"nvidia" + gpu + "\",UUID=\"GPU-made-up-" + gpu + "\"}";
            double busy = Math.max(0, Math.min(1, 0.35 + 0.5 * wave + 0.08 * gpu));
            add(out, "DCGM_FI_DEV_POWER_USAGE", "gauge", labels, 110 + 480 * busy);
            energy(out, labels, seconds, gpu);
            add(out, "DCGM_FI_DEV_GPU_UTIL", "gauge", labels, Math.rint(100 * busy));
            add(out, "DCGM_FI_DEV_GPU_TEMP", "gauge", labels, Math.rint(38 + 30 * busy));
            add(out, "DCGM_FI_DEV_FB_USED", "gauge", labels, 61_440 + 8192 * wave);
            add(out, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "gauge", labels, 0.6 * busy);
            add(out, "DCGM_FI_PROF_DRAM_ACTIVE", "gauge", labels, 0.8 * busy);
        }
        return out.toString();
    }

    /** The counter in mJ whose growth is the power above: its integral, because the clamp of the load never acts. */
    private static void energy(StringBuilder out, String labels, double seconds, int gpu) {
        String name = "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION";
        if (gpu == 0) {
            out.append("# TYPE ").append(name).append(" counter\n");
        }
        double joules = (110 + 480 * (0.6 + 0.08 * gpu)) * seconds + 480 * 0.25 * 2.5 * (1 - Math.cos(seconds / 2.5));
        out.append(name)
                .append(labels)
                .append(' ')
                .append(Math.round(1000 * joules))
                .append('\n');
    }

    private static void add(StringBuilder out, String name, String type, String labels, double value) {
        String line = "# TYPE " + name + " " + type + "\n";
        if (out.indexOf(line) < 0) {
            out.append(line);
        }
        out.append(name)
                .append(labels)
                .append(' ')
                .append(String.format(Locale.ROOT, "%.6g", value).replaceAll("e\\+0*", "e+"))
                .append('\n');
    }
}
