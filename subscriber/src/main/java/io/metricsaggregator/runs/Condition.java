package io.metricsaggregator.runs;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a comparison is to fail, such as {@code ttft.p99 > +5%}: the relative difference is beyond a limit, and is not chance where that
 * can be told.
 *
 * @param key of the figure
 * @param above whether differences above the limit fail; otherwise those below
 * @param limit as a fraction
 */
public record Condition(String key, boolean above, double limit) {
    private static final Pattern SHAPE =
            Pattern.compile("\\s*([a-z_]+(?:\\.[a-z0-9.]+)?)\\s*([<>])\\s*([+-]?\\d+(?:\\.\\d+)?)\\s*%\\s*");

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Condition parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no condition such as 'ttft.p99 > +5%' or 'requests_per_s < -3%'");
        }
        return new Condition(
                matcher.group(1), matcher.group(2).equals(">"), Double.parseDouble(matcher.group(3)) / 100);
    }

    /**
     * Whether it holds.
     *
     * @throws IllegalArgumentException if the runs do not have the figure
     */
    public boolean holds(Comparison comparison) {
        Comparison.Row row = comparison.rows().stream()
                .filter(each -> each.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("both runs would have to have " + key + "; they have "
                        + comparison.rows().stream().map(Comparison.Row::key).toList()));
        Double change = row.change();
        double difference = change == null ? (row.after() > 0 ? Double.MAX_VALUE : 0) : change;
        boolean beyond = above ? difference > limit : difference < limit;
        return beyond && row.outcome() != Comparison.Outcome.SAME;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s %s %+.4g%%", key, above ? ">" : "<", 100 * limit);
    }
}
