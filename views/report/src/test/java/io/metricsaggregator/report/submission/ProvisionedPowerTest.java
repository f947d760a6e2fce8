package io.metricsaggregator.report.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Power by Appendix E, with the worked numbers of the rules. */
class ProvisionedPowerTest {
    static Map<String, Object> watts(double value) {
        return Map.of("value_w", value, "source_type", "vendor_spec", "source", "https://example.org/specification");
    }

    /** 8 nodes of 2 CPUs of 350 W and 8 accelerators of 1000 W, joined by a scale-up network without switches. */
    static Map<String, Object> eightNodes(String cooling) {
        Map<String, Object> descriptor = new LinkedHashMap<>();
        descriptor.put("system_desc_id", "ex");
        descriptor.put("cooling", cooling);
        descriptor.put("node_sets", List.of(set(1, 8, Map.of("count_per_node", 8L, "tdp_per_unit", watts(1000)))));
        descriptor.put("scale_out", Map.of("present", false));
        return descriptor;
    }

    private static Map<String, Object> set(long id, long nodes, Map<String, Object> accelerator) {
        return Map.of(
                "node_set_id",
                id,
                "system_node_ensemble_id",
                id,
                "nodes_provisioned",
                nodes,
                "power_method",
                "component_sum",
                "components",
                Map.of(
                        "cpu",
                        Map.of("count_per_node", 2L, "tdp_per_unit", watts(350)),
                        "accelerator",
                        accelerator,
                        "scale_up_network",
                        Map.of("method", "declared_tdp", "switch_count", 0L, "tdp_per_switch", watts(0))));
    }

    private static ProvisionedPower power(Map<String, Object> descriptor) {
        return PowerSum.of(new Node("", descriptor));
    }

    private static Map<String, Object> fabric(boolean counted, double required) {
        return Map.of(
                "present",
                true,
                "cabling",
                "passive",
                "required_bandwidth_tbps",
                required,
                "nics",
                Map.of(
                        "count_per_node",
                        1L,
                        "bandwidth_per_nic_gbps",
                        400.0,
                        "counted",
                        counted,
                        "tdp_per_nic",
                        watts(25)),
                "switches",
                List.of(Map.of("model", "x", "count", 2L, "bandwidth_tbps", 1.6, "power_per_switch", watts(1000))));
    }

    @Test
    void eight_air_cooled_nodes_take_104_40_kW_and_half_of_them_half() {
        ProvisionedPower power = power(eightNodes("air"));
        assertThat(power.problems()).isEmpty();
        assertThat(power.majorWatts()).isEqualTo(69_600);
        assertThat(power.terms()).containsEntry("other_components_w", 34_800.0);
        assertThat(power.kilowatts()).isEqualTo(104.40);
        assertThat(power.pointKilowatts(Map.of())).isEqualTo(104.40);
        assertThat(power.pointKilowatts(Map.of(1L, 4L))).isEqualTo(52.20);
        assertThat(ProvisionedPower.perKilowatt(12_000, 52.20)).isEqualTo(229.9);
        assertThat(power(eightNodes("liquid")).kilowatts()).isEqualTo(90.48);
    }

    @Test
    void a_rate_per_kilowatt_that_one_decimal_would_distort_is_exact() {
        assertThat(ProvisionedPower.perKilowatt(13.246, 52.20)).isEqualTo(13.246 / 52.20);
    }

    @Test
    void adapters_take_the_overhead_and_switches_do_not_and_a_point_takes_its_share_of_both() {
        Map<String, Object> descriptor = eightNodes("air");
        descriptor.put("scale_out", fabric(true, 3.2));
        ProvisionedPower power = power(descriptor);
        assertThat(power.problems()).isEmpty();
        assertThat(power.majorWatts()).isEqualTo(69_600 + 8 * 25);
        assertThat(power.kilowatts()).isEqualTo(106.70);
        assertThat(power.pointKilowatts(Map.of(1L, 2L)))
                .isEqualTo(26.68); // (104,700 + 2,000) / 4 = 26,675, half to even
    }

    @Test
    void sets_are_engaged_each_by_its_own_nodes_and_the_switches_by_all() {
        Map<String, Object> descriptor = eightNodes("air");
        descriptor.put(
                "node_sets",
                List.of(
                        set(1, 8, Map.of("count_per_node", 8L, "tdp_per_unit", watts(1000))),
                        set(2, 2, Map.of("count_per_node", 0L, "tdp_per_unit", watts(1000)))));
        descriptor.put("scale_out", fabric(true, 4.0));
        ProvisionedPower power = power(descriptor);
        assertThat(power.problems()).singleElement().asString().contains("offer 3.2");
        descriptor.put("scale_out", Map.of("present", false));
        power = power(descriptor);
        assertThat(power.kilowatts()).isEqualTo(106.50);
        assertThat(power.pointKilowatts(Map.of(1L, 4L))).isEqualTo(54.30);
        assertThat(power.pointKilowatts(Map.of(2L, 1L))).isCloseTo(105.45, within(1e-9));
    }

    @Test
    void a_published_figure_has_no_overhead_and_a_part_of_a_rack_is_scaled() {
        Map<String, Object> descriptor = eightNodes("air");
        Map<String, Object> set = new LinkedHashMap<>(Map.of(
                "node_set_id",
                1L,
                "system_node_ensemble_id",
                1L,
                "nodes_provisioned",
                2L,
                "power_method",
                "published_system",
                "published_power",
                watts(12_000)));
        descriptor.put("node_sets", List.of(set));
        assertThat(power(descriptor).kilowatts()).isEqualTo(24);
        set.put("power_method", "node_scaling");
        assertThat(power(descriptor).problems()).singleElement().asString().contains("nodes_in_published_rack");
        set.put("nodes_in_published_rack", 8L);
        assertThat(power(descriptor).kilowatts()).isEqualTo(3);
    }

    @Test
    void a_declared_figure_governs_and_is_scaled_by_the_largest_share() {
        Map<String, Object> descriptor = eightNodes("air");
        descriptor.put(
                "declared_provisioned_power",
                Map.of("value_kw", 100.0, "source_type", "publication", "source", "https://example.org/paper"));
        ProvisionedPower power = power(descriptor);
        assertThat(power.kilowatts()).isEqualTo(100);
        assertThat(power.pointKilowatts(Map.of(1L, 4L))).isEqualTo(50);
        assertThat(power.computed()).containsOnlyKeys("provisioned_power_kw", "mlc_estimated_power");
    }

    @Test
    void what_is_unsourced_contradicted_or_missing_gives_no_power() {
        Map<String, Object> descriptor = eightNodes("passive");
        assertThat(power(descriptor).kilowatts()).isNull();
        assertThat(power(descriptor).problems()).containsExactly("cooling is neither liquid nor air");

        descriptor = eightNodes("air");
        descriptor.put("computed", Map.of("total_system_power_w", 104_000.0));
        assertThat(power(descriptor).problems()).singleElement().asString().contains("104000.0", "104400.0");
        assertThat(power(descriptor).kilowatts()).isNull();

        descriptor = eightNodes("air");
        descriptor.put("node_sets", List.of(set(1, 8, Map.of("count_per_node", 8L))));
        assertThat(power(descriptor).problems()).isEmpty();
        assertThat(power(descriptor).gaps()).containsExactly("node_sets[0].components.accelerator.tdp_per_unit");
        assertThat(power(descriptor).kilowatts()).isNull();

        descriptor = eightNodes("air");
        descriptor.put(
                "node_sets",
                List.of(set(
                        1,
                        8,
                        Map.of(
                                "count_per_node",
                                8L,
                                "tdp_per_unit",
                                Map.of("value_w", 1000.0, "source_type", "vendor_spec", "source", "we measured it")))));
        assertThat(power(descriptor).problems()).singleElement().asString().contains("is not a URL");
    }

    @Test
    void nodes_used_must_name_one_set_and_at_most_its_nodes() {
        ProvisionedPower power = power(eightNodes("air"));
        List<String> problems = new ArrayList<>();
        for (Map<String, Object> used : List.of(
                Map.<String, Object>of("system_node_ensemble_id", 2L, "nodes", 1L),
                Map.<String, Object>of("system_node_ensemble_id", 1L, "nodes", 9L),
                Map.<String, Object>of("system_node_ensemble_id", 1L, "nodes", 0L))) {
            assertThat(power.nodesUsed(new Node("", Map.of("nodes_used", List.of(used))), problems))
                    .isNull();
        }
        assertThat(problems).hasSize(3);
        assertThat(power.nodesUsed(new Node("", Map.of()), problems)).isEmpty();
    }
}
