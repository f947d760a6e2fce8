package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.EnergyFigures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code power.json} of MLCommons endpoints, over the tracked windows. Its sources are devices rather than sampling commands. */
public final class PowerJson implements Dialect {
    private static final double NANOS_PER_SECOND = 1e9;

    @Override
    public String render(Report report) {
        EnergyFigures figures = EnergyFigures.main(report);
        EnergyWindow window = figures == null ? null : figures.energy();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("schema_version", "1.0");
        tree.put("status", status(window));
        tree.put("window", window == null || figures == null ? null : window(window, figures.window()));
        tree.put("totals", window == null || figures == null ? null : totals(window, figures));
        List<Object> sources = new ArrayList<>();
        for (DeviceEnergy each : window == null ? List.<DeviceEnergy>of() : window.devices()) {
            sources.add(source(each));
        }
        tree.put("sources", sources);
        tree.put("provenance", window == null ? null : provenance(window));
        return ForeignJson.write(tree, notes(report));
    }

    /** {@code ok}, {@code partial} if a device covers less than 95 % of the window, or {@code no_data}. */
    private static String status(@Nullable EnergyWindow window) {
        return window == null || window.joules() == null ? "no_data" : window.isComplete() ? "ok" : "partial";
    }

    private static Map<String, @Nullable Object> window(EnergyWindow window, String basis) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        Long wall = window.fromWallNanos();
        Double start = wall == null ? null : (Double) (wall / NANOS_PER_SECOND);
        double length = ((double) window.toNanos() - window.fromNanos()) / NANOS_PER_SECOND;
        tree.put("start_epoch_s", start);
        tree.put("end_epoch_s", start == null ? null : (Double) (start + length));
        tree.put("duration_s", window.seconds());
        tree.put("basis", basis.equals("tracked") ? "performance_phase" : "session");
        return tree;
    }

    private static Map<String, @Nullable Object> totals(EnergyWindow window, EnergyFigures figures) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        Double tokens = figures.work().outputTokens();
        tree.put("energy_j", window.joules());
        tree.put("mean_power_w", window.watts());
        tree.put("output_tokens", tokens == null ? null : (Long) Math.round(tokens));
        tree.put("token_window_basis", tokens == null ? "none" : figures.window());
        // Tokens and energy are always of one window here; without tokens there is nothing to be consistent with.
        tree.put("consistent_with_window", tokens != null);
        tree.put("energy_per_output_token_j", figures.joulesPerOutputToken());
        tree.put("energy_per_output_token_note", note(window, tokens));
        return tree;
    }

    private static @Nullable String note(EnergyWindow window, @Nullable Double tokens) {
        if (window.joules() == null) {
            return "no energy integrated over window";
        }
        if (tokens == null || tokens <= 0) {
            return "output token count unavailable";
        }
        return window.isComplete() ? null : "a device covers less than 95 % of the window";
    }

    private static Map<String, @Nullable Object> source(DeviceEnergy device) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put(
                "label",
                device.scope() == EnergyScope.GPU ? device.id() : device.scope().wire() + " " + device.id());
        tree.put("value_kind", kind(device));
        tree.put("sample_count", device.samples());
        tree.put("energy_j", device.coveredSeconds() > 0 ? (Double) device.joules() : null);
        DeviceEnergy.Power power = device.power();
        Map<String, @Nullable Object> watts = null;
        if (power != null) {
            watts = new LinkedHashMap<>();
            watts.put("n", power.count());
            watts.put("mean", power.mean());
            watts.put("p50", power.p50());
            watts.put("p95", power.p95());
            watts.put("max", power.max());
            watts.put("min", power.min());
        }
        tree.put("power_w", watts);
        return tree;
    }

    private static String kind(DeviceEnergy device) {
        return device.source().toLowerCase(Locale.ROOT).endsWith("power_usage") ? "power_w" : "energy_j";
    }

    private static Map<String, @Nullable Object> provenance(EnergyWindow window) {
        long samples =
                window.devices().stream().mapToLong(DeviceEnergy::samples).sum();
        long most =
                window.devices().stream().mapToLong(DeviceEnergy::samples).max().orElse(0);
        List<String> kinds =
                window.devices().stream().map(PowerJson::kind).distinct().toList();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("command", null);
        tree.put("interval_s", most < 2 ? null : (Double) (window.seconds() / (most - 1)));
        tree.put("value_kind", kinds.size() == 1 ? kinds.get(0) : "mixed");
        tree.put("samples_parsed", samples);
        tree.put("samples_in_window", samples);
        tree.put("samples_dropped", 0L);
        tree.put("collector_status", "ok");
        tree.put("collector_error", null);
        return tree;
    }

    @Override
    public List<String> notes(Report report) {
        List<String> notes = new ArrayList<>();
        EnergyFigures figures = EnergyFigures.main(report);
        EnergyWindow window = figures == null ? null : figures.energy();
        if (window == null || window.joules() == null) {
            notes.add(
                    "no energy was measured: scrape DCGM or Triton with run --scrape, or sample the host with run --host as root");
        } else if (!window.isComplete()) {
            notes.add("energy per token: a device covers less than 95 % of the window");
        }
        return notes;
    }
}
