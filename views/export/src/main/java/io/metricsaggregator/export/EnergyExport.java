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

    static void add(EnergyUse energy, DistinctMetrics out) {
        window("run", energy.run(), out);
        window("tracked", energy.tracked(), out);
        window("steady", energy.steady(), out);
        out.gauge("energy_idle_watts", "power before the first issue", Map.of(), energy.idleWatts());
        EnergyWindow main = energy.main();
        int rows = 0;
        for (DeviceEnergy each : main == null ? List.<DeviceEnergy>of() : main.devices()) {
            if (each.scope() == EnergyScope.GPU && each.coveredSeconds() > 0) {
                if (rows++ < GPUS_MAX) {
                    Map<String, String> labels = Map.of("gpu", each.id());
                    out.gauge("energy_gpu_joules", "energy by GPU, tracked", labels, each.joules());
                    out.gauge("energy_gpu_mean_watts", "mean power by GPU, tracked", labels, each.watts());
                } else {
                    out.countLeftOut(1);
                }
            }
        }
    }

    private static void window(String name, @Nullable EnergyWindow window, DistinctMetrics out) {
        if (window == null) {
            return;
        }
        for (EnergyScope scope : EnergyScope.values()) {
            Map<String, String> labels = Map.of("window", name, "scope", scope.wire());
            out.gauge("energy_joules", "energy in a window so far", labels, window.joules(scope));
            out.gauge("energy_mean_watts", "mean power in a window so far", labels, window.watts(scope));
        }
        Map<String, String> labels = Map.of("window", name);
        out.gauge(
                "energy_covered_seconds",
                "the part of a window in which all energy is known",
                labels,
                window.coveredSeconds());
        out.gauge(
                "energy_complete", "1 if every device covers 95 % of the window", labels, window.isComplete() ? 1 : 0);
        out.gauge("energy_resets", "restarts of counters of energy in a window", labels, window.resets());
    }
}
