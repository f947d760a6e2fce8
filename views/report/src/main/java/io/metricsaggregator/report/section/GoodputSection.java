package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.GoodputText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.figures.Goodput;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes goodput: the share of good samples, the target, and the share within each objective. */
final class GoodputSection {
    private GoodputSection() {}

    /** Two lines: the share and its target, then each objective; null for a run without objectives. */
    static @Nullable Section of(Report report) {
        Goodput goodput = report.snapshot().extensions().goodput();
        if (goodput == null) {
            return null;
        }
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%s%,d of %,d samples judged are good (%s): %s",
                report.goodPerSecond() == null ? "" : Figures.rate(report.goodPerSecond()) + " req/s, ",
                goodput.good(),
                goodput.judged(),
                Figures.share(goodput.share()),
                GoodputText.target(goodput)));
        String unjudged = goodput.unjudged() == 0
                ? ""
                : String.format(Locale.ROOT, "; %,d not judged: their output was not counted", goodput.unjudged());
        lines.add(GoodputText.limits(goodput) + unjudged);
        return Section.ofLines("Goodput", "Goodput", lines);
    }
}
