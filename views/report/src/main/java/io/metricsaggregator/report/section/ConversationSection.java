package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Figures;
import io.metricsaggregator.analysis.PercentileText;
import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Conversations of a run: how many there are, cache hits by conversation, and a table of turns by their place. */
public final class ConversationSection {
    private static final List<String> COLUMNS = List.of(
            "Turn",
            "succeeded",
            "failed",
            "TTFT ≈p50",
            "≈p90",
            "≈p99",
            "latency ≈p50",
            "≈p90",
            "≈p99",
            "input tok.",
            "output tok.",
            "cached");

    private ConversationSection() {}

    /** Lines and a table; null for a run without conversations. */
    static @Nullable Section of(Report report) {
        MetricsSnapshot snapshot = report.snapshot();
        Conversations conversations = of(snapshot);
        if (conversations == null || conversations.areSingleTurns()) {
            return null;
        }
        List<Section.Block> blocks = new ArrayList<>();
        blocks.add(new Section.Line(inShort(conversations)));
        Conversations.CacheHits cache = conversations.cache();
        if (cache != null) {
            blocks.add(new Section.Line(String.format(
                    Locale.ROOT,
                    "cache hit by conversation: mean %s, ≈p10 %s, ≈p50 %s, ≈p90 %s of %,d conversations",
                    percent(cache.mean()),
                    PercentileText.of(cache.p10(), 10, cache.count(), ConversationSection::percent),
                    PercentileText.of(cache.p50(), 50, cache.count(), ConversationSection::percent),
                    PercentileText.of(cache.p90(), 90, cache.count(), ConversationSection::percent),
                    cache.count())));
        }
        exclusions(blocks, snapshot);
        blocks.add(turns(conversations));
        return new Section("Conversations", "Turns", blocks);
    }

    /** The conversations of a snapshot; null if it has none. */
    public static @Nullable Conversations of(MetricsSnapshot snapshot) {
        return snapshot.extensions().optional().conversations();
    }

    /** How many conversations there are, in one line. */
    public static String inShort(Conversations conversations) {
        Double mean = conversations.activeMean();
        Double perSecond = conversations.perSecond();
        return String.format(
                Locale.ROOT,
                "%,d conversations: %,d open, %,d active (peak %,d, mean %s), %,d completed%s, %,d failed",
                conversations.seen(),
                conversations.open(),
                conversations.active(),
                conversations.activePeak(),
                mean == null ? "-" : String.format(Locale.ROOT, "%,.3f", mean),
                conversations.completed(),
                perSecond == null ? "" : " (" + Figures.rate(perSecond) + "/s)",
                conversations.failed());
    }

    private static void exclusions(List<Section.Block> blocks, MetricsSnapshot snapshot) {
        line(blocks, snapshot.counter(CounterName.TURNS_OVERLAPPING), "turns overlapped others and have no think time");
        line(
                blocks,
                snapshot.counter(CounterName.CONVERSATIONS_EVICTED),
                "conversations were evicted: --max-conversations was reached");
        line(
                blocks,
                snapshot.counter(CounterName.CONVERSATIONS_RESUMED),
                "of them had a further turn, which counts as turn 2 of a new conversation");
        line(blocks, snapshot.counter(CounterName.LAST_TURN_REJECTED), "issues had a last_turn that is not a boolean");
    }

    private static void line(List<Section.Block> blocks, long count, String what) {
        if (count > 0) {
            blocks.add(new Section.Line(String.format(Locale.ROOT, "%,d %s", count, what)));
        }
    }

    /** The table of turns. */
    public static Section.Table turns(Conversations conversations) {
        return Section.Table.ofNumbers(
                COLUMNS,
                conversations.byTurn().stream().map(ConversationSection::row).toList());
    }

    private static List<String> row(Conversations.Turns turns) {
        List<String> cells = new ArrayList<>(List.of(
                turns.place(), Figures.count((double) (turns.completed() - turns.failed())), Figures.count((double)
                        turns.failed())));
        durations(cells, turns.firstToken());
        durations(cells, turns.latency());
        cells.add(mean(turns.input().mean()));
        cells.add(mean(turns.output().mean()));
        cells.add(percent(turns.cachedShare()));
        return cells;
    }

    private static void durations(List<String> cells, LabelBreakdown.@Nullable Durations durations) {
        cells.add(duration(durations == null ? null : (Long) durations.p50Nanos(), 50, durations));
        cells.add(duration(durations == null ? null : (Long) durations.p90Nanos(), 90, durations));
        cells.add(duration(durations == null ? null : (Long) durations.p99Nanos(), 99, durations));
    }

    private static String duration(@Nullable Long nanos, double percent, LabelBreakdown.@Nullable Durations of) {
        return nanos == null || of == null
                ? "-"
                : PercentileText.of((double) nanos, percent, of.count(), Figures::duration);
    }

    private static String mean(@Nullable Double tokens) {
        return tokens == null ? "-" : Figures.count(tokens);
    }

    private static String percent(@Nullable Double share) {
        return share == null ? "-" : String.format(Locale.ROOT, "%.1f%%", 100 * share);
    }
}
