package io.metricsaggregator.runs;

import java.util.regex.Matcher;

/** Reads the conditions of {@code compare --fail-if}. */
public final class ConditionParser {
    private ConditionParser() {}

    /**
     * Reads {@code ttft.p99 > +5%}, {@code requests_per_s < -3%}, {@code verdict=invalid}, {@code verdict=questionable}, {@code steady=no}
     * or {@code steady=uncertified}.
     *
     * @throws IllegalArgumentException if the text is not a condition; the message quotes it and names the forms
     */
    public static Condition parse(String text) {
        Matcher verdict = VerdictCondition.SHAPE.matcher(text);
        if (verdict.matches()) {
            return VerdictCondition.parse(verdict.group(1));
        }
        Matcher steady = SteadyCondition.SHAPE.matcher(text);
        if (steady.matches()) {
            return SteadyCondition.parse(steady.group(1));
        }
        Matcher figure = FigureCondition.SHAPE.matcher(text);
        if (figure.matches()) {
            return FigureCondition.parse(figure);
        }
        throw new IllegalArgumentException("'" + text
                + "' is not a condition. Write 'ttft.p99 > +5%', 'requests_per_s < -3%', 'verdict=invalid',"
                + " 'verdict=questionable', 'steady=no' or 'steady=uncertified'");
    }
}
