package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes the token usage that servers reported: how many samples report it, the cache hits, and speculative decoding. */
public final class UsageSection {
    private UsageSection() {}

    private static String mismatch(ReportedUsage.Mismatch each) {
        Double bias = each.biasRatio();
        return String.format(
                Locale.ROOT,
                "%s tokens beside the daemon's own counts: %s, %,d of %,d samples differ by more than 10%%",
                each.kind(),
                bias == null ? "-" : String.format(Locale.ROOT, "%+.2f%%", 100 * bias),
                each.mismatched(),
                each.compared());
    }

    /** A few lines; null for a run without usage. */
    static @Nullable Section of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        ReportedUsage usage = of(snapshot);
        if (usage == null) {
            return null;
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d completions report their tokens%s%s%s",
                usage.reported(),
                usage.byClient() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", %,d of them counted by the client", usage.byClient()),
                usage.failed() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", %,d failed and are in the totals only", usage.failed()),
                notReported(snapshot)));
        ReportedUsage.Cache cache = usage.cache();
        if (cache.reported() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "cache hit %s: %,d of %,d prompt tokens of the %,d successes that report cached tokens",
                    Figures.share(cache.hitRatio()),
                    cache.hitTokens(),
                    cache.promptTokens(),
                    cache.reported()));
        }
        for (ReportedUsage.Mismatch each : usage.mismatches()) {
            lines.add(mismatch(each));
        }
        ReportedUsage.Speculation speculation = usage.speculation();
        Double length = speculation.acceptanceLength();
        List<Double> positions = speculation.acceptanceByPosition();
        if (length != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "speculative decoding: %s of draft tokens accepted, %.2f tokens per step%s",
                    Figures.share(speculation.acceptanceRatio()),
                    length,
                    positions.isEmpty()
                            ? ""
                            : positions.stream()
                                    .map(Figures::share)
                                    .collect(Collectors.joining(
                                            ", ", "; steps that accept 1 or more, 2 or more, …: ", ""))));
        }
        return Section.ofLines("Reported tokens", "Usage", lines);
    }

    /** The usage of a snapshot; null if it has none. */
    public static @Nullable ReportedUsage of(MetricsSnapshot snapshot) {
        return snapshot.extensions().optional().usage();
    }

    private static String notReported(MetricsSnapshot snapshot) {
        long missing = snapshot.counter(CounterName.USAGE_MISSING);
        long rejected = snapshot.counter(CounterName.USAGE_REJECTED);
        long histograms = snapshot.counter(CounterName.SPEC_HISTOGRAM_REJECTED);
        return (missing == 0 ? "" : String.format(Locale.ROOT, "; %,d successes do not", missing))
                + (rejected == 0
                        ? ""
                        : String.format(Locale.ROOT, "; %,d were rejected (see usage in docs/protocol.md)", rejected))
                + (histograms == 0
                        ? ""
                        : String.format(Locale.ROOT, "; spec_histogram of %,d does not fit their counts", histograms));
    }
}
