package io.metricsaggregator.snapshot;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.figures.Conversations;
import io.metricsaggregator.snapshot.figures.EnergyUse;
import io.metricsaggregator.snapshot.figures.Interactivity;
import io.metricsaggregator.snapshot.figures.Jobs;
import io.metricsaggregator.snapshot.figures.LabelBreakdown;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.ReportedUsage;
import io.metricsaggregator.snapshot.figures.ServerTimeFigures;
import io.metricsaggregator.snapshot.figures.SteadyState;
import org.jspecify.annotations.Nullable;

/**
 * Figures that not every run has.
 *
 * @param usage tokens that servers reported; null unless the producer sends them
 * @param steady whether the run is in steady state; null before the first tracked sample, in merged runs, and from daemons that do not judge it
 * @param labels samples by the labels of their issue; null unless the producer sends them
 * @param energy energy of GPUs and processors; null unless a source of it was collected
 * @param conversations conversations and their turns; null unless samples have a {@code conversation_id}
 * @param interactivity output tokens and latencies of successes; null before the first output with a length
 * @param progress whether the endpoints answer; null before the first record, in imported runs, and from daemons that do not judge it
 * @param serverTimes where the time to first token went; null unless the producer sends server times
 * @param jobs jobs of agents; null unless samples have keys of jobs
 * @param nodes the nodes of a fleet; null in the snapshot of a single daemon
 */
public record OptionalFigures(
        @Nullable ReportedUsage usage,
        @Nullable SteadyState steady,
        @Nullable LabelBreakdown labels,
        @Nullable EnergyUse energy,
        @Nullable Conversations conversations,
        @Nullable Interactivity interactivity,
        @Nullable Progress progress,
        @Nullable ServerTimeFigures serverTimes,
        @Nullable Jobs jobs,
        @Nullable Nodes nodes) {
    /** No figures. */
    public static final OptionalFigures NONE = new OptionalFigures(null, null, null, null, null, null, null);

    static OptionalFigures pass(Sections s, OptionalFigures v) throws MalformedMessageException {
        return new OptionalFigures(
                s.absent("usage", v.usage, ReportedUsage::pass, ReportedUsage.BLANK),
                s.absent("steady", v.steady, SteadyState::pass, SteadyState.BLANK),
                s.absent("by_label", v.labels, LabelBreakdown::pass, LabelBreakdown.BLANK),
                s.absent("energy", v.energy, EnergyUse::pass, EnergyUse.BLANK),
                s.absent("conversations", v.conversations, Conversations::pass, Conversations.BLANK),
                s.absent("interactivity", v.interactivity, Interactivity::pass, Interactivity.BLANK),
                s.absent("progress", v.progress, Progress::pass, Progress.BLANK),
                s.absent("server_times", v.serverTimes, ServerTimeFigures::pass, ServerTimeFigures.BLANK),
                s.absent("jobs", v.jobs, Jobs::pass, Jobs.BLANK),
                Nodes.pass(s, v.nodes));
    }

    /** Creates the figures of a single daemon. */
    public OptionalFigures(
            @Nullable ReportedUsage usage,
            @Nullable SteadyState steady,
            @Nullable LabelBreakdown labels,
            @Nullable EnergyUse energy,
            @Nullable Conversations conversations,
            @Nullable Interactivity interactivity,
            @Nullable Progress progress) {
        this(usage, steady, labels, energy, conversations, interactivity, progress, null, null, null);
    }

    /** The same figures with other times to first token. */
    public OptionalFigures withServerTimes(@Nullable ServerTimeFigures other) {
        return new OptionalFigures(
                usage, steady, labels, energy, conversations, interactivity, progress, other, jobs, nodes);
    }

    /** The same figures with other jobs. */
    public OptionalFigures withJobs(@Nullable Jobs other) {
        return new OptionalFigures(
                usage, steady, labels, energy, conversations, interactivity, progress, serverTimes, other, nodes);
    }

    /** The same figures with other nodes. */
    public OptionalFigures withNodes(@Nullable Nodes other) {
        return new OptionalFigures(
                usage, steady, labels, energy, conversations, interactivity, progress, serverTimes, jobs, other);
    }

    /** The same figures with another steady state. */
    public OptionalFigures withSteady(@Nullable SteadyState other) {
        return new OptionalFigures(
                usage, other, labels, energy, conversations, interactivity, progress, serverTimes, jobs, nodes);
    }

    /** The same figures with other tokens and latencies of successes. */
    public OptionalFigures withInteractivity(@Nullable Interactivity other) {
        return new OptionalFigures(
                usage, steady, labels, energy, conversations, other, progress, serverTimes, jobs, nodes);
    }

    /** The same figures with other labels. */
    public OptionalFigures withLabels(@Nullable LabelBreakdown other) {
        return new OptionalFigures(
                usage, steady, other, energy, conversations, interactivity, progress, serverTimes, jobs, nodes);
    }

    /** The same figures with another energy. */
    public OptionalFigures withEnergy(@Nullable EnergyUse other) {
        return new OptionalFigures(
                usage, steady, labels, other, conversations, interactivity, progress, serverTimes, jobs, nodes);
    }

    /** The same figures with another progress. */
    public OptionalFigures withProgress(@Nullable Progress other) {
        return new OptionalFigures(
                usage, steady, labels, energy, conversations, interactivity, other, serverTimes, jobs, nodes);
    }
}
