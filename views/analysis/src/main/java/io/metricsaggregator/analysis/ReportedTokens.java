package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What servers reported of tokens: whether the token series of a run come from it, and whether it agrees with the daemon's counts. */
public final class ReportedTokens {
    private static final String SOURCE_SETTING = "token_source";
    private static final Set<SeriesName> SERIES =
            EnumSet.of(SeriesName.ISL, SeriesName.OSL, SeriesName.TPOT_NS, SeriesName.TPOT_BY_OSL_NS);
    private static final double BIAS_MAX = 0.02;
    private static final long COMPARED_MIN = 100;

    private ReportedTokens() {}

    /** Whether the token series of the run come from the servers ({@code --token-source usage}) rather than from a tokenizer. */
    public static boolean areTheSource(MetricsSnapshot snapshot) {
        return "usage".equals(source(snapshot));
    }

    /** Whether the values of a series come from the servers rather than from a tokenizer. */
    public static boolean areSourceOf(SeriesName series, MetricsSnapshot snapshot) {
        return SERIES.contains(series) && areTheSource(snapshot);
    }

    private static @Nullable String source(MetricsSnapshot snapshot) {
        return snapshot.extensions().run().settings().get(SOURCE_SETTING);
    }

    /** Reasons to doubt the counts: a bias beyond 2 % over at least 100 samples, or no comparison in a run that demands one. */
    public static List<String> doubts(MetricsSnapshot snapshot) {
        List<String> doubts = new ArrayList<>();
        ReportedUsage usage = snapshot.extensions().optional().usage();
        List<ReportedUsage.Mismatch> mismatches = usage == null ? List.of() : usage.mismatches();
        for (ReportedUsage.Mismatch each : mismatches) {
            Double bias = each.biasRatio();
            if (bias != null && each.compared() >= COMPARED_MIN && Math.abs(bias) > BIAS_MAX) {
                doubts.add(String.format(
                        Locale.ROOT,
                        "servers report %.1f%% %s %s tokens than the tokenizer counts, over %,d samples: wrong tokenizer?",
                        100 * Math.abs(bias),
                        bias > 0 ? "more" : "fewer",
                        each.kind(),
                        each.compared()));
            }
        }
        if ("both".equals(source(snapshot)) && mismatches.isEmpty()) {
            doubts.add("--token-source both, and no completion reports tokens to compare");
        }
        return doubts;
    }
}
