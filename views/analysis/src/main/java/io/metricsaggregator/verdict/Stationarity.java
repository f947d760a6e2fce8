package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.SteadyFigure;
import io.metricsaggregator.analysis.Trend;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a run describes one state: completions per slice, and the steady state's drift of the time per token, of the time between chunks or of latency.
 * Where no steady state was judged, the median latency per slice.
 */
final class Stationarity implements Check {
    static final String NAME = "stationarity";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String effect() {
        return "the same test on completions, or the [steady state](metrics.md#steady-state) drifts or shifts, or its super-passes do: questionable, and"
                + " not stationary. Without a judged steady state, the same test on median latency";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        String unjudged = OverTime.unjudged(snapshot);
        return List.of(
                unjudged != null
                        ? new Finding(Finding.Weight.UNKNOWN, OverTime.CHECKS, unjudged)
                        : judge(snapshot, Trend.of(snapshot, "completed"), Trend.of(snapshot, "latency_p50_ns")));
    }

    private static Finding judge(MetricsSnapshot snapshot, @Nullable Trend throughput, @Nullable Trend latency) {
        SteadyState steady = SteadyFigure.stateOf(snapshot);
        boolean judged = steady != null && !steady.state().equals("warming_up");
        String drift = steady == null || !judged ? null : drift(steady);
        if (throughput == null && drift == null) {
            return new Finding(Finding.Weight.UNKNOWN, NAME, Trend.tooShort(snapshot));
        }
        boolean slower = judged ? drift != null : latency != null && latency.changed();
        boolean changed = slower || (throughput != null && throughput.changed());
        List<String> evidence = new ArrayList<>();
        if (throughput != null) {
            evidence.add("completions per slice: " + throughput.text());
        }
        if (drift != null) {
            evidence.add(drift);
        } else if (steady != null && judged) {
            evidence.add(SteadyFigure.driver(steady) + " does not drift");
        } else if (latency != null) {
            evidence.add("median latency: " + latency.text());
        }
        Finding finding =
                new Finding(changed ? Finding.Weight.REMARK : Finding.Weight.GOOD, NAME, String.join("; ", evidence));
        return finding.limitedBy(Finding.Limit.NOT_STATIONARY);
    }

    /** How the run changed, as a clause; null if it did not. */
    private static @Nullable String drift(SteadyState steady) {
        SuperPasses.Judgement judgement = steady.judgement();
        String verdict = judgement == null ? "" : judgement.verdict();
        if (verdict.equals("anomaly") && judgement != null && judgement.anomalyPercent() != null) {
            return String.format(
                    Locale.ROOT,
                    "the time per token changes by %+.1f%% between super-passes",
                    judgement.anomalyPercent());
        }
        if (verdict.equals("drifting_up") || verdict.equals("drifting_down")) {
            return "the time per token drifts " + (verdict.endsWith("up") ? "up" : "down") + " over the super-passes";
        }
        return switch (steady.state()) {
            case "shifted" ->
                String.format(
                        Locale.ROOT,
                        "%s changed its level by %+.1f%%",
                        SteadyFigure.driver(steady),
                        steady.shiftPercent() == null ? 0 : steady.shiftPercent());
            case "drifting_up", "drifting_down" ->
                String.format(
                        Locale.ROOT,
                        "%s drifts by %+.1f%% over the batches after the warm-up (p %.2g)",
                        SteadyFigure.driver(steady),
                        steady.drift() == null ? 0 : 100 * steady.drift(),
                        steady.p() == null ? 0 : steady.p());
            default -> null;
        };
    }
}
