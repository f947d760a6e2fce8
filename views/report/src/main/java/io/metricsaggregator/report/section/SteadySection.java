package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SteadyFigure;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.figures.SaturationMonitor;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes the steady state of a run: its state in a sentence, and the figures of the steady window beside those of the run. */
public final class SteadySection {
    private SteadySection() {}

    /** The steady state of a snapshot; null if it has none. */
    public static @Nullable SteadyState of(MetricsSnapshot snapshot) {
        return SteadyFigure.stateOf(snapshot);
    }

    /** The state in one sentence without a full stop, such as {@code steady since 0:42 for 2:40 (CoV 1.2%); to be held for another 7:20}. */
    public static String state(SteadyState steady) {
        return switch (steady.state()) {
            case "warming_up" ->
                String.format(
                        Locale.ROOT,
                        "warming up, %d of %d batches",
                        Math.min(steady.closed(), steady.needed()),
                        steady.needed());
            case "steady" ->
                "steady since " + clock(steady.sinceSessionNanos()) + " for "
                        + clock(Math.round(steady.steadySeconds() * 1e9)) + cov(steady) + "; " + certificate(steady);
            case "shifted" ->
                String.format(
                        Locale.ROOT,
                        "not at one level: changed by %+.1f%%, in a step or a trend, change point at %s",
                        steady.shiftPercent() == null ? 0 : steady.shiftPercent(),
                        clock(steady.sinceSessionNanos()));
            case "drifting_up" -> "drifting up" + drift(steady) + ": responses become slower";
            case "drifting_down" -> "drifting down" + drift(steady) + ": responses become faster";
            case "unsteady" -> "unsteady" + cov(steady);
            default -> steady.state();
        };
    }

    /** The state without its measure, for a narrow screen, such as {@code steady since 0:42 for 2:40; to be held for another 7:20}. */
    public static String inShort(SteadyState steady) {
        return state(steady).replaceFirst(" \\([^)]*\\)", "");
    }

    private static String certificate(SteadyState steady) {
        return steady.isCertified()
                ? "held for the required " + clock(Math.round(steady.requiredSeconds() * 1e9))
                : "to be held for another "
                        + clock(Math.round((steady.requiredSeconds() - steady.steadySeconds()) * 1e9));
    }

    private static String cov(SteadyState steady) {
        Double cov = steady.cov();
        return cov == null
                ? ""
                : String.format(Locale.ROOT, " (CoV of %s %.1f%%)", SteadyFigure.driver(steady), 100 * cov);
    }

    private static String drift(SteadyState steady) {
        Double drift = steady.drift();
        return drift == null
                ? ""
                : String.format(Locale.ROOT, " %.1f%% (%s)", 100 * Math.abs(drift), SteadyFigure.driver(steady));
    }

    /** Minutes and seconds, with hours if there are any; {@code -} for null. */
    private static String clock(@Nullable Long nanos) {
        return nanos == null ? "-" : Figures.clock(Math.round(nanos / 1e9), false);
    }

    /** The state, the judgement by super-passes, and where the window differs from the run; null for a run without tracked samples. */
    static @Nullable Section of(Report report) {
        SteadyState steady = of(report.snapshot());
        if (steady == null) {
            return null;
        }
        List<String> lines = new ArrayList<>();
        lines.add(state(steady));
        String overload = overload(steady);
        if (overload != null) {
            lines.add(overload);
        }
        if (steady.superPasses() != null) {
            lines.addAll(SuperPassText.of(steady.superPasses()));
        }
        SteadyWindow window = steady.window();
        if (window != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "window: %,d samples issued in %s%s",
                    window.samples(),
                    clock(window.issueNanos()),
                    window.superPasses() == null ? "" : ", " + window.superPasses() + " super-passes"));
            String notable = SteadyFigure.of(report).stream()
                    .filter(SteadyFigure::isNotable)
                    .map(each -> each.title() + " " + change(each))
                    .collect(Collectors.joining(", "));
            if (!notable.isEmpty()) {
                lines.add("the window differs from the run by more than 10%: " + notable);
            }
        }
        return Section.ofLines("Steady state", "Steady", lines);
    }

    /** That the server is overloaded, as a clause; null unless it is. */
    public static @Nullable String overload(SteadyState steady) {
        SaturationMonitor saturation = steady.saturation();
        if (saturation == null || !saturation.alert()) {
            return null;
        }
        Double load = saturation.inFlightPerSecond();
        Double ttft = saturation.ttftNanosPerSecond();
        return String.format(Locale.ROOT, "overloaded: samples in flight grow by %.2f/s", load == null ? 0 : load)
                + (ttft == null ? "" : ", the time to first token by " + Figures.duration(ttft) + "/s");
    }

    /** The figures of the window beside those of the run; null for a run without a window. */
    static @Nullable Section window(Report report) {
        List<List<String>> rows =
                SteadyFigure.of(report).stream().map(SteadySection::row).toList();
        return rows.isEmpty()
                ? null
                : new Section(
                        "Steady window",
                        "Window",
                        List.of(Section.Table.ofNumbers(List.of("steady window", "run", "window", "change"), rows)));
    }

    private static List<String> row(SteadyFigure figure) {
        Percentile percentile = figure.percentile();
        if (percentile == null) {
            return List.of(figure.title(), rate(figure.run()), rate(figure.steady()), change(figure));
        }
        SeriesMetric run = figure.series();
        String window =
                PercentileText.of(figure.steady(), percentile.percent(), figure.steadyCount(), Figures::duration);
        return List.of(
                figure.title(),
                run == null
                        ? "-"
                        : PercentileText.estimate(run) + PercentileText.of(run, percentile, Figures::duration),
                PercentileText.ESTIMATE + " " + window,
                change(figure));
    }

    private static String rate(@Nullable Double value) {
        return value == null ? "-" : Figures.rate(value);
    }

    private static String change(SteadyFigure figure) {
        Double delta = figure.deltaPercent();
        return delta == null ? "-" : String.format(Locale.ROOT, "%+.1f%%", delta);
    }
}
