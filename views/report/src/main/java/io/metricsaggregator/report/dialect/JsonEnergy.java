package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.EnergyFigures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code energy} of the JSON report: energy, ratios and cost by window. */
final class JsonEnergy {
    private JsonEnergy() {}

    /** The part; null if neither energy was measured nor power or price stated. */
    static @Nullable Map<String, @Nullable Object> of(Report report) {
        List<EnergyFigures> figures = EnergyFigures.of(report);
        if (figures.isEmpty()) {
            return null;
        }
        EnergyUse measured = report.snapshot().extensions().optional().energy();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("idle_w", figures.get(0).idleWatts());
        tree.put("not_measured", measured == null ? List.of() : measured.notMeasured());
        Map<String, @Nullable Object> windows = new LinkedHashMap<>();
        figures.forEach(each -> windows.put(each.window(), of(each)));
        tree.put("windows", windows);
        return tree;
    }

    private static Map<String, @Nullable Object> of(EnergyFigures figures) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        EnergyWindow energy = figures.energy();
        tree.put("measured", energy == null ? null : of(energy));
        tree.put("duration_s", figures.work().seconds());
        tree.put("requests", figures.work().requests());
        tree.put("output_tokens", figures.work().outputTokens());
        tree.put("input_tokens", figures.work().inputTokens());
        tree.put("energy_above_idle_j", figures.joulesAboveIdle());
        tree.put("j_per_request", figures.joulesPerRequest());
        tree.put("j_per_output_token", figures.joulesPerOutputToken());
        tree.put("j_per_token", figures.joulesPerToken());
        tree.put("output_tokens_per_j", figures.outputTokensPerJoule());
        tree.put("tps_per_w", figures.tokensPerSecondPerWatt());
        tree.put("goodput_per_w", figures.goodPerSecondPerWatt());
        tree.put("energy_delay_js", figures.energyDelay());
        tree.put("system_tps_per_kw", figures.tokensPerSecondPerKilowatt());
        tree.put("usd_per_million_output_tokens", figures.usdPerMillionOutputTokens());
        tree.put("usd_per_million_total_tokens", figures.usdPerMillionTokens());
        tree.put("usd_per_request", figures.usdPerRequest());
        return tree;
    }

    private static Map<String, @Nullable Object> of(EnergyWindow window) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("from_ns", window.fromNanos());
        tree.put("to_ns", window.toNanos());
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
        List<Object> devices = new ArrayList<>();
        window.devices().forEach(each -> devices.add(of(each)));
        tree.put("devices", devices);
        return tree;
    }

    private static Map<String, @Nullable Object> of(DeviceEnergy device) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("id", device.id());
        tree.put("scope", device.scope().wire());
        tree.put("source", device.source());
        tree.put("energy_j", device.coveredSeconds() > 0 ? (Double) device.joules() : null);
        tree.put("mean_w", device.watts());
        tree.put("covered_s", device.coveredSeconds());
        tree.put("resets", device.resets());
        tree.put("samples", device.samples());
        return tree;
    }
}
