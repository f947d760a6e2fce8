package io.metricsaggregator.report.text;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.snapshot.LabelBreakdown;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes the samples of a run by label: a row for each value, and how unequal the values are. Text of producers is escaped. */
public final class LabelText {
    private static final int VALUE_MAX = 24;

    private LabelText() {}

    /** The lines of all keys; empty for a run without labels. */
    public static List<String> lines(MetricsSnapshot snapshot) {
        LabelBreakdown labels = snapshot.extensions() == null
                ? null
                : snapshot.extensions().optional().labels();
        List<String> lines = new ArrayList<>();
        for (LabelBreakdown.Key key : labels == null ? List.<LabelBreakdown.Key>of() : labels.keys()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-26s %9s %9s %9s %9s %12s %12s %11s %11s %11s",
                    "By " + Printable.escape(key.name(), VALUE_MAX - 1),
                    "issued",
                    "completed",
                    "failed",
                    "in flight",
                    "input tok.",
                    "output tok.",
                    "latency p50",
                    "p99",
                    "TTFT p50"));
            key.values().forEach(each -> lines.add(row(each)));
            skew(lines, key);
        }
        return lines;
    }

    private static String row(LabelBreakdown.Value value) {
        LabelBreakdown.Durations latency = value.latency();
        LabelBreakdown.Durations first = value.firstToken();
        return String.format(
                Locale.ROOT,
                "  %-24s %,9d %,9d %,9d %,9d %,12d %,12d %11s %11s %11s",
                Printable.escape(value.value(), VALUE_MAX),
                value.issued(),
                value.completed(),
                value.failed(),
                value.inFlight(),
                value.inputTokens(),
                value.outputTokens(),
                latency == null ? "-" : Figures.duration(latency.p50Nanos()),
                latency == null ? "-" : Figures.duration(latency.p99Nanos()),
                first == null ? "-" : Figures.duration(first.p50Nanos()));
    }

    private static void skew(List<String> lines, LabelBreakdown.Key key) {
        if (key.maxOverMean() != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  skew: most over mean %s, Gini %s, of output tokens %s, slowest over fastest median %s",
                    number(key.maxOverMean()),
                    number(key.gini()),
                    number(key.outputGini()),
                    number(key.latencySpread())));
        }
    }

    private static String number(@Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, "%.3f", value);
    }
}
