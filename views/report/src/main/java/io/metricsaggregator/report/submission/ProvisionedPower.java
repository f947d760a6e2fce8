package io.metricsaggregator.report.submission;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Provisioned power of a system by Appendix E of the Endpoints rules: major × (1 + f) + published nodes + scale-out switches, with f 0.30 for liquid
 * and 0.50 for air cooling. Watts are not rounded; kilowatts are, once, to two decimals, half to even.
 *
 * @param majorWatts CPUs, accelerators, scale-up networks and counted adapters of nodes that are summed from components
 * @param overhead the fraction f
 * @param publishedWatts power of nodes by published figures
 * @param switchWatts scale-out switches, S
 * @param kilowatts full provisioned power; null where the descriptor does not determine it
 * @param sets each set of nodes
 * @param declared whether a declared figure governs, which does not split into sets
 * @param estimated whether a value of Appendix D is in the sum, which makes it "MLC Estimated Power"
 * @param problems what the checker refuses
 * @param gaps values that are missing, for which the checker may take a default of Appendix D
 */
record ProvisionedPower(
        double majorWatts,
        double overhead,
        double publishedWatts,
        double switchWatts,
        @Nullable Double kilowatts,
        List<NodeSet> sets,
        boolean declared,
        boolean estimated,
        List<String> problems,
        List<String> gaps) {

    /**
     * A set of equal nodes.
     *
     * @param id {@code node_set_id}
     * @param ensemble {@code system_node_ensemble_id}, which {@code nodes_used} of a point names
     * @param nodes provisioned nodes, N
     * @param watts power of the set without scale-out switches, P
     */
    record NodeSet(long id, long ensemble, long nodes, double watts) {}

    /**
     * Power of a point: Σ P·(Y/N) + S·(ΣY/ΣN), rounded once. A declared figure is scaled by the largest share of any set.
     *
     * @param used nodes by {@code node_set_id}, Y; a set that is not named is used whole
     * @return kilowatts; null if the provisioned power is unknown
     */
    @Nullable
    Double pointKilowatts(Map<Long, Long> used) {
        double watts = 0;
        double engaged = 0;
        double provisioned = 0;
        double largest = 0;
        for (NodeSet each : sets) {
            double nodes = used.getOrDefault(each.id(), each.nodes());
            engaged += nodes;
            provisioned += each.nodes();
            watts += each.watts() * nodes / each.nodes();
            largest = Math.max(largest, nodes / each.nodes());
        }
        if (kilowatts == null || engaged == provisioned) {
            return kilowatts;
        }
        return rounded(declared ? kilowatts * largest : (watts + switchWatts * engaged / provisioned) / 1000, 2);
    }

    /**
     * Nodes by {@code node_set_id} of {@code nodes_used} in {@code point.yaml}; empty without it: the point counts with the whole system.
     *
     * @param problems receives what does not match the sets
     * @return null if something does not match
     */
    @Nullable
    Map<Long, Long> nodesUsed(Node point, List<String> problems) {
        Map<Long, Long> used = new HashMap<>();
        for (Node each : point.nodes("nodes_used")) {
            Long ensemble = each.whole("system_node_ensemble_id");
            Long nodes = each.whole("nodes");
            List<NodeSet> named = sets.stream()
                    .filter(set -> ensemble != null && set.ensemble() == ensemble)
                    .toList();
            if (named.size() != 1
                    || nodes == null
                    || nodes < 1
                    || nodes > named.get(0).nodes()
                    || used.put(named.get(0).id(), nodes) != null) {
                problems.add(each.label() + ": " + nodes + " nodes of system_node_ensemble_id " + ensemble
                        + " are not 1 to all nodes of one set of system_power.json, named once");
                return null;
            }
        }
        return used;
    }

    /** A number to so many decimals, half to even by its exact binary value. */
    static double rounded(double value, int decimals) {
        return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).doubleValue();
    }

    /** Tokens a second and kilowatt to one decimal as the rules report it; exact where that would be off by more than 0.5 %, half of what is tolerated. */
    static double perKilowatt(double tokensPerSecond, double kilowatts) {
        double exact = tokensPerSecond / kilowatts;
        double rounded = rounded(exact, 1);
        return Math.abs(rounded - exact) <= 0.005 * exact ? rounded : exact;
    }

    /** The terms in watts by their keys in {@code computed}. */
    Map<String, Double> terms() {
        Map<String, Double> terms = new LinkedHashMap<>();
        terms.put("major_components_w", majorWatts);
        terms.put("overhead_fraction", overhead);
        terms.put("other_components_w", majorWatts * overhead);
        terms.put("published_node_power_w", publishedWatts);
        terms.put("scale_out_switch_power_w", switchWatts);
        terms.put("total_system_power_w", majorWatts * (1 + overhead) + publishedWatts + switchWatts);
        return terms;
    }

    /** The keys {@code computed}, {@code provisioned_power_kw} and {@code mlc_estimated_power} of the descriptor; empty where the power is unknown. */
    Map<String, Object> computed() {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (kilowatts != null) {
            if (!declared) {
                tree.put("computed", terms());
            }
            tree.put("provisioned_power_kw", kilowatts);
            tree.put("mlc_estimated_power", estimated);
        }
        return tree;
    }
}
