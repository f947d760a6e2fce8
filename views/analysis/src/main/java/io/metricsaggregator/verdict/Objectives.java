package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.GoodputText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Goodput;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Whether the share of good samples reaches the target of the objectives ({@code run --slo}). */
final class Objectives implements Check {
    static final String NAME = "objectives";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String effect() {
        return "with objectives (`--slo`): the share of good samples is below its target: questionable, with the limit that fewest samples"
                + " met; no limiting factor is named";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        Goodput goodput = snapshot.extensions().goodput();
        if (goodput == null) {
            return List.of();
        }
        if (goodput.judged() == 0) {
            return List.of(new Finding(Finding.Weight.UNKNOWN, name(), "no sample was judged"));
        }
        String counts = String.format(
                Locale.ROOT,
                "%,d of %,d judged samples are good (%s); %s",
                goodput.good(),
                goodput.judged(),
                Figures.share(goodput.share()),
                GoodputText.target(goodput));
        return List.of(
                goodput.isMet()
                        ? new Finding(Finding.Weight.GOOD, name(), counts)
                        : new Finding(Finding.Weight.REMARK, name(), counts + worst(goodput), Finding.Limit.UNKNOWN));
    }

    private static String worst(Goodput goodput) {
        return goodput.constraints().stream()
                .min(Comparator.comparingLong(Goodput.Constraint::met))
                .map(each -> String.format(
                        Locale.ROOT,
                        "; %s within %s: %s",
                        each.name(),
                        Figures.duration(each.limitNanos()),
                        Figures.share(goodput.share(each))))
                .orElse("");
    }
}
