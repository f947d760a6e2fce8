package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.Goodput;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes goodput: the share of good samples, the target, and the share within each objective. */
public final class GoodputSection {
    private GoodputSection() {}

    /** Two lines: the share and its target, then each objective; null for a run without objectives. */
    static @Nullable Section of(Report report) {
        Goodput goodput = report.snapshot().extensions() == null
                ? null
                : report.snapshot().extensions().goodput();
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
                target(goodput)));
        List<String> limits = new ArrayList<>();
        for (Goodput.Constraint each : goodput.constraints()) {
            limits.add(String.format(
                    Locale.ROOT,
                    "%s <= %s: %s",
                    each.name(),
                    Figures.duration(each.limitNanos()),
                    Figures.share(goodput.share(each))));
        }
        String unjudged = goodput.unjudged() == 0
                ? ""
                : String.format(Locale.ROOT, "; %,d not judged: their output was not counted", goodput.unjudged());
        lines.add(String.join(", ", limits) + unjudged);
        return Section.ofLines("Goodput", "Goodput", lines);
    }

    /** The target as a clause: whether it is met, and how many more samples may be bad or by how many it is missed. */
    public static String target(Goodput goodput) {
        String target = Figures.share(goodput.targetShare());
        if (goodput.judged() == 0) {
            return "the target is " + target;
        }
        long left = goodput.budgetLeft();
        return left >= 0
                ? String.format(Locale.ROOT, "the target of %s is met, %,d more may be bad", target, left)
                : String.format(Locale.ROOT, "the target of %s is MISSED by %,d", target, -left);
    }
}
