package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Judges whether the endpoints or GPUs of a run, by its labels, had equal shares of the load and equal latencies. */
final class LabelSkew implements Check {
    /** Keys whose values are replicas that are to share the load. */
    private static final Set<String> REPLICA_KEYS = Set.of("endpoint", "gpu");

    private static final double SHARE_MAX = 1.25;
    private static final double DEVIATIONS_MIN = 3;
    private static final double SPREAD_MAX = 1.5;
    private static final long SAMPLES_MIN = 100;

    @Override
    public String name() {
        return "shares of the load";
    }

    @Override
    public String effect() {
        return "for the labels `endpoint` and `gpu`: a value was issued more than " + Check.number(SHARE_MAX)
                + " times the mean, by more than " + Check.number(DEVIATIONS_MIN)
                + " standard deviations, or its median latency is more than " + Check.number(SPREAD_MAX)
                + " times that of another, both of at least " + SAMPLES_MIN + " samples: questionable";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        LabelBreakdown labels = snapshot.extensions().optional().labels();
        List<String> evidence = new ArrayList<>();
        for (LabelBreakdown.Key key : labels == null ? List.<LabelBreakdown.Key>of() : labels.keys()) {
            if (REPLICA_KEYS.contains(key.name())) {
                share(evidence, key);
                latency(evidence, key);
            }
        }
        return evidence.isEmpty()
                ? List.of()
                : List.of(new Finding(Finding.Weight.REMARK, name(), String.join("; ", evidence)));
    }

    private static void share(List<String> evidence, LabelBreakdown.Key key) {
        Double ratio = key.maxOverMean();
        LabelBreakdown.Value most = key.targets().stream()
                .max(Comparator.comparingLong(LabelBreakdown.Value::issued))
                .orElse(null);
        if (ratio == null || most == null || ratio <= SHARE_MAX) {
            return;
        }
        double mean = most.issued() / ratio;
        if ((most.issued() - mean) / Math.sqrt(mean) > DEVIATIONS_MIN) {
            evidence.add(String.format(
                    Locale.ROOT,
                    "%s %s got %.0f%% more than its share",
                    key.name(),
                    Printable.escape(most.value(), 64),
                    100 * (ratio - 1)));
        }
    }

    private static void latency(List<String> evidence, LabelBreakdown.Key key) {
        List<LabelBreakdown.Value> enough = key.targets().stream()
                .filter(each -> each.latency() != null && each.latency().count() >= SAMPLES_MIN)
                .sorted(Comparator.comparingLong(LabelSkew::median))
                .toList();
        if (enough.size() < 2 || median(enough.get(0)) <= 0) {
            return;
        }
        LabelBreakdown.Value slowest = enough.get(enough.size() - 1);
        double spread = (double) median(slowest) / median(enough.get(0));
        if (spread > SPREAD_MAX) {
            evidence.add(String.format(
                    Locale.ROOT,
                    "%s %s is slow: its median latency is %.1f times that of %s",
                    key.name(),
                    Printable.escape(slowest.value(), 64),
                    spread,
                    Printable.escape(enough.get(0).value(), 64)));
        }
    }

    private static long median(LabelBreakdown.Value value) {
        return value.latency() == null ? 0 : value.latency().p50Nanos();
    }
}
