package io.metricsaggregator.snapshot;

import static io.metricsaggregator.snapshot.fields.TreeValues.integer;
import static io.metricsaggregator.snapshot.fields.TreeValues.map;
import static io.metricsaggregator.snapshot.fields.TreeValues.real;
import static io.metricsaggregator.snapshot.fields.TreeValues.text;

import io.metricsaggregator.codec.MalformedMessageException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a {@link SteadyState} to and from a map. */
final class SteadyStateCodec {
    private static final String FIELD = "steady";

    private SteadyStateCodec() {}

    static Map<String, @Nullable Object> of(SteadyState steady) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("state", steady.state());
        tree.put("driver", steady.driver());
        tree.put("closed", steady.closed());
        tree.put("needed", steady.needed());
        tree.put("since_ns", steady.sinceNanos());
        tree.put("since_session_ns", steady.sinceSessionNanos());
        tree.put("steady_for_s", steady.steadySeconds());
        tree.put("required_s", steady.requiredSeconds());
        tree.put("certified", steady.isCertified());
        tree.put("cov_ratio", steady.cov());
        tree.put("rel_drift_ratio", steady.drift());
        tree.put("p", steady.p());
        tree.put("shift_pct", steady.shiftPercent());
        SteadyWindow window = steady.window();
        if (window != null) {
            Map<String, @Nullable Object> bounds = new LinkedHashMap<>();
            bounds.put("from_ns", window.fromNanos());
            bounds.put("to_ns", window.toNanos());
            bounds.put("samples", window.samples());
            bounds.put("issue_ns", window.issueNanos());
            if (window.superPasses() != null) {
                bounds.put("super_passes", window.superPasses());
            }
            tree.put("window", bounds);
            Map<String, @Nullable Object> summary = new LinkedHashMap<>();
            summary.put("qps_per_s", window.issuedPerSecond());
            summary.put("system_tps_per_s", window.tokensPerSecond());
            summary.put("tps_per_user_per_s", window.tokensPerSecondPerUser());
            summary.put("goodput_per_s", window.goodPerSecond());
            summary.put("ttft_ns", durations(window.ttft()));
            summary.put("tpot_ns", durations(window.tpot()));
            summary.put("sample_latency_ns", durations(window.latency()));
            tree.put("summary", summary);
        }
        SaturationMonitor saturation = steady.saturation();
        if (saturation != null) {
            Map<String, @Nullable Object> monitor = new LinkedHashMap<>();
            monitor.put("alert", saturation.alert());
            monitor.put("in_flight_slope_per_s", saturation.inFlightPerSecond());
            monitor.put("ttft_slope_ns_per_s", saturation.ttftNanosPerSecond());
            tree.put("saturation", monitor);
        }
        if (steady.superPasses() != null) {
            SuperPassesCodec.put(steady.superPasses(), tree);
        }
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

    static SteadyState read(Map<?, ?> tree) throws MalformedMessageException {
        Object driver = tree.get("driver");
        return new SteadyState(
                text(FIELD + ".state", tree.get("state")),
                driver == null ? null : text(FIELD + ".driver", driver),
                count(tree, "closed"),
                count(tree, "needed"),
                integerOrNull(tree, "since_ns"),
                integerOrNull(tree, "since_session_ns"),
                real(FIELD + ".steady_for_s", tree.get("steady_for_s")),
                real(FIELD + ".required_s", tree.get("required_s")),
                realOrNull(tree, "cov_ratio"),
                realOrNull(tree, "rel_drift_ratio"),
                realOrNull(tree, "p"),
                realOrNull(tree, "shift_pct"),
                tree.get("window") == null
                        ? null
                        : window(
                                map(FIELD + ".window", tree.get("window")),
                                map(FIELD + ".summary", tree.get("summary"))),
                SuperPassesCodec.read(tree),
                tree.get("saturation") == null ? null : saturation(map(FIELD + ".saturation", tree.get("saturation"))));
    }

    private static SaturationMonitor saturation(Map<?, ?> tree) throws MalformedMessageException {
        return new SaturationMonitor(
                Boolean.TRUE.equals(tree.get("alert")),
                realOrNull(tree, "in_flight_slope_per_s"),
                realOrNull(tree, "ttft_slope_ns_per_s"));
    }

    private static SteadyWindow window(Map<?, ?> bounds, Map<?, ?> summary) throws MalformedMessageException {
        return new SteadyWindow(
                integer(FIELD + ".window.from_ns", bounds.get("from_ns")),
                integer(FIELD + ".window.to_ns", bounds.get("to_ns")),
                integer(FIELD + ".window.samples", bounds.get("samples")),
                integer(FIELD + ".window.issue_ns", bounds.get("issue_ns")),
                real(FIELD + ".summary.qps_per_s", summary.get("qps_per_s")),
                realOrNull(summary, "system_tps_per_s"),
                realOrNull(summary, "goodput_per_s"),
                durations(summary, "ttft_ns"),
                durations(summary, "tpot_ns"),
                durations(summary, "sample_latency_ns"),
                bounds.get("super_passes") == null ? null : (Integer) count(bounds, "super_passes"));
    }

    private static SteadyWindow.@Nullable Durations durations(Map<?, ?> summary, String name)
            throws MalformedMessageException {
        if (summary.get(name) == null) {
            return null;
        }
        String field = FIELD + ".summary." + name;
        Map<?, ?> tree = map(field, summary.get(name));
        return new SteadyWindow.Durations(
                integer(field + ".count", tree.get("count")),
                real(field + ".mean", tree.get("mean")),
                real(field + ".p50", tree.get("p50")),
                real(field + ".p90", tree.get("p90")),
                real(field + ".p99", tree.get("p99")));
    }

    private static int count(Map<?, ?> tree, String name) throws MalformedMessageException {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, integer(FIELD + "." + name, tree.get(name))));
    }

    private static @Nullable Long integerOrNull(Map<?, ?> tree, String name) throws MalformedMessageException {
        return tree.get(name) == null ? null : (Long) integer(FIELD + "." + name, tree.get(name));
    }

    private static @Nullable Double realOrNull(Map<?, ?> tree, String name) throws MalformedMessageException {
        return tree.get(name) == null ? null : (Double) real(FIELD + "." + name, tree.get(name));
    }
}
