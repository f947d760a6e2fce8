package io.metricsaggregator.telemetry.triton;

import static io.metricsaggregator.telemetry.Golden.fields;
import static io.metricsaggregator.telemetry.Golden.observation;
import static org.assertj.core.api.Assertions.assertThat;

import io.metricsaggregator.telemetry.promql.ScrapeOptions;
import io.metricsaggregator.telemetry.scrape.ScrapeFold;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Results of the notebook's own code with incomplete series: get_all_queries and convert_results_to_df at commit b7f6a3d. */
class NotebookFrameTest {
    private static final long SECOND = 1_000_000_000L;

    /** A series: its labels beside the target's, its value at the first scrape, and its increase per scrape. */
    private record Series(String name, Map<String, String> labels, String type, double first, double step) {}

    private static List<Series> model(String name, String version, double step) {
        Map<String, String> labels = Map.of("model", name, "version", version, "pod", "triton-a");
        List<Series> all = new ArrayList<>();
        List<String> counters = new ArrayList<>(TritonWindow.DURATIONS.values());
        counters.addAll(List.of(TritonWindow.REQUESTS, TritonWindow.INFERENCES, TritonWindow.HITS));
        counters.forEach(each -> all.add(new Series(each, labels, "counter", 10, step)));
        return all;
    }

    private static List<Series> gpu(String device, String slice) {
        Map<String, String> labels = slice.isEmpty()
                ? Map.of(
                        "device",
                        device,
                        "exported_container",
                        "triton",
                        "exported_namespace",
                        "triton",
                        "prometheus_replica",
                        "prometheus-k8s-0")
                : Map.of(
                        "device",
                        device,
                        "GPU_I_ID",
                        slice,
                        "exported_container",
                        "triton",
                        "exported_namespace",
                        "triton",
                        "prometheus_replica",
                        "prometheus-k8s-0");
        return List.of(
                new Series(TritonWindow.TENSOR, labels, "gauge", 0.5, 0),
                new Series(TritonWindow.DRAM, labels, "gauge", 0.25, 0));
    }

    @SafeVarargs
    private static Map<?, ?> notebook(Predicate<Series> kept, List<Series>... parts) throws Exception {
        ScrapeFold fold = new ScrapeFold(ScrapeOptions.DEFAULT);
        for (int i = 0; i < 30; i++) {
            List<Object> samples = new ArrayList<>();
            for (List<Series> part : parts) {
                for (Series each : part) {
                    if (kept.test(each)) {
                        samples.add(List.of(each.name, each.labels, each.type, each.first + i * each.step));
                    }
                }
            }
            fold.apply(observation(fields(
                    "event_type", "scrape.samples",
                    "timestamp_ns", (1_680_213_603L + 15 * i) * SECOND,
                    "job", "j",
                    "instance", "h",
                    "samples", samples)));
        }
        return (Map<?, ?>) ((Map<?, ?>) fold.snapshot(true).tree().get("compat")).get("notebook");
    }

    @Test
    void complete_series_give_a_table_without_an_error() throws Exception {
        Map<?, ?> notebook = notebook(each -> true, model("m", "1", 5), gpu("nvidia0", "1"), gpu("nvidia1", "1"));
        assertThat(notebook.get("error")).isNull();
        assertThat((Map<?, ?>) notebook.get("rows"))
                .isNotEmpty()
                .allSatisfy((at, row) -> assertThat(((Map<?, ?>) row).get("summed_gpu_tensor_util"))
                        .isEqualTo(1.0));
    }

    @Test
    void without_a_cache_series_it_fails_with_a_key_error() throws Exception {
        Map<?, ?> notebook =
                notebook(each -> !each.name.startsWith("nv_cache"), model("m", "1", 5), gpu("nvidia0", "1"));
        assertThat(notebook.get("error")).isEqualTo("KeyError: 'timestamp'");
    }

    @Test
    void an_idle_model_is_omitted_from_the_table_without_an_error() throws Exception {
        Map<?, ?> notebook = notebook(each -> true, model("busy", "1", 5), model("idle", "1", 0), gpu("nvidia0", "1"));
        assertThat(notebook.get("error")).isNull();
        assertThat(((List<?>) notebook.get("columns")).stream().map(String::valueOf))
                .contains("rate_busy", "num_instances_busy")
                .doesNotContain("rate_idle", "num_instances_idle");
    }

    @Test
    void two_versions_of_a_model_overlap_only_if_both_received_requests() throws Exception {
        assertThat(notebook(each -> true, model("m", "1", 5), model("m", "2", 5), gpu("nvidia0", "1"))
                        .get("error"))
                .isEqualTo("ValueError: columns overlap but no suffix specified");
        assertThat(notebook(each -> true, model("m", "1", 5), model("m", "2", 0), gpu("nvidia0", "1"))
                        .get("error"))
                .isNull();
    }

    @Test
    void one_of_two_gpus_without_memory_series_fails_with_a_key_error() throws Exception {
        Predicate<Series> kept = each -> !(each.name.equals(TritonWindow.DRAM)
                && each.labels.get("device").equals("nvidia1"));
        Map<?, ?> notebook = notebook(kept, model("m", "1", 5), gpu("nvidia0", "1"), gpu("nvidia1", "2"));
        assertThat(notebook.get("error")).isEqualTo("KeyError: the number of nvidia1/2/h in a set");
    }

    @Test
    void a_gpu_that_reports_only_its_memory_is_omitted_without_an_error() throws Exception {
        Predicate<Series> kept = each -> !(each.name.equals(TritonWindow.TENSOR)
                && each.labels.get("device").equals("nvidia1"));
        Map<?, ?> notebook = notebook(kept, model("m", "1", 5), gpu("nvidia0", "1"), gpu("nvidia1", "2"));
        assertThat(notebook.get("error")).isNull();
        assertThat(((List<?>) notebook.get("columns")).stream().map(String::valueOf))
                .contains("gpu_dram_util[nvidia0/1/h]")
                .doesNotContain("gpu_dram_util[nvidia1/2/h]");
    }

    @Test
    void gpus_without_slices_fail_with_a_type_error() throws Exception {
        assertThat(notebook(each -> true, model("m", "1", 5), gpu("nvidia0", ""))
                        .get("error"))
                .isEqualTo("TypeError: 'NoneType' object is not iterable");
    }
}
