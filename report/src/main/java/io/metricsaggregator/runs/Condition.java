package io.metricsaggregator.runs;

import java.util.regex.Matcher;

/** When a comparison is to fail: a figure differs by more than a limit, or the verdict on one of the runs is bad. Immutable. */
public sealed interface Condition permits FigureCondition, VerdictCondition {

    /** Whether a condition holds. */
    enum State {
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
    record Answer(State state, String evidence) {}

    /**
     * Reads {@code ttft.p99 > +5%}, {@code requests_per_s < -3%}, {@code verdict=invalid} or {@code verdict=questionable}.
     *
     * @throws IllegalArgumentException if the text is not a condition
     */
    static Condition parse(String text) {
        Matcher verdict = VerdictCondition.SHAPE.matcher(text);
        if (verdict.matches()) {
            return VerdictCondition.parse(verdict.group(1));
        }
        Matcher figure = FigureCondition.SHAPE.matcher(text);
        if (figure.matches()) {
            return FigureCondition.parse(figure);
        }
        throw new IllegalArgumentException("'" + text
                + "' is not a condition. Write 'ttft.p99 > +5%', 'requests_per_s < -3%', 'verdict=invalid' or"
                + " 'verdict=questionable'");
    }

    /**
     * Evaluates the condition.
     *
     * @throws IllegalArgumentException if the runs do not have the figure
     */
    Answer check(Comparison comparison);
}
