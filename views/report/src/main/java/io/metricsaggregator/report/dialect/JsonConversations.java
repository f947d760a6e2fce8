package io.metricsaggregator.report.dialect;

import io.metricsaggregator.analysis.Report;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Jobs;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts {@code conversations} of the JSON report, with turns by their place, and {@code jobs}. */
final class JsonConversations {
    private JsonConversations() {}

    /** Adds those that the run has. */
    static void put(Map<String, @Nullable Object> tree, Report report) {
        OptionalFigures figures = report.snapshot().extensions().optional();
        Conversations conversations = figures.conversations();
        if (conversations != null) {
            tree.put("conversations", of(conversations));
        }
        Jobs jobs = figures.jobs();
        if (jobs != null) {
            tree.put("jobs", JsonJobs.of(jobs, report));
        }
    }

    private static Map<String, @Nullable Object> of(Conversations conversations) {
        return ReportFields.of(
                "conversations",
                conversations,
                Conversations::pass,
                "by_turn",
                conversations.byTurn().stream().map(JsonConversations::turns).toList());
    }

    private static Map<String, @Nullable Object> turns(Conversations.Turns turns) {
        return ReportFields.of(
                "turns",
                turns,
                Conversations.Turns::pass,
                "turn",
                turns.place(),
                "isl_mean",
                turns.input().mean(),
                "osl_mean",
                turns.output().mean());
    }
}
