package io.metricsaggregator.report.submission;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Forms of the files that only the submitter can write, with {@code TODO} for each value. */
final class Forms {
    /** Fields of {@code point.yaml} that no run knows. */
    static final List<String> DISCLOSURE = words("""
            division model_name model_precision link_to_model dataset_name dataset_type dataset_link
            seed_set target_cohort
            """);

    private static final List<String> SYSTEM = words("""
            system_name shortened_system_name system_category system_availability_status availability_url
            division system_size system_node_ensemble_count system_node_ensemble_total serving_framework
            tensor_parallel pipeline_parallel expert_parallel data_parallel
            """);
    private static final List<String> NODE = words("""
            number_of_nodes host_processor_model_name host_processors_per_node host_processor_core_count
            host_memory_capacity host_memory_configuration host_network_card_count host_networking cooling
            inference_backend driver operating_system filesystem
            """);
    private static final List<String> ACCELERATOR = words("""
            accelerator_model_name accelerators_per_node accelerator_memory_capacity
            accelerator_memory_type accelerator_interconnect accelerator_host_interconnect
            """);

    private Forms() {}

    private static List<String> words(String text) {
        return List.of(text.strip().split("\\s+", -1));
    }

    private static Map<String, @Nullable Object> form(List<String> names) {
        Map<String, @Nullable Object> form = new LinkedHashMap<>();
        names.forEach(each -> form.put(each, Node.TODO));
        return form;
    }

    static Map<String, @Nullable Object> system() {
        Map<String, @Nullable Object> form = form(SYSTEM);
        Map<String, @Nullable Object> node = new LinkedHashMap<>();
        node.put("system_node_ensemble_id", 1L);
        node.putAll(form(NODE));
        node.put("accelerator_info", List.of(form(ACCELERATOR)));
        form.put("node_types", List.of(node));
        return form;
    }

    static Map<String, @Nullable Object> power(String system) {
        Map<String, @Nullable Object> components = new LinkedHashMap<>();
        for (String part : List.of("cpu", "accelerator")) {
            Map<String, @Nullable Object> unit = form(List.of("model", "count_per_node"));
            unit.put("tdp_per_unit", form(List.of("value_w", "source_type", "source")));
            components.put(part, unit);
        }
        components.put("scale_up_network", form(List.of("method")));
        Map<String, @Nullable Object> set = new LinkedHashMap<>();
        set.put("node_set_id", 1L);
        set.put("system_node_ensemble_id", 1L);
        set.put("nodes_provisioned", Node.TODO);
        set.put("power_method", "component_sum");
        set.put("components", components);
        Map<String, @Nullable Object> form = new LinkedHashMap<>();
        form.put("system_desc_id", system);
        form.put("cooling", Node.TODO);
        form.put("node_sets", List.of(set));
        form.put("scale_out", form(List.of("present")));
        return form;
    }

    static String sources(String implementation) {
        return "# " + implementation + "\n\nTODO: how to build and start the system under test, and how to reproduce a"
                + " point: versions, commands, server configuration.\n";
    }

    static String documentation() {
        return "# Documentation\n\nTODO: calibration and quantization, hardware and software notes.\n";
    }

    /** A copy with text keys, empty for null. */
    static Map<String, @Nullable Object> copy(@Nullable Map<?, ?> map) {
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        if (map != null) {
            map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        }
        return copy;
    }

    /** Puts values over those of a tree, mappings into mappings. */
    static void merge(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> values) {
        values.forEach((key, value) -> {
            if (value instanceof Map<?, ?> inner && tree.get(key) instanceof Map<?, ?> below) {
                Map<String, @Nullable Object> both = copy(below);
                merge(both, copy(inner));
                tree.put(key, both);
            } else {
                tree.put(key, value);
            }
        });
    }
}
