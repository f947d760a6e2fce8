package io.metricsaggregator.report;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.report.html.HtmlHistory;
import io.metricsaggregator.report.section.Section;
import io.metricsaggregator.report.text.TextLines;
import io.metricsaggregator.runs.History;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The formats of a history of runs. */
public enum HistoryView {
    TEXT,
    JSON,
    HTML;

    private static final int WIDTH_MIN = 60;
    private static final int NAME_MAX = 60;
    private static final int REASON_MAX = 200;
    /** What people ask for first. */
    private static final Set<String> HEADLINE = Set.of(
            "requests_per_s",
            "output_tokens_per_s",
            "good_share",
            "errors",
            "ttft.p50",
            "ttft.p99",
            "tpot.p50",
            "latency.p50",
            "latency.p99");

    private static final String METHOD =
            "Runs in the order of their start. level: median of the runs since the last change, ± their median distance from it. Changes of level:"
                    + " Pettitt's test at 5 %, and on either side of a change again at half of it; both levels have at least 5 runs and"
                    + " differ by at least 3 %.";

    /**
     * Renders a history.
     *
     * @param full whether {@link #TEXT} and {@link #HTML} have figures besides the headline that did not change
     * @param width columns of the terminal, which {@link #TEXT} fits
     */
    public String render(History history, boolean full, int width) {
        List<History.Track> shown = history.tracks().stream()
                .filter(each -> full
                        || HEADLINE.contains(each.figure())
                        || !each.changes().isEmpty())
                .toList();
        return switch (this) {
            case TEXT -> text(history, shown, Math.max(WIDTH_MIN, width));
            case JSON -> json(history);
            case HTML ->
                HtmlHistory.render(title(history), table(shown), changes(shown), leftOut(history), shown, METHOD);
        };
    }

    private static String title(History history) {
        int runs = history.runs().size();
        return runs == 0
                ? "No run"
                : runs + (runs == 1 ? " run" : " runs") + ", "
                        + date(history.runs().get(0)) + " to "
                        + date(history.runs().get(runs - 1));
    }

    /** The start of a run, or a dash. */
    private static String date(History.Run run) {
        return run.startedWallNanos() == 0
                ? "-"
                : EpochNanos.toInstant(run.startedWallNanos())
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString();
    }

    private static String text(History history, List<History.Track> shown, int width) {
        List<String> lines = new ArrayList<>(TextLines.wrapped("", title(history), 2, width));
        lines.add("");
        List<String> changes = changes(shown);
        if (changes.isEmpty()) {
            lines.add("No figure changed its level.");
        }
        changes.forEach(each -> lines.addAll(TextLines.wrapped("", each, 2, width)));
        lines.add("");
        if (!shown.isEmpty()) {
            Section.Table table = table(shown);
            lines.addAll(TextLines.table(table, TextLines.all(table), 0, width));
            lines.add("");
        }
        leftOut(history).forEach(each -> lines.addAll(TextLines.wrapped("", each, 2, width)));
        lines.addAll(TextLines.wrapped("", METHOD, 0, width));
        return String.join("\n", lines) + "\n";
    }

    private static List<String> changes(List<History.Track> tracks) {
        List<String> lines = new ArrayList<>();
        for (History.Track track : tracks) {
            for (History.Change change : track.changes()) {
                History.Run first = track.runs().get(change.at());
                lines.add(named(track) + " " + (track.isBetter(change) ? "better" : "worse") + " from "
                        + Printable.escape(first.name(), NAME_MAX) + " (" + date(first) + ") on: "
                        + number(change.before()) + " to " + number(change.after()) + " " + track.unit()
                        + percent(change.effect()) + String.format(Locale.ROOT, ", p %.2g", change.p()));
            }
        }
        return lines;
    }

    private static String named(History.Track track) {
        return (track.group().isEmpty() ? "" : Printable.escape(track.group(), NAME_MAX) + ": ") + track.figure();
    }

    private static List<String> leftOut(History history) {
        return history.leftOut().stream()
                .map(each -> "left out: " + Printable.escape(each.name(), NAME_MAX) + ", "
                        + Printable.escape(each.reason(), REASON_MAX))
                .toList();
    }

    private static Section.Table table(List<History.Track> tracks) {
        List<List<String>> rows = new ArrayList<>();
        for (History.Track each : tracks) {
            History.Level level = each.level();
            rows.add(List.of(
                    named(each),
                    each.unit(),
                    number(level.median()),
                    "± " + number(level.mad()),
                    Integer.toString(level.runs()),
                    number(each.newest())));
        }
        List<Section.Column> columns =
                new ArrayList<>(Section.Table.ofNumbers(List.of("figure", "unit", "level", "", "runs", "newest"), rows)
                        .columns());
        columns.set(1, new Section.Column("unit", Section.Align.LEFT));
        return new Section.Table(columns, rows);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.1f" : "%.4g", value);
    }

    private static String percent(double share) {
        return Double.isFinite(share) ? String.format(Locale.ROOT, " (%+.1f %%)", 100 * share) : "";
    }

    private static String json(History history) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        List<History.Run> runs = history.runs();
        document.put(
                "runs",
                runs.stream()
                        .map(each -> Map.of(
                                "name", each.name(), "group", each.group(), "started_wall_ns", each.startedWallNanos()))
                        .toList());
        document.put(
                "left_out",
                history.leftOut().stream()
                        .map(each -> Map.of("name", each.name(), "reason", each.reason()))
                        .toList());
        IdentityHashMap<History.Run, Long> numbers = new IdentityHashMap<>();
        runs.forEach(each -> numbers.put(each, (long) numbers.size()));
        document.put(
                "figures",
                history.tracks().stream().map(each -> json(each, numbers)).toList());
        return new String(JsonTree.write(document), StandardCharsets.UTF_8);
    }

    private static Map<String, @Nullable Object> json(History.Track track, IdentityHashMap<History.Run, Long> numbers) {
        Map<String, @Nullable Object> figure = new LinkedHashMap<>();
        figure.put("group", track.group());
        figure.put("figure", track.figure());
        figure.put("unit", track.unit());
        figure.put("higher_is_better", track.higherIsBetter());
        figure.put("runs", track.runs().stream().map(numbers::get).toList());
        figure.put("values", track.values());
        History.Level level = track.level();
        figure.put("level", Map.of("runs", (long) level.runs(), "median", level.median(), "mad", level.mad()));
        figure.put(
                "changes",
                track.changes().stream()
                        .map(each -> Map.of(
                                "run",
                                Objects.requireNonNull(numbers.get(track.runs().get(each.at()))),
                                "before",
                                each.before(),
                                "after",
                                each.after(),
                                "effect",
                                each.effect(),
                                "p",
                                each.p(),
                                "better",
                                track.isBetter(each)))
                        .toList());
        return figure;
    }
}
