package io.metricsaggregator.runs;

/** When a comparison is to fail: a figure differs by more than a limit, or the verdict on one of the runs is bad. Immutable. */
public sealed interface Condition permits FigureCondition, VerdictCondition {

    /** Whether a condition holds. */
    public enum State {
        HOLDS,
        /** The figures say yes, the evidence does not suffice: the difference may be chance, or too few values bound the percentile. */
        INCONCLUSIVE,
        DOES_NOT_HOLD
    }

    /**
     * An answer with its evidence.
     *
     * @param state whether the condition holds
     * @param evidence what it follows from, for people; empty where there is nothing to say
     */
    public record Answer(State state, String evidence) {}

    /**
     * Evaluates the condition.
     *
     * @throws IllegalArgumentException if the runs do not have the figure
     */
    public Answer check(Comparison comparison);
}
