package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SteadyFigure;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part {@code steady} of the JSON report: the steady state and the figures of its window. */
final class JsonSteady {
    private JsonSteady() {}

    static Map<String, @Nullable Object> of(SteadyState steady, Report report) {
        SteadyWindow window = steady.window();
        SuperPasses passes = steady.superPasses();
        return ReportFields.of(
                "steady",
                steady,
                SteadyState::pass,
                "window",
                window == null ? null : window(window, report),
                "super_passes",
                passes == null ? null : superPasses(passes));
    }

    private static Map<String, @Nullable Object> superPasses(SuperPasses passes) {
        return ReportFields.of("super_passes", passes, SuperPasses::pass, "not_judged", passes.notJudged());
    }

    private static Map<String, @Nullable Object> window(SteadyWindow window, Report report) {
        Map<String, @Nullable Object> delta = new LinkedHashMap<>();
        SteadyFigure.of(report).forEach(each -> delta.put(each.name(), each.deltaPercent()));
        return ReportFields.of(
                "window", window, SteadyWindow::passAll, "super_passes", window.superPasses(), "delta_pct", delta);
    }
}
