package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.list;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.TreeValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts an {@link EnergyUse} to and from a map. The map also holds sums and means, which reading ignores. */
final class EnergyUseCodec {
    private static final String FIELD = "energy";

    private EnergyUseCodec() {}

    static Map<String, @Nullable Object> of(EnergyUse energy) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        put(tree, "run", energy.run());
        put(tree, "tracked", energy.tracked());
        put(tree, "steady", energy.steady());
        tree.put("idle_w", energy.idleWatts());
        tree.put("not_measured", energy.notMeasured());
        return tree;
    }

    private static void put(Map<String, @Nullable Object> tree, String name, @Nullable EnergyWindow window) {
        if (window != null) {
            tree.put(name, of(window));
        }
    }

    private static Map<String, @Nullable Object> of(EnergyWindow window) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("from_ns", window.fromNanos());
        tree.put("to_ns", window.toNanos());
        tree.put("from_wall_ns", window.fromWallNanos());
        tree.put("duration_s", window.seconds());
        tree.put("basis", window.basis());
        tree.put("energy_j", window.joules());
        tree.put("mean_w", window.watts());
        tree.put("covered_s", window.coveredSeconds());
        tree.put("complete", window.isComplete());
        tree.put("resets", window.resets());
        tree.put("it_energy_j", window.componentJoules());
        Map<String, @Nullable Object> scopes = new LinkedHashMap<>();
        for (EnergyScope scope : EnergyScope.values()) {
            if (window.joules(scope) != null) {
                Map<String, @Nullable Object> each = new LinkedHashMap<>();
                each.put("energy_j", window.joules(scope));
                each.put("mean_w", window.watts(scope));
                scopes.put(scope.wire(), each);
            }
        }
        tree.put("by_scope", scopes);
        tree.put("by_gpu", devices(window, true));
        tree.put("by_zone", devices(window, false));
        return tree;
    }

    private static List<Map<String, @Nullable Object>> devices(EnergyWindow window, boolean gpus) {
        List<Map<String, @Nullable Object>> rows = new ArrayList<>();
        for (DeviceEnergy each : window.devices()) {
            if ((each.scope() == EnergyScope.GPU) == gpus) {
                rows.add(of(each));
            }
        }
        return rows;
    }

    private static Map<String, @Nullable Object> of(DeviceEnergy device) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("id", device.id());
        if (device.scope() != EnergyScope.GPU) {
            tree.put("scope", device.scope().wire());
        }
        tree.put("source", device.source());
        tree.put("energy_j", device.joules());
        tree.put("mean_w", device.watts());
        tree.put("covered_s", device.coveredSeconds());
        tree.put("resets", device.resets());
        tree.put("samples", device.samples());
        DeviceEnergy.Power power = device.power();
        if (power != null) {
            Map<String, @Nullable Object> watts = new LinkedHashMap<>();
            watts.put("n", power.count());
            watts.put("mean", power.mean());
            watts.put("p50", power.p50());
            watts.put("p95", power.p95());
            watts.put("max", power.max());
            watts.put("min", power.min());
            tree.put("power_w", watts);
        }
        return tree;
    }

    static EnergyUse read(Map<?, ?> tree) throws MalformedMessageException {
        List<String> reasons = new ArrayList<>();
        if (tree.get("not_measured") != null) {
            for (Object each : list(FIELD + ".not_measured", tree.get("not_measured"))) {
                reasons.add(text(FIELD + ".not_measured", each));
            }
        }
        return new EnergyUse(
                window(tree, "run"),
                window(tree, "tracked"),
                window(tree, "steady"),
                tree.get("idle_w") == null ? null : (Double) real(FIELD + ".idle_w", tree.get("idle_w")),
                reasons);
    }

    private static @Nullable EnergyWindow window(Map<?, ?> energy, String name) throws MalformedMessageException {
        if (energy.get(name) == null) {
            return null;
        }
        String field = FIELD + "." + name;
        Map<?, ?> tree = map(field, energy.get(name));
        List<DeviceEnergy> devices = new ArrayList<>();
        for (Object each : list(field + ".by_gpu", tree.get("by_gpu"))) {
            devices.add(device(field + ".by_gpu", map(field + ".by_gpu", each)));
        }
        for (Object each : list(field + ".by_zone", tree.get("by_zone"))) {
            devices.add(device(field + ".by_zone", map(field + ".by_zone", each)));
        }
        return new EnergyWindow(
                integer(field + ".from_ns", tree.get("from_ns")),
                integer(field + ".to_ns", tree.get("to_ns")),
                tree.get("from_wall_ns") == null
                        ? null
                        : (Long) integer(field + ".from_wall_ns", tree.get("from_wall_ns")),
                real(field + ".duration_s", tree.get("duration_s")),
                devices);
    }

    private static DeviceEnergy device(String field, Map<?, ?> tree) throws MalformedMessageException {
        return new DeviceEnergy(
                text(field + ".id", tree.get("id")),
                scope(field + ".scope", tree.get("scope")),
                text(field + ".source", tree.get("source")),
                real(field + ".energy_j", tree.get("energy_j")),
                real(field + ".covered_s", tree.get("covered_s")),
                integer(field + ".resets", tree.get("resets")),
                integer(field + ".samples", tree.get("samples")),
                tree.get("power_w") == null ? null : power(field, map(field + ".power_w", tree.get("power_w"))));
    }

    private static EnergyScope scope(String field, @Nullable Object value) throws MalformedMessageException {
        if (value == null) {
            return EnergyScope.GPU;
        }
        String name = text(field, value);
        for (EnergyScope each : EnergyScope.values()) {
            if (each.wire().equals(name)) {
                return each;
            }
        }
        throw TreeValues.wrong(field, "a scope of energy", value);
    }

    private static DeviceEnergy.Power power(String field, Map<?, ?> tree) throws MalformedMessageException {
        return new DeviceEnergy.Power(
                integer(field + ".power_w.n", tree.get("n")),
                real(field + ".power_w.mean", tree.get("mean")),
                real(field + ".power_w.p50", tree.get("p50")),
                real(field + ".power_w.p95", tree.get("p95")),
                real(field + ".power_w.max", tree.get("max")),
                real(field + ".power_w.min", tree.get("min")));
    }
}
