package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.EnergyFigure;
import io.metricsaggregator.analysis.EnergyFigures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.DeviceEnergy;
import io.metricsaggregator.snapshot.figures.EnergyScope;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.EnergyWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes energy and cost: what was measured and how much of the windows it covers, ratios by window, and the devices. */
public final class EnergySection {
    private static final int DEVICES_SHOWN = 16;
    private static final int NAME_MAX = 48;
    private static final int REASON_MAX = 256;

    private EnergySection() {}

    /** The energy of a snapshot; null if it has none. */
    public static @Nullable EnergyUse of(MetricsSnapshot snapshot) {
        return snapshot.extensions().optional().energy();
    }

    /** The section; null if neither energy was measured nor power or price stated. */
    static @Nullable Section of(Report report) {
        List<EnergyFigures> figures = EnergyFigures.of(report);
        if (figures.isEmpty()) {
            return null;
        }
        List<Section.Block> blocks = new ArrayList<>();
        EnergyFigures main = EnergyFigures.main(report);
        if (main != null && main.energy() != null) {
            lines(main, main.energy(), blocks);
        }
        EnergyUse energy = of(report.snapshot());
        for (String each : energy == null ? List.<String>of() : energy.notMeasured()) {
            blocks.add(new Section.Line("not measured: " + Printable.escape(each, REASON_MAX)));
        }
        Section.Table ratios = ratios(figures);
        if (!ratios.rows().isEmpty()) {
            blocks.add(ratios);
        }
        if (main != null && main.energy() != null && main.energy().joules() != null) {
            blocks.add(devices(main.energy()));
        }
        return blocks.isEmpty() ? null : new Section("Energy and cost", "Energy", blocks);
    }

    private static void lines(EnergyFigures main, EnergyWindow window, List<Section.Block> blocks) {
        blocks.add(
                new Section.Line(summary(window) + " in the " + (main.window().equals("run") ? "run" : "tracked time")
                        + (main.idleWatts() == null ? "" : ", idle " + number(main.idleWatts()) + " W")));
        if (window.joules() != null && !window.isComplete()) {
            blocks.add(new Section.Line(String.format(
                    Locale.ROOT,
                    "no ratios: some of the %,d devices cover only %.1f s of %.1f s, less than 95%%",
                    window.expected(),
                    window.coveredSeconds(),
                    window.seconds())));
        }
        if (window.resets() > 0) {
            blocks.add(new Section.Line(
                    window.resets() + " resets of counters; the time around a reset counts by power, if"
                            + " that is exposed, else not at all"));
        }
        if (window.joules(EnergyScope.GPU) != null && window.joules(EnergyScope.PACKAGE) != null) {
            blocks.add(new Section.Line("components of the machines: " + joules(window.componentJoules())
                    + " in GPUs, processors and memory; not the power at the wall"));
        }
        if (main.settings().kilowatts() != null) {
            blocks.add(new Section.Line(String.format(
                    Locale.ROOT, "provisioned power: %.2f kW", main.settings().kilowatts())));
        }
    }

    /** Energy and mean power of a window in a clause, such as {@code 12.4 kJ, mean 850 W of 2 GPUs}. */
    public static String summary(EnergyWindow window) {
        Double watts = window.watts();
        if (watts == null) {
            return "no energy measured of " + devices(window.expected(), window.basis());
        }
        return joules(window.joules()) + ", mean " + number(watts) + " W of "
                + devices(window.expected(), window.basis());
    }

    private static String devices(int count, String basis) {
        String what = basis.equals("gpu") ? "GPU" : "RAPL zone";
        return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    private static Section.Table ratios(List<EnergyFigures> figures) {
        List<String> titles = new ArrayList<>(List.of("Energy and cost", "unit"));
        figures.forEach(each -> titles.add(each.window()));
        List<List<String>> rows = new ArrayList<>();
        for (EnergyFigure figure : EnergyFigure.values()) {
            List<String> row = new ArrayList<>(List.of(figure.title(), figure.unit()));
            boolean any = false;
            for (EnergyFigures each : figures) {
                Double value = figure.of(each);
                any |= value != null;
                row.add(value == null ? "-" : number(value));
            }
            if (any) {
                rows.add(row);
            }
        }
        return Section.Table.ofNumbers(titles, rows);
    }

    private static Section.Table devices(EnergyWindow window) {
        List<List<String>> rows = new ArrayList<>();
        for (DeviceEnergy each : window.devices()) {
            if (rows.size() < DEVICES_SHOWN) {
                Double watts = each.watts();
                rows.add(List.of(
                        Printable.escape(each.id(), NAME_MAX),
                        each.scope().wire(),
                        watts == null ? "-" : joules(each.joules()),
                        watts == null ? "-" : number(watts) + " W",
                        String.format(Locale.ROOT, "%.1f s", each.coveredSeconds()),
                        Long.toString(each.resets())));
            }
        }
        int more = window.devices().size() - rows.size();
        if (more > 0) {
            rows.add(List.of("and " + more + " more", "", "", "", "", ""));
        }
        return Section.Table.ofNumbers(List.of("By device", "scope", "energy", "mean", "covered", "resets"), rows);
    }

    /** Joules for people, such as {@code 12.4 kJ}; {@code -} for null. */
    static String joules(@Nullable Double joules) {
        if (joules == null) {
            return "-";
        }
        double size = Math.abs(joules);
        return size >= 1e9
                ? number(joules / 1e9) + " GJ"
                : size >= 1e6
                        ? number(joules / 1e6) + " MJ"
                        : size >= 1e3 ? number(joules / 1e3) + " kJ" : number(joules) + " J";
    }

    /** A number with four significant digits. */
    static String number(double value) {
        double size = Math.abs(value);
        if (value == 0) {
            return "0";
        }
        return size >= 1000
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(
                        Locale.ROOT,
                        "%." + Math.min(8, (int) Math.max(0, 3 - Math.floor(Math.log10(size)))) + "f",
                        value);
    }
}
