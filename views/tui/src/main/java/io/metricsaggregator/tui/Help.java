package io.metricsaggregator.tui;

import java.util.ArrayList;
import java.util.List;

/** Renders the help: pages, keys and marks. */
final class Help {
    /** Where the explanations begin. */
    private static final int TEXT = 15;
    /** Columns between pages and keys side by side. */
    private static final int GAP = 3;

    private Help() {}

    static List<Line> lines(int width) {
        List<Line> pages =
                new ArrayList<>(List.of(new Line().add(" pages", Style.TITLE).add("  tab: the next one", Style.DIM)));
        for (ViewState.Preset each : ViewState.Preset.values()) {
            pages.add(entry((each.ordinal() + 1) + " " + each.title(), each.content()));
        }
        List<Line> keys = List.of(
                new Line().add(" keys", Style.TITLE),
                entry("w, m", "window of `now`: 10, 60, 1 s; metric of page 2, heat map"),
                entry("p", "hold the screen, the run continues; again: back to now"),
                entry("left right", "hold, and step through earlier snapshots"),
                entry("up down k j", "scroll; page up, page down: half a screen"),
                entry("b", "differences to the baseline on and off"),
                entry("s, q", "save the screen as a text file; leave, the run goes on"));
        List<Line> marks = List.of(
                new Line().add(" marks", Style.TITLE),
                entry("≈ or ~", "estimated from a histogram, within its precision; no mark: exact"),
                entry("?", "too few values to bound the percentile with 99 % confidence"),
                entry("STALE", "no snapshot for ten intervals: daemon or connection is down"),
                entry("(sched)", "from the scheduled time: includes waiting in the client"),
                entry("now, run", "now: within the window; run: since the first tracked sample"));
        List<Line> lines = new ArrayList<>();
        int keysFrom = widest(pages) + GAP;
        if (keysFrom + widest(keys) <= width) {
            lines.addAll(Line.beside(pages, keys, keysFrom, '~'));
            lines.add(new Line());
        } else {
            lines.addAll(pages);
            lines.addAll(keys);
        }
        lines.addAll(marks);
        return lines.stream()
                .flatMap(each -> each.wrap(width, Math.min(TEXT + 1, width / 2)).stream())
                .toList();
    }

    private static int widest(List<Line> lines) {
        return lines.stream().mapToInt(Line::width).max().orElse(0);
    }

    private static Line entry(String key, String text) {
        return new Line().add("   " + key, Style.KEY).to(TEXT).add(" " + text);
    }
}
