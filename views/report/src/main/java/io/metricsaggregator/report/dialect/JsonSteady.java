package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.SteadyFigure;
import io.metricsaggregator.snapshot.figures.SaturationMonitor;
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
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("state", steady.state());
        tree.put("driver", steady.driver());
        tree.put("closed", steady.closed());
        tree.put("needed", steady.needed());
        tree.put("since_session_ns", steady.sinceSessionNanos());
        tree.put("steady_for_s", steady.steadySeconds());
        tree.put("required_s", steady.requiredSeconds());
        tree.put("certified", steady.isCertified());
        tree.put("cov_ratio", steady.cov());
        tree.put("rel_drift_ratio", steady.drift());
        tree.put("p", steady.p());
        tree.put("shift_pct", steady.shiftPercent());
        SteadyWindow window = steady.window();
        tree.put("window", window == null ? null : window(window, report));
        SaturationMonitor saturation = steady.saturation();
        if (saturation != null) {
            Map<String, @Nullable Object> monitor = new LinkedHashMap<>();
            monitor.put("alert", saturation.alert());
            monitor.put("in_flight_slope_per_s", saturation.inFlightPerSecond());
            monitor.put("ttft_slope_ns_per_s", saturation.ttftNanosPerSecond());
            tree.put("saturation", monitor);
        }
        SuperPasses passes = steady.superPasses();
        if (passes != null) {
            tree.put("super_passes", superPasses(passes));
        }
        return tree;
    }

    private static Map<String, @Nullable Object> superPasses(SuperPasses passes) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("superpass_size", passes.size());
        tree.put("not_judged", passes.notJudged());
        SuperPasses.Judgement judgement = passes.judgement();
        if (judgement != null) {
            tree.put("status", judgement.status());
            tree.put("verdict", judgement.verdict());
            tree.put("anomaly_pct", judgement.anomalyPercent());
            tree.put("compat", judgement.compat());
            tree.put("compat_live", judgement.compatLive());
            tree.put("ours", judgement.ours());
        }
        return tree;
    }

    private static Map<String, @Nullable Object> window(SteadyWindow window, Report report) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("from_ns", window.fromNanos());
        tree.put("to_ns", window.toNanos());
        tree.put("samples", window.samples());
        tree.put("issue_ns", window.issueNanos());
        tree.put("qps_per_s", window.issuedPerSecond());
        tree.put("system_tps_per_s", window.tokensPerSecond());
        tree.put("tps_per_user_per_s", window.tokensPerSecondPerUser());
        tree.put("goodput_per_s", window.goodPerSecond());
        tree.put("ttft_ns", durations(window.ttft()));
        tree.put("tpot_ns", durations(window.tpot()));
        tree.put("sample_latency_ns", durations(window.latency()));
        tree.put("super_passes", window.superPasses());
        Map<String, @Nullable Object> delta = new LinkedHashMap<>();
        SteadyFigure.of(report).forEach(each -> delta.put(each.name(), each.deltaPercent()));
        tree.put("delta_pct", delta);
        return tree;
    }

    private static @Nullable Map<String, Object> durations(SteadyWindow.@Nullable Durations durations) {
        if (durations == null) {
            return null;
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("count", durations.count());
        tree.put("mean", durations.mean());
        tree.put("p50", durations.p50());
        tree.put("p90", durations.p90());
        tree.put("p99", durations.p99());
        return tree;
    }
}
