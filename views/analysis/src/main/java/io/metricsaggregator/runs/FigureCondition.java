package io.metricsaggregator.runs;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fails a comparison if a figure differs from the baseline by more than a limit. The figures of the whole runs decide whether the limit is
 * broken. If time slices allow a test, the difference must also be significant, otherwise the result is inconclusive. A percentile that too few
 * values bound is inconclusive too, unless the test finds a difference.
 *
 * @param key of the figure, such as {@code ttft.p99}
 * @param above whether differences above the limit fail; false for those below
 * @param limit as a fraction
 */
record FigureCondition(String key, boolean above, double limit) implements Condition {
    static final Pattern SHAPE =
            Pattern.compile("\\s*([a-z_]+(?:\\.[a-z0-9_.]+)?)\\s*([<>])\\s*([+-]?\\d+(?:\\.\\d+)?)\\s*%\\s*");

    private static final String UNBOUNDED = "too few values bound the percentile with 99 % confidence";

    static FigureCondition parse(Matcher matcher) {
        return new FigureCondition(
                matcher.group(1), matcher.group(2).equals(">"), Double.parseDouble(matcher.group(3)) / 100);
    }

    @Override
    public Answer check(Comparison comparison) {
        Comparison.Row row = comparison.rows().stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + this + "' needs " + key
                        + " of both runs; they have "
                        + String.join(
                                ", ",
                                comparison.rows().stream()
                                        .map(Comparison.Row::key)
                                        .toList())));
        Double change = row.change();
        double difference = change == null ? (row.after() > 0 ? Double.MAX_VALUE : 0) : change;
        String seen = evidence(row);
        if (!beyond(difference)) {
            return new Answer(State.DOES_NOT_HOLD, row.certain() ? "" : seen + "; " + UNBOUNDED);
        }
        if (row.outcome() == Comparison.Outcome.UNTESTED) {
            return row.certain()
                    ? new Answer(State.HOLDS, seen)
                    : new Answer(State.INCONCLUSIVE, seen + "; " + UNBOUNDED);
        }
        return proven(row, difference)
                ? new Answer(State.HOLDS, seen)
                : new Answer(State.INCONCLUSIVE, seen + "; the difference may be chance");
    }

    private boolean beyond(double difference) {
        return above ? difference > limit : difference < limit;
    }

    /** Whether slices show a difference in the direction of the limit, or put the whole interval beyond it. */
    private boolean proven(Comparison.Row row, double difference) {
        Double low = row.low();
        Double high = row.high();
        if (low == null || high == null) {
            return false;
        }
        boolean different = row.outcome() == Comparison.Outcome.BETTER || row.outcome() == Comparison.Outcome.WORSE;
        boolean agrees = Math.signum(low + high) == Math.signum(difference) && difference > 0 == above;
        return (different && agrees) || (beyond(low) && beyond(high));
    }

    private static String evidence(Comparison.Row row) {
        Double change = row.change();
        String point = change == null
                ? String.format(Locale.ROOT, "from 0 to %.4g", row.after())
                : String.format(Locale.ROOT, "%+.1f%%", 100 * change);
        return row.low() == null || row.high() == null
                ? point + ", not tested"
                : String.format(
                        Locale.ROOT, "%s, 95 %% interval %+.1f%% to %+.1f%%", point, 100 * row.low(), 100 * row.high());
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s %s %+.4g%%", key, above ? ">" : "<", 100 * limit);
    }
}
