package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.Percentile;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ProgressState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Describes the samples of a run by label: a row for each value, and how unequal the values are. Text of producers is escaped. */
public final class LabelSection {
    private static final int VALUE_MAX = 24;
    private static final String UNKNOWN = "-";

    private LabelSection() {}

    private static final List<String> COLUMNS = List.of(
            "issued",
            "succeeded",
            "failed",
            "in flight",
            "input tok.",
            "output tok.",
            "latency ≈p50",
            "≈p99",
            "TTFT ≈p50",
            "TPOT ≈p50",
            "good",
            "idle");
    /** Columns from this one on are left out if no value of the key has them. */
    private static final int OPTIONAL_FROM = 10;

    /** A table for each key; null for a run without labels. */
    static @Nullable Section of(Report report) {
        List<Section.Block> blocks = blocks(report.snapshot());
        return blocks.isEmpty() ? null : new Section("By label", "Labels", blocks);
    }

    /** The tables of all keys, each with a line on how unequal its values are; empty for a run without labels. */
    public static List<Section.Block> blocks(MetricsSnapshot snapshot) {
        LabelBreakdown labels = snapshot.extensions().optional().labels();
        List<Section.Block> blocks = new ArrayList<>();
        for (LabelBreakdown.Key key : labels == null ? List.<LabelBreakdown.Key>of() : labels.keys()) {
            List<String> titles = new ArrayList<>(List.of("By " + Printable.escape(key.name(), VALUE_MAX - 1)));
            titles.addAll(COLUMNS);
            blocks.add(withoutEmpty(
                    titles, key.values().stream().map(LabelSection::row).toList()));
            if (key.maxOverMean() != null) {
                blocks.add(skew(key));
            }
        }
        return blocks;
    }

    private static Section.Table withoutEmpty(List<String> titles, List<List<String>> rows) {
        List<Integer> shown = IntStream.range(0, titles.size())
                .filter(i -> i < OPTIONAL_FROM
                        || rows.stream().anyMatch(row -> !row.get(i).equals(UNKNOWN)))
                .boxed()
                .toList();
        return Section.Table.ofNumbers(
                shown.stream().map(titles::get).toList(),
                rows.stream().map(row -> shown.stream().map(row::get).toList()).toList());
    }

    private static List<String> row(LabelBreakdown.Value value) {
        LabelBreakdown.Durations latency = value.latency();
        LabelBreakdown.Durations first = value.firstToken();
        LabelBreakdown.Durations perToken = value.timePerToken();
        return List.of(
                Printable.escape(value.value(), VALUE_MAX),
                count(value.issued()),
                count(value.succeeded()),
                count(value.failed()),
                count(value.inFlight()),
                known(value.knownInputTokens()),
                known(value.knownOutputTokens()),
                latency == null ? UNKNOWN : duration(latency.p50Nanos(), Percentile.P50, latency),
                latency == null ? UNKNOWN : duration(latency.p99Nanos(), Percentile.P99, latency),
                first == null ? UNKNOWN : duration(first.p50Nanos(), Percentile.P50, first),
                perToken == null ? UNKNOWN : duration(perToken.p50Nanos(), Percentile.P50, perToken),
                known(value.good()),
                idle(value.progress()));
    }

    private static String duration(long nanos, Percentile percentile, LabelBreakdown.Durations of) {
        return PercentileText.of((double) nanos, percentile.percent(), of.count(), Figures::duration);
    }

    private static Section.Line skew(LabelBreakdown.Key key) {
        return new Section.Line(String.format(
                Locale.ROOT,
                "skew: most over mean %s, Gini %s, of output tokens %s, slowest over fastest median %s",
                number(key.maxOverMean()),
                number(key.gini()),
                number(key.outputGini()),
                number(key.latencySpread())));
    }

    private static String idle(Progress.@Nullable Target target) {
        Long idle = target == null ? null : target.idleNanos();
        if (target == null || idle == null) {
            return UNKNOWN;
        }
        return target.state() == ProgressState.STALLED ? "STALLED " + Figures.duration(idle) : Figures.duration(idle);
    }

    private static String known(@Nullable Long value) {
        return value == null ? UNKNOWN : count(value);
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String number(@Nullable Double value) {
        return value == null ? UNKNOWN : String.format(Locale.ROOT, "%.3f", value);
    }
}
