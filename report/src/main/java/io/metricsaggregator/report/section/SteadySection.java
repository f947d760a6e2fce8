package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.snapshot.SteadyState;
import io.metricsaggregator.snapshot.SteadyWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes the steady state of a run: its state in a sentence, and the figures of the steady window beside those of the run. */
public final class SteadySection {
    private SteadySection() {}

    /** The steady state of a snapshot; null if it has none. */
    public static @Nullable SteadyState of(MetricsSnapshot snapshot) {
        return snapshot.extensions() == null
                ? null
                : snapshot.extensions().optional().steady();
    }

    /** The state in one sentence without a full stop, such as {@code steady since 0:42 for 2:40 (CoV 1.2%); certified in 7:20}. */
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
                        "changed by %+.1f%% at %s, at a new level since",
                        steady.shiftPercent() == null ? 0 : steady.shiftPercent(),
                        clock(steady.sinceSessionNanos()));
            case "drifting_up" -> "drifting up" + drift(steady) + ": responses become slower";
            case "drifting_down" -> "drifting down" + drift(steady) + ": responses become faster";
            case "unsteady" -> "unsteady" + cov(steady);
            default -> steady.state();
        };
    }

    /** The state without its measure, for a narrow screen, such as {@code steady since 0:42 for 2:40; certified after another 7:20}. */
    public static String inShort(SteadyState steady) {
        return state(steady).replaceFirst(" \\([^)]*\\)", "");
    }

    private static String certificate(SteadyState steady) {
        return steady.isCertified()
                ? "certified, at least " + clock(Math.round(steady.requiredSeconds() * 1e9)) + " are required"
                : "certified after another "
                        + clock(Math.round((steady.requiredSeconds() - steady.steadySeconds()) * 1e9));
    }

    private static String cov(SteadyState steady) {
        Double cov = steady.cov();
        return cov == null ? "" : String.format(Locale.ROOT, " (CoV of %s %.1f%%)", steady.driver(), 100 * cov);
    }

    private static String drift(SteadyState steady) {
        Double drift = steady.drift();
        return drift == null ? "" : String.format(Locale.ROOT, " %.1f%% (%s)", 100 * Math.abs(drift), steady.driver());
    }

    /** Minutes and seconds, with hours if there are any; {@code -} for null. */
    private static String clock(@Nullable Long nanos) {
        if (nanos == null) {
            return "-";
        }
        long seconds = Math.round(nanos / 1e9);
        return seconds >= 3600
                ? String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
    }

    /** The state, and for a finished steady run a line for each figure of the window; null for a run without tracked samples. */
    static @Nullable Section of(Report report) {
        SteadyState steady = of(report.snapshot());
        if (steady == null) {
            return null;
        }
        List<String> lines = new ArrayList<>();
        lines.add(state(steady));
        SteadyWindow window = steady.window();
        if (window != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "window: %,d samples issued in %s, %s issued/s%s%s%s",
                    window.samples(),
                    clock(window.issueNanos()),
                    Figures.rate(window.issuedPerSecond()),
                    rate(", %s output tokens/s", window.tokensPerSecond(), report.tokensPerSecond()),
                    rate(", %s tokens/s per user", window.tokensPerSecondPerUser(), null),
                    rate(", %s good/s", window.goodPerSecond(), report.goodPerSecond())));
            durations(lines, "TTFT", window.ttft(), report.snapshot().series(SeriesName.TTFT_NS));
            durations(lines, "TPOT", window.tpot(), report.snapshot().series(SeriesName.TPOT_NS));
            durations(lines, "latency", window.latency(), report.snapshot().series(SeriesName.SAMPLE_LATENCY_NS));
        }
        return Section.ofLines("Steady state", "Steady", lines);
    }

    private static String rate(String text, @Nullable Double steady, @Nullable Double run) {
        if (steady == null) {
            return "";
        }
        String value = String.format(Locale.ROOT, text, Figures.rate(steady));
        return run == null ? value : value + " (run " + Figures.rate(run) + change(steady, run) + ")";
    }

    private static void durations(
            List<String> lines, String title, SteadyWindow.@Nullable Durations steady, @Nullable SeriesMetric run) {
        if (steady == null) {
            return;
        }
        lines.add(title + " p50 " + beside(steady.p50(), run, Percentile.P50) + ", p90 "
                + beside(steady.p90(), run, Percentile.P90) + ", p99 " + beside(steady.p99(), run, Percentile.P99));
    }

    private static String beside(double steady, @Nullable SeriesMetric run, Percentile percentile) {
        Double whole = run == null ? null : run.percentile(percentile);
        return Figures.duration(steady)
                + (whole == null ? "" : " (run " + Figures.duration(whole) + change(steady, whole) + ")");
    }

    /** The change of the steady figure against the run's; empty if the run's is 0. */
    private static String change(double steady, double run) {
        return run == 0 ? "" : String.format(Locale.ROOT, ", %+.1f%%", 100 * (steady - run) / run);
    }
}
