package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.EnergyFigures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
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
        return ReportFields.of(
                "energy",
                window,
                EnergyWindow::pass,
                "devices",
                window.devices().stream().map(JsonEnergy::of).toList());
    }

    private static Map<String, @Nullable Object> of(DeviceEnergy device) {
        return ReportFields.of(
                "device",
                device,
                DeviceEnergy::pass,
                "scope",
                device.scope().wire(),
                "energy_j",
                device.coveredSeconds() > 0 ? (Double) device.joules() : null);
    }
}
