package io.metricsaggregator.report.submission;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Adds up {@link ProvisionedPower} from a {@code system_power.json}. One use, one thread. */
final class PowerSum {
    private static final Set<String> SOURCES = Set.of("vendor_spec", "publication", "public_statement");
    private static final Set<String> APPENDIX_D = Set.of("D.1", "D.2", "D.3", "D.4");
    private static final double WATTS_TOLERANCE = 0.5;
    private static final double KW_TOLERANCE = 0.005;

    private final Node descriptor;
    private final List<String> gaps = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<ProvisionedPower.NodeSet> shares = new ArrayList<>();
    private boolean estimated;
    private double switchWatts;

    private PowerSum(Node descriptor) {
        this.descriptor = descriptor;
    }

    /** The power of a descriptor. */
    static ProvisionedPower of(Node descriptor) {
        return new PowerSum(descriptor).sum();
    }

    private ProvisionedPower sum() {
        String cooling = descriptor.text("cooling");
        require("liquid".equals(cooling) || "air".equals(cooling), "cooling is neither liquid nor air");
        double overhead = "liquid".equals(cooling) ? 0.30 : 0.50;
        List<Node> sets = descriptor.nodes("node_sets");
        require(!sets.isEmpty(), "node_sets is empty");
        double nicWatts = scaleOut(sets);
        Set<Long> ids = new HashSet<>();
        double major = 0;
        double published = 0;
        for (Node set : sets) {
            Long id = set.whole("node_set_id");
            Long ensemble = set.whole("system_node_ensemble_id");
            long count = count(set, "nodes_provisioned", 1);
            if (id == null || ensemble == null || count < 1) {
                problems.add(set.label() + " needs node_set_id and system_node_ensemble_id");
                continue;
            }
            require(ids.add(id), "node_set_id " + id + " is there twice");
            double own = isSummed(set) ? count * components(set) : 0;
            double other = isSummed(set) ? 0 : published(set, count);
            own += carriesNics(set) ? count * nicWatts : 0;
            major += own;
            published += other;
            shares.add(new ProvisionedPower.NodeSet(id, ensemble, count, own * (1 + overhead) + other));
        }
        return result(overhead, major, published);
    }

    private ProvisionedPower result(double overhead, double major, double published) {
        Node declared = descriptor.node("declared_provisioned_power");
        double watts = major * (1 + overhead) + published + switchWatts;
        List<String> below = List.copyOf(gaps);
        if (declared != null) {
            // It governs: gaps and defaults of the components below it refuse and tag nothing.
            gaps.clear();
            estimated = false;
            watts = watts(declared);
        }
        Double kilowatts = gaps.isEmpty() ? (Double) ProvisionedPower.rounded(watts / 1000, 2) : null;
        ProvisionedPower sum = new ProvisionedPower(
                major,
                overhead,
                published,
                switchWatts,
                kilowatts,
                shares,
                declared != null,
                estimated,
                problems,
                gaps);
        if (problems.isEmpty() && below.isEmpty()) {
            disagreements(sum);
        }
        return problems.isEmpty()
                ? sum
                : new ProvisionedPower(
                        major,
                        overhead,
                        published,
                        switchWatts,
                        null,
                        shares,
                        declared != null,
                        estimated,
                        problems,
                        gaps);
    }

    private void disagreements(ProvisionedPower sum) {
        Node stated = descriptor.node("computed");
        sum.terms().forEach((name, value) -> {
            Double theirs = stated == null ? null : stated.number(name);
            double tolerance = name.equals("overhead_fraction") ? 1e-9 : WATTS_TOLERANCE;
            require(
                    theirs == null || Math.abs(theirs - value) <= tolerance,
                    "computed." + name + " is " + theirs + ", but the components give " + value);
        });
        Double kw = descriptor.number("provisioned_power_kw");
        require(
                kw == null || sum.kilowatts() == null || Math.abs(kw - sum.kilowatts()) <= KW_TOLERANCE,
                "provisioned_power_kw is " + kw + ", but the components give " + sum.kilowatts());
    }

    private static boolean isSummed(Node set) {
        return "component_sum".equals(set.text("power_method"));
    }

    /** Watts of a node by its components. */
    private double components(Node set) {
        Node parts = set.node("components");
        Node network = parts == null ? null : parts.node("scale_up_network");
        if (parts == null || network == null) {
            problems.add(set.label() + " with power_method component_sum needs components with a scale_up_network");
            return 0;
        }
        Node cpu = parts.node("cpu");
        Node accelerator = parts.node("accelerator");
        Node combined = parts.node("combined_cpu_accelerator");
        if (combined != null) {
            require(
                    (cpu == null || !cpu.has("tdp_per_unit"))
                            && (accelerator == null || !accelerator.has("tdp_per_unit")),
                    combined.label() + " excludes tdp_per_unit of cpu and accelerator");
            return scaleUp(network) + watts(combined);
        }
        if (cpu == null || accelerator == null) {
            problems.add(parts.label() + " needs cpu and accelerator, or combined_cpu_accelerator");
            return 0;
        }
        return scaleUp(network)
                + count(cpu, "count_per_node", 0) * watts(cpu, "tdp_per_unit")
                + count(accelerator, "count_per_node", 0) * watts(accelerator, "tdp_per_unit");
    }

    private double scaleUp(Node network) {
        String method = String.valueOf(network.text("method"));
        Double bandwidth = network.number("aggregate_bandwidth_tbps");
        switch (method) {
            case "none" -> {
                return 0;
            }
            case "declared_tdp" -> {
                return count(network, "switch_count", 0) * watts(network, "tdp_per_switch");
            }
            case "bandwidth_estimate" -> {
                Node energy = network.node("energy_per_bit_pj");
                Double picojoules = energy == null ? null : energy.number("value_pj");
                if (energy == null || picojoules == null || bandwidth == null) {
                    problems.add(network.label() + " needs aggregate_bandwidth_tbps, and energy_per_bit_pj.value_pj");
                    return 0;
                }
                source(energy);
                // The worked examples of the rules read the aggregate as terabytes a second, whatever its name says.
                return bandwidth * 8 * picojoules;
            }
            default -> {
                problems.add(network.label() + ".method is not none, declared_tdp or bandwidth_estimate");
                return 0;
            }
        }
    }

    private double published(Node set, long count) {
        String method = String.valueOf(set.text("power_method"));
        boolean scaled = method.equals("node_scaling");
        Node power = set.node("published_power");
        if (power == null || (!scaled && !method.equals("published_system"))) {
            problems.add(set.label() + ".power_method is not component_sum, nor published_system or node_scaling with"
                    + " published_power");
            return 0;
        }
        if (!scaled) {
            return count * watts(power);
        }
        long rack = count(set, "nodes_in_published_rack", count + 1);
        return rack == 0 ? 0 : watts(power) * count / rack;
    }

    /** Adds the switches; returns the watts of the counted adapters of a node. */
    private double scaleOut(List<Node> sets) {
        Node fabric = descriptor.node("scale_out");
        if (fabric == null || !(fabric.map().get("present") instanceof Boolean)) {
            problems.add("scale_out.present is neither true nor false");
            return 0;
        }
        long nodes = sets.stream()
                .map(each -> each.whole("nodes_provisioned"))
                .mapToLong(each -> each == null ? 0 : each)
                .sum();
        if (!fabric.isTrue("present")) {
            boolean joined = sets.stream().anyMatch(set -> {
                Node parts = set.node("components");
                Node network = parts == null ? null : parts.node("scale_up_network");
                return !isSummed(set) || network == null || !"none".equals(network.text("method"));
            });
            require(nodes < 2 || joined, "scale_out.present is false, but nothing else joins the " + nodes + " nodes");
            return 0;
        }
        Node nics = fabric.node("nics");
        Double stated = fabric.number("required_bandwidth_tbps");
        Double gigabits = nics == null ? null : nics.number("bandwidth_per_nic_gbps");
        if (nics == null || stated == null || gigabits == null || !fabric.has("cabling") || !fabric.has("switches")) {
            problems.add("scale_out with present true needs cabling, required_bandwidth_tbps, switches, and nics with"
                    + " bandwidth_per_nic_gbps");
            return 0;
        }
        boolean counted = nics.isTrue("counted");
        boolean summed = sets.stream().anyMatch(PowerSum::isSummed);
        require(
                counted ? summed || nics.has("excluded_from_published_power") : !summed,
                "scale_out.nics.counted is true for nodes summed from components, and false for published figures");
        long perNode = count(nics, "count_per_node", 0);
        double needed = nodes * perNode * gigabits / 1000;
        double offered = 0;
        for (Node each : fabric.nodes("switches")) {
            Double bandwidth = each.number("bandwidth_tbps");
            switchWatts += count(each, "count", 1) * watts(each, "power_per_switch");
            offered += count(each, "count", 1) * (bandwidth == null ? 0 : bandwidth);
        }
        require(
                stated >= needed - 1e-6,
                "scale_out.required_bandwidth_tbps is below the " + needed + " of the adapters");
        require(
                offered >= Math.max(stated, needed) - 1e-6,
                "scale_out.switches offer " + offered + " Tb/s of the " + Math.max(stated, needed) + " required");
        return counted ? perNode * watts(nics, "tdp_per_nic") : 0;
    }

    private boolean carriesNics(Node set) {
        Node fabric = descriptor.node("scale_out");
        Node nics = fabric == null ? null : fabric.node("nics");
        return nics != null && nics.isTrue("counted") && (isSummed(set) || nics.has("excluded_from_published_power"));
    }

    private long count(Node node, String key, long least) {
        Long value = node.whole(key);
        require(value != null && value >= least, node.label() + "." + key + " is not a whole number from " + least);
        return value == null || value < least ? 0 : value;
    }

    private double watts(Node part, String key) {
        Node value = part.node(key);
        if (value == null) {
            gaps.add(part.label() + "." + key);
            return 0;
        }
        return watts(value);
    }

    /** Watts of a value with its public source. */
    private double watts(Node value) {
        source(value);
        Double watts = value.number("value_w");
        Double kilowatts = value.number("value_kw");
        boolean one = (watts == null) != (kilowatts == null) && !value.has("value_pj");
        require(one, value.label() + " needs one of value_w and value_kw");
        return watts != null ? watts : kilowatts == null ? 0 : kilowatts * 1000;
    }

    private void source(Node value) {
        String type = String.valueOf(value.text("source_type"));
        String source = String.valueOf(value.text("source"));
        boolean standard = type.equals("mlc_default");
        estimated |= standard;
        require(
                standard || SOURCES.contains(type),
                value.label() + ".source_type is not vendor_spec, publication," + " public_statement or mlc_default");
        require(
                standard ? APPENDIX_D.contains(source) : source.startsWith("https://") || source.startsWith("http://"),
                value.label() + ".source is not " + (standard ? "a section of Appendix D, such as D.3" : "a URL"));
    }

    private void require(boolean met, String problem) {
        if (!met) {
            problems.add(problem);
        }
    }
}
