package io.metricsaggregator.runs;

/** A condition that fails a comparison: a figure differs by more than a limit, or the verdict on a run is bad. Immutable. */
public sealed interface Condition permits FigureCondition, SteadyCondition, VerdictCondition {

    /** Whether a condition holds. */
    enum State {
        HOLDS,
        /** The point estimate breaks the limit without proof: the difference may be chance, or too few values bound the percentile. */
        INCONCLUSIVE,
        DOES_NOT_HOLD
    }

    /**
     * The result of a check.
     *
     * @param state whether the condition holds
     * @param evidence a clause with the figures; empty if the condition does not hold and the figure is certain
     */
    record Answer(State state, String evidence) {}

    /**
     * Evaluates the condition.
     *
     * @throws IllegalArgumentException if the runs do not have the figure
     */
    Answer check(Comparison comparison);
}
