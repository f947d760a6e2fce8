package io.metricsaggregator.export;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.catalogue.Unit;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Interactivity;
import java.util.Map;

/** Exports conversations, turns by their place (label {@code turn}) and interactivity, and names the series that are no durations. */
final class ConversationExport {
    private ConversationExport() {}

    /** The name of a series that holds no durations: with its unit at the end. */
    static String name(String series) {
        return switch (unitOf(series)) {
            case TOKENS_PER_SECOND -> series.replace("_tok_per_s", "_tokens_per_second");
            case TURNS -> series;
            case TOKENS, COUNT, BYTES, NANOSECONDS -> series.endsWith("_tokens") ? series : series + "_tokens";
        };
    }

    /** The unit of such a series, as OpenTelemetry writes it. */
    static String unit(String series) {
        return switch (unitOf(series)) {
            // Receivers would append "per_second" for a unit of tokens by second, even to a name that ends with it.
            case TOKENS_PER_SECOND -> "{token_per_second}";
            case TURNS -> "{turn}";
            case TOKENS, COUNT, BYTES, NANOSECONDS -> "{token}";
        };
    }

    private static Unit unitOf(String series) {
        SeriesName known = SeriesName.ofWire(series);
        return known == null ? Unit.TOKENS : known.unit();
    }

    static void add(OptionalFigures figures, DistinctMetrics out) {
        Interactivity rates = figures.interactivity();
        if (rates != null) {
            out.gauge(
                    "e2e_interactivity_tokens_per_second",
                    "output tokens per second of request time, of successes",
                    Map.of(),
                    rates.tokensPerSecond());
        }
        Conversations conversations = figures.conversations();
        if (conversations == null) {
            return;
        }
        out.counter("conversations_seen", "conversations with a turn", Map.of(), conversations.seen());
        out.counter(
                "conversations_completed",
                "conversations that ended without an error",
                Map.of(),
                conversations.completed());
        out.counter(
                "conversations_failed", "conversations that ended, a turn failed", Map.of(), conversations.failed());
        out.gauge(
                "conversations_open",
                "conversations in flight or idle for less than 300 s",
                Map.of(),
                conversations.open());
        out.gauge("conversations_active", "conversations with a turn in flight", Map.of(), conversations.active());
        out.gauge(
                "conversations_active_peak",
                "the most active conversations so far",
                Map.of(),
                conversations.activePeak());
        for (Conversations.Turns each : conversations.byTurn()) {
            Map<String, String> turn = Map.of("turn", each.place());
            out.counter("turns_issued", "turns issued, by place", turn, each.issued());
            out.counter("turns_completed", "turns completed, by place", turn, each.completed());
            out.counter("turns_failed", "turns completed after an error, by place", turn, each.failed());
            out.counter(
                    "turns_output_tokens",
                    "output tokens, by place",
                    turn,
                    each.output().total());
        }
    }
}
