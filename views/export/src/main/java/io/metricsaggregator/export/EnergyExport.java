package io.metricsaggregator.export;

import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exports energy and power by window and scope, and by GPU. */
final class EnergyExport {
    private static final int GPUS_MAX = 256;

    private EnergyExport() {}

    static void add(EnergyUse energy, String prefix, DistinctMetrics out) {
        window("run", energy.run(), prefix, out);
        window("tracked", energy.tracked(), prefix, out);
        window("steady", energy.steady(), prefix, out);
        gauge(out, prefix + "energy_idle_watts", "power before the first issue", Map.of(), energy.idleWatts());
        EnergyWindow main = energy.main();
        int rows = 0;
        for (DeviceEnergy each : main == null ? List.<DeviceEnergy>of() : main.devices()) {
            if (each.scope() == EnergyScope.GPU && each.coveredSeconds() > 0) {
                if (rows++ < GPUS_MAX) {
                    Map<String, String> labels = Map.of("gpu", each.id());
                    gauge(out, prefix + "energy_gpu_joules", "energy by GPU, tracked", labels, each.joules());
                    gauge(out, prefix + "energy_gpu_mean_watts", "mean power by GPU, tracked", labels, each.watts());
                } else {
                    out.countLeftOut(1);
                }
            }
        }
    }

    private static void window(String name, @Nullable EnergyWindow window, String prefix, DistinctMetrics out) {
        if (window == null) {
            return;
        }
        for (EnergyScope scope : EnergyScope.values()) {
            Map<String, String> labels = Map.of("window", name, "scope", scope.wire());
            gauge(out, prefix + "energy_joules", "energy in a window so far", labels, window.joules(scope));
            gauge(out, prefix + "energy_mean_watts", "mean power in a window so far", labels, window.watts(scope));
        }
        Map<String, String> labels = Map.of("window", name);
        gauge(
                out,
                prefix + "energy_covered_seconds",
                "the part of a window in which all energy is known",
                labels,
                window.coveredSeconds());
        gauge(
                out,
                prefix + "energy_complete",
                "1 if every device covers 95 % of the window",
                labels,
                window.isComplete() ? 1.0 : 0.0);
        gauge(out, prefix + "energy_resets", "restarts of counters of energy in a window", labels, (double)
                window.resets());
    }

    private static void gauge(
            DistinctMetrics out, String name, String help, Map<String, String> labels, @Nullable Double value) {
        if (value != null) {
            out.add(new Exported.Gauge(name, help, labels, value));
        }
    }
}
