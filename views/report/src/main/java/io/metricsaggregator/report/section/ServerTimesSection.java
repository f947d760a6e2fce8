package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures.Composition;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Where the time to first token went, of all samples and of the slowest 1 %, from the times that servers reported. */
final class ServerTimesSection {
    private ServerTimesSection() {}

    /** A few lines and a table; null for a run without server times. */
    static @Nullable Section of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        ServerTimeFigures figures = of(snapshot);
        if (figures == null) {
            return null;
        }
        List<Section.Block> blocks = new ArrayList<>();
        Composition mean = figures.mean();
        Composition slowest = figures.slowest();
        if (slowest != null) {
            blocks.add(new Section.Line(limit(slowest)));
        }
        blocks.add(new Section.Line(reported(figures, snapshot)));
        if (mean != null && slowest != null) {
            List<Part> parts = figures.parts();
            List<String> titles = new ArrayList<>(List.of("Time to first token", "samples", "mean"));
            parts.forEach(each -> titles.add(each.title()));
            blocks.add(Section.Table.ofNumbers(
                    titles, List.of(row("all", mean, parts), row("slowest 1 %", slowest, parts))));
        }
        return new Section("Server times", "Server", blocks);
    }

    private static @Nullable ServerTimeFigures of(MetricsSnapshot snapshot) {
        return snapshot.extensions().optional().serverTimes();
    }

    /** The largest part of the slowest samples, in one line. */
    private static String limit(Composition slowest) {
        return "limited by: " + slowest.largest().title() + ", " + Figures.share(slowest.share(slowest.largest()))
                + " of the time to first token of the slowest 1 %";
    }

    private static List<String> row(String name, Composition of, List<Part> parts) {
        List<String> cells =
                new ArrayList<>(List.of(name, Figures.count((double) of.samples()), Figures.duration(of.ttftNanos())));
        parts.forEach(each -> cells.add(Figures.duration(of.nanos(each)) + " (" + Figures.share(of.share(each)) + ")"));
        return cells;
    }

    private static String reported(ServerTimeFigures figures, MetricsSnapshot snapshot) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT,
                "%,d completions report server times, %,d of them queue and first token",
                figures.reported(),
                figures.split() + figures.negative()));
        add(line, figures.failed(), "failed and are in no figure");
        add(line, figures.negative(), "report more than the whole time to first token and are left out");
        add(line, figures.transferred(), "have their KV transfer from transfer.complete");
        add(line, snapshot.counter(CounterName.TRANSFERS_UNJOINED), "transfers belong to no sample in flight");
        add(line, snapshot.counter(CounterName.SERVER_REJECTED), "were rejected (see server in docs/protocol.md)");
        return line.toString();
    }

    private static void add(StringBuilder line, long count, String what) {
        if (count > 0) {
            line.append(String.format(Locale.ROOT, "; %,d %s", count, what));
        }
    }
}
