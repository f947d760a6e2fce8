package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.Stall;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lists the stalls of a run: spans without any answer. */
final class StallSection {
    private static final List<String> COLUMNS =
            List.of("Stall at", "duration", "in flight", "issued during", "ended by");

    private StallSection() {}

    /** The sums, the endpoints by label that stalled, and a row for each stall; null without a stall. */
    static @Nullable Section of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Progress progress = StallText.of(snapshot);
        if (progress == null) {
            return null;
        }
        List<Section.Block> blocks = new ArrayList<>();
        line(blocks, StallText.total(snapshot));
        StallText.byEndpoint(snapshot).forEach(each -> line(blocks, each));
        line(blocks, StallText.now(snapshot));
        if (!progress.stalls().isEmpty()) {
            blocks.add(Section.Table.ofNumbers(
                    COLUMNS, progress.stalls().stream().map(StallSection::row).toList()));
        }
        return blocks.isEmpty() ? null : new Section("Stalls", "Stalls", blocks);
    }

    private static void line(List<Section.Block> blocks, @Nullable String text) {
        if (text != null) {
            blocks.add(new Section.Line(text));
        }
    }

    private static List<String> row(Stall stall) {
        Stall.End end = stall.end();
        return List.of(
                StallText.clock(stall.sinceStartNanos()),
                Figures.duration(stall.durationNanos()),
                String.format(Locale.ROOT, "%,d", stall.inFlight()),
                String.format(Locale.ROOT, "%,d", stall.issuedDuring()),
                end == null
                        ? "-"
                        : switch (end) {
                            case PROGRESS -> "an answer";
                            case FAILED -> "an error";
                            case SESSION_END -> "the session";
                            case CLIENT_GONE -> "the producer";
                            case BLIND -> "the daemon";
                        });
    }
}
