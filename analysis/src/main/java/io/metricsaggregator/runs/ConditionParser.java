package io.metricsaggregator.runs;

import java.util.regex.Matcher;

/** Reads the conditions of {@code compare --fail-if}. */
public final class ConditionParser {
    private ConditionParser() {}

    /**
     * Reads {@code ttft.p99 > +5%}, {@code requests_per_s < -3%}, {@code verdict=invalid} or {@code verdict=questionable}.
     *
     * @throws IllegalArgumentException if the text is not a condition; the message quotes it and names the four forms
     */
    public static Condition parse(String text) {
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
}
