package io.metricsaggregator.runs;

import io.metricsaggregator.snapshot.Nodes;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.fields.Adder;
import io.metricsaggregator.snapshot.fields.Fields;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The figures of several runs that a run may lack, added up by the rules of their records. */
final class FigureMerge {
    private final List<OptionalFigures> all;
    private final SaturatingSums sums;
    private final boolean together;

    private FigureMerge(List<SnapshotExtensions> runs, SaturatingSums sums, boolean together) {
        this.all = runs.stream().map(SnapshotExtensions::optional).toList();
        this.sums = sums;
        this.together = together;
    }

    /**
     * The figures of all runs.
     *
     * @param together whether the runs measured at the same time, so that their peaks add up
     */
    static OptionalFigures of(
            List<SnapshotExtensions> runs,
            SaturatingSums sums,
            boolean together,
            @Nullable LabelBreakdown labels,
            @Nullable Nodes nodes) {
        FigureMerge merge = new FigureMerge(runs, sums, together);
        return new OptionalFigures(
                merge.sum("reported usage", OptionalFigures::usage, ReportedUsage::pass),
                null,
                labels,
                EnergyMerge.of(runs),
                merge.conversations(),
                merge.sum("conversations", OptionalFigures::interactivity, Interactivity::pass),
                // A run that does not look for stalls may have had some.
                merge.all.stream().anyMatch(each -> each.progress() == null)
                        ? null
                        : merge.sum("stalls", OptionalFigures::progress, Progress::pass),
                merge.sum("server times", OptionalFigures::serverTimes, ServerTimeFigures::pass),
                merge.sum("jobs", OptionalFigures::jobs, Jobs::pass),
                nodes);
    }

    private <T> @Nullable T sum(String what, Function<OptionalFigures, @Nullable T> of, Fields.Shape<T> shape) {
        Adder adder = sums.adder(what, together);
        T sum = null;
        for (OptionalFigures each : all) {
            T next = of.apply(each);
            sum = next == null ? sum : sum == null ? adder.alone(next, shape) : adder.add(sum, next, shape);
        }
        return sum;
    }

    private @Nullable Conversations conversations() {
        Conversations sum = sum("conversations", OptionalFigures::conversations, Conversations::pass);
        if (sum == null) {
            return null;
        }
        Adder adder = sums.adder("conversations", together);
        Map<Integer, Conversations.Turns> turns = new TreeMap<>();
        for (OptionalFigures each : all) {
            Conversations some = each.conversations();
            for (Conversations.Turns row : some == null ? List.<Conversations.Turns>of() : some.byTurn()) {
                turns.merge(
                        row.from(),
                        adder.alone(row, Conversations.Turns::pass),
                        (a, b) -> adder.add(a, b, Conversations.Turns::pass));
            }
        }
        return sum.withTurns(List.copyOf(turns.values()));
    }
}
