package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.GoodputText;
import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Describes goodput: the share of good samples, the target, and the share within each objective. */
final class GoodputSection {
    private static final int NAME_MAX = 24;
    private static final List<String> COLUMNS = List.of(
            "judged",
            "good",
            "share",
            "target",
            "budget used",
            "good output tok/s",
            "good total tok/s",
            "latency ≈p50");

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
        List<Section.Block> blocks =
                new ArrayList<>(Section.ofLines("Goodput", "Goodput", lines).blocks());
        if (goodput.classes() != null) {
            addClasses(goodput.classes(), report, blocks);
        }
        return new Section("Goodput", "Goodput", blocks);
    }

    private static void addClasses(ServiceClasses classes, Report report, List<Section.Block> into) {
        List<String> titles = new ArrayList<>(List.of("By " + Printable.escape(classes.key(), NAME_MAX)));
        titles.addAll(COLUMNS);
        into.add(Section.Table.ofNumbers(
                titles, classes.rows().stream().map(each -> row(each, report)).toList()));
        into.add(new Section.Line(String.format(
                Locale.ROOT,
                "fairness (Jain, 1 is equal): of good output tokens %s, of 1/median latency %s",
                text(classes.fairnessGoodTokens(), each -> String.format(Locale.ROOT, "%.4f", each)),
                text(classes.fairnessLatency(), each -> String.format(Locale.ROOT, "%.4f", each)))));
    }

    private static List<String> row(ServiceClasses.Row row, Report report) {
        Goodput goodput = row.goodput();
        return List.of(
                Printable.escape(row.name(), NAME_MAX),
                String.format(Locale.ROOT, "%,d", goodput.judged()),
                String.format(Locale.ROOT, "%,d", goodput.good()),
                Figures.share(goodput.share()),
                Figures.share(goodput.targetShare()),
                Figures.share(row.budgetUsed()),
                text(report.perSecond(row.knownOutputTokens()), Figures::rate),
                text(report.perSecond(row.knownTotalTokens()), Figures::rate),
                text(row.latencyP50Nanos(), Figures::duration));
    }

    private static String text(@Nullable Double value, Function<Double, String> text) {
        return value == null ? "-" : text.apply(value);
    }
}
