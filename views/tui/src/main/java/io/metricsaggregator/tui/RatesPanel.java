package io.metricsaggregator.tui;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.InFlightText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.ThroughputWindow;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.report.plot.Sparkline;
import io.metricsaggregator.report.section.ConversationSection;
import io.metricsaggregator.report.section.EnergySection;
import io.metricsaggregator.report.section.LabelSection;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.section.SteadySection;
import io.metricsaggregator.report.section.UsageSection;
import io.metricsaggregator.report.text.SectionText;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SteadyState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Renders rates of the window and of the run, and goodput. */
final class RatesPanel {
    private static final int NAME = 16;
    private static final int NUMBER = 11;
    /** Least width for whole sentences, in columns. */
    private static final int ROOMY = 110;

    private RatesPanel() {}

    static List<Line> lines(RenderContext context, int sparkWidth) {
        Report report = Report.of(context.snapshot(), ThroughputWindow.TRACKED);
        History.Span window = context.window();
        List<Line> lines = new ArrayList<>();
        lines.add(head(context, "rates"));
        lines.add(row(
                "requests/s",
                window == null ? null : window.perSecond(CounterName.TOTAL_SAMPLES_COMPLETED),
                report.requestsPerSecond(),
                spark(context, "completed", sparkWidth)));
        String tokens = report.tokenRate();
        if (tokens != null) {
            lines.add(textRow(
                    "output tokens/s",
                    window == null ? null : window.totalPerSecond(SeriesName.OSL),
                    tokens,
                    new Line()));
        }
        Goodput goodput = context.extensions().goodput();
        if (goodput != null) {
            lines.add(row("good/s", goodNow(window), report.goodPerSecond(), spark(context, "good", sparkWidth)));
        }
        lines.add(row(
                "errors/s",
                window == null ? null : window.perSecond(CounterName.TOTAL_SAMPLES_FAILED),
                null,
                spark(context, "failed", sparkWidth)));
        lines.add(row("in flight", inFlight(context), null, spark(context, "in_flight_max", sparkWidth)));
        lines.add(row(
                "records/s",
                window == null ? null : window.perSecond(CounterName.RECORDS_RECEIVED),
                null,
                spark(context, "records", sparkWidth)));
        if (goodput != null) {
            lines.addAll(goodput(goodput));
        }
        SteadyState steady = SteadySection.of(context.snapshot());
        if (steady != null) {
            lines.add(new Line()
                    .add(" steady", Style.TITLE)
                    .to(NAME)
                    .add(
                            " "
                                    + (context.width() < ROOMY
                                            ? SteadySection.inShort(steady)
                                            : SteadySection.state(steady)),
                            steady.state().equals("steady") ? Style.GOOD : Style.WARN));
        }
        addOptional(lines, context);
        return lines.stream()
                .flatMap(each -> each.wrap(context.width(), NAME + 1).stream())
                .toList();
    }

    private static @Nullable Double inFlight(RenderContext context) {
        SnapshotExtensions extensions = context.extensions();
        return extensions.isNone() || !InFlightText.isKnown(context.snapshot())
                ? null
                : (Double) (double) extensions.inFlight().count();
    }

    private static void addOptional(List<Line> lines, RenderContext context) {
        SteadyState steady = SteadySection.of(context.snapshot());
        String overload = steady == null ? null : SteadySection.overload(steady);
        if (overload != null) {
            lines.add(new Line().add(" load", Style.TITLE).to(NAME).add(" " + overload, Style.WARN));
        }
        EnergyUse energy = EnergySection.of(context.snapshot());
        if (energy != null && energy.main() != null) {
            lines.add(new Line().add(" energy", Style.TITLE).to(NAME).add(" " + EnergySection.summary(energy.main())));
        }
        ReportedUsage usage = UsageSection.of(context.snapshot());
        if (usage != null && usage.cache().hitRatio() != null) {
            lines.add(cacheHits(usage.cache()));
        }
        Conversations conversations = ConversationSection.of(context.snapshot());
        if (conversations != null && !conversations.areSingleTurns()) {
            lines.add(conversations(conversations));
        }
    }

    static Line head(RenderContext context, String title) {
        String now = context.windowTitle();
        return new Line()
                .add(" " + title, Style.TITLE)
                .to(NAME + NUMBER - now.length())
                .add(now, Style.DIM)
                .add(right("run"), Style.DIM);
    }

    private static String right(String text) {
        return String.format(Locale.ROOT, "%" + NUMBER + "s", text);
    }

    private static Line row(String name, @Nullable Double now, @Nullable Double run, Line spark) {
        return textRow(name, now, run == null ? "" : Figures.rate(run), spark);
    }

    private static Line textRow(String name, @Nullable Double now, String run, Line spark) {
        return new Line()
                .add(" " + name)
                .to(NAME)
                .add(right(now == null ? "-" : name.equals("in flight") ? Figures.count(now) : Figures.rate(now)))
                .add(right(run))
                .add("  ")
                .add(spark);
    }

    private static @Nullable Double goodNow(History.@Nullable Span window) {
        if (window == null) {
            return null;
        }
        SnapshotExtensions before = window.from().snapshot.extensions();
        SnapshotExtensions after = window.to().snapshot.extensions();
        return before == null || after == null || before.goodput() == null || after.goodput() == null
                ? null
                : window.rate(
                        (double) (after.goodput().good() - before.goodput().good()));
    }

    private static List<Line> goodput(Goodput goodput) {
        Line line = new Line().add(" goodput", Style.TITLE).to(NAME).add(" ");
        Double share = goodput.share();
        if (share == null) {
            return List.of(line.add("no sample judged yet"));
        }
        long left = goodput.budgetLeft();
        line.add(percent(share), goodput.isMet() ? Style.GOOD : Style.BAD)
                .add(" of ")
                .add(String.format(Locale.ROOT, "%,d, target %s: ", goodput.judged(), percent(goodput.targetShare())));
        line.add(
                left >= 0
                        ? String.format(Locale.ROOT, "met, %,d more may miss it", left)
                        : String.format(Locale.ROOT, "MISSED by %,d", -left),
                left >= 0 ? Style.GOOD : Style.BAD);
        Line limits = new Line().to(NAME).add(" ");
        for (Goodput.Constraint each : goodput.constraints()) {
            Double met = goodput.share(each);
            limits.add(each.name() + "<=" + Figures.duration(each.limitNanos()) + " ")
                    .add(
                            met == null ? "-" : percent(met),
                            met == null ? Style.WARN : met < goodput.targetShare() ? Style.BAD : Style.GOOD)
                    .add("  ");
        }
        return List.of(line, limits);
    }

    private static Line conversations(Conversations conversations) {
        return new Line()
                .add(" conversations", Style.TITLE)
                .to(NAME)
                .add(" " + Figures.count((double) conversations.active()))
                .add(
                        String.format(
                                Locale.ROOT,
                                " active of %,d open, %,d seen, %,d completed",
                                conversations.open(),
                                conversations.seen(),
                                conversations.completed()),
                        Style.DIM)
                .add(
                        conversations.failed() == 0
                                ? ""
                                : String.format(Locale.ROOT, ", %,d failed", conversations.failed()),
                        Style.WARN);
    }

    private static Line cacheHits(ReportedUsage.Cache cache) {
        Double ratio = cache.hitRatio();
        return new Line()
                .add(" cache hit", Style.TITLE)
                .to(NAME)
                .add(" " + (ratio == null ? "-" : percent(ratio)))
                .add(
                        String.format(
                                Locale.ROOT,
                                " of %s prompt tokens, %,d samples",
                                Figures.count((double) cache.promptTokens()),
                                cache.reported()),
                        Style.DIM);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }

    /** A sparkline of a rate over the run, with its peak. */
    private static Line spark(RenderContext context, String column, int width) {
        SnapshotExtensions extensions = context.extensions();
        Slices slices = extensions.isNone() ? null : extensions.slices();
        long[] values = slices == null ? null : slices.column(column);
        if (slices == null || values == null || values.length == 0 || width < 8) {
            return new Line();
        }
        long top = 0;
        for (long value : values) {
            top = Math.max(top, value);
        }
        double perSecond = column.startsWith("in_flight") ? 1 : 1e9 / slices.widthNanos();
        return new Line()
                .add(Sparkline.draw(values, width, context.unicode()), Style.KEY)
                .add(
                        " peak "
                                + (column.startsWith("in_flight")
                                        ? Figures.count((double) top)
                                        : Figures.rate(top * perSecond)),
                        Style.DIM);
    }

    /** The plots of the page of rates, as tall as the lines of the context allow; empty before the first two slices. */
    static List<Line> plots(RenderContext context) {
        return Chart.filling(context, charts(context));
    }

    /** The panel at full size. */
    static List<Line> closeUp(RenderContext context) {
        List<Line> lines = new ArrayList<>(lines(context, Math.max(0, context.width() - 60)));
        lines.add(new Line());
        int rows = Math.max(4, Math.min(10, (context.height() - lines.size() - 7) / 2));
        lines.addAll(Chart.all(context, charts(context), rows));
        lines.add(new Line());
        lines.addAll(Tables.lengths(context));
        Conversations conversations = ConversationSection.of(context.snapshot());
        if (conversations != null && !conversations.areSingleTurns()) {
            tables(lines, context, List.of(ConversationSection.turns(conversations)));
        }
        tables(lines, context, LabelSection.blocks(context.snapshot()));
        return lines;
    }

    private static void tables(List<Line> lines, RenderContext context, List<Section.Block> blocks) {
        for (String row : SectionText.lines(blocks, context.width() - 1)) {
            lines.addAll(new Line().add(" " + context.foreign(row)).wrap(context.width(), 1));
        }
    }

    private static List<Chart.Quantity> charts(RenderContext context) {
        SnapshotExtensions extensions = context.extensions();
        double perSecond =
                extensions.isNone() ? 0 : 1e9 / Math.max(1, extensions.slices().widthNanos());
        return List.of(
                new Chart.Quantity("completed", "completed requests/s", perSecond, Figures::rate),
                new Chart.Quantity("in_flight_max", "most samples in flight", 1, Figures::count),
                new Chart.Quantity("failed", "errors/s", perSecond, Figures::rate),
                new Chart.Quantity("good", "good requests/s", perSecond, Figures::rate));
    }
}
