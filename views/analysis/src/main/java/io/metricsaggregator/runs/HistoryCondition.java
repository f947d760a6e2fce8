package io.metricsaggregator.runs;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A limit for the newest run of each group, from the level of the runs before it.
 *
 * @param text as the user wrote it
 * @param figure such as {@code ttft.p99}
 * @param above whether more than the limit is wrong
 * @param sign of what is added to the level: 1, -1, or 0 for nothing
 * @param amount number of median absolute deviations, or percent of the level
 * @param percent whether {@code amount} is in percent
 */
public record HistoryCondition(String text, String figure, boolean above, int sign, double amount, boolean percent) {
    private static final Pattern FORM = Pattern.compile(
            "\\s*([a-z0-9_.]+)\\s*([<>])\\s*history(?:\\s*([+-])\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(mad|%))?\\s*");

    /**
     * The answer for a group.
     *
     * @param state HOLDS: the newest run is beyond the limit
     * @param evidence the numbers, or why there is no answer; empty if the condition does not hold
     */
    public record Answer(String group, Condition.State state, String evidence) {}

    /**
     * Reads a condition such as {@code ttft.p99 > history+3mad}, {@code requests_per_s < history-5%} or {@code errors > history}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static HistoryCondition parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("condition '" + text
                    + "' is not FIGURE, < or >, and history+Nmad or history+N%, such as 'ttft.p99 > history+3mad'");
        }
        String sign = form.group(3);
        return new HistoryCondition(
                text,
                form.group(1),
                form.group(2).equals(">"),
                sign == null ? 0 : sign.equals("+") ? 1 : -1,
                sign == null ? 0 : Double.parseDouble(form.group(4)),
                "%".equals(form.group(5)));
    }

    /**
     * Judges the newest run of each group.
     *
     * @throws IllegalArgumentException if no run has the figure
     */
    public List<Answer> check(History history) {
        List<Answer> answers = history.tracks().stream()
                .filter(each -> each.figure().equals(figure))
                .map(each -> check(each, history.missed(each)))
                .toList();
        if (answers.isEmpty()) {
            throw new IllegalArgumentException("condition '" + text + "': no run has the figure " + figure);
        }
        return answers;
    }

    private Answer check(History.Track track, @Nullable String missed) {
        if (missed != null) {
            return new Answer(track.group(), Condition.State.INCONCLUSIVE, missed);
        }
        History.Level level = track.levelBefore();
        if (level.runs() < History.LEVEL_MIN) {
            return new Answer(
                    track.group(),
                    Condition.State.INCONCLUSIVE,
                    "the level has " + level.runs() + " earlier runs, fewer than " + History.LEVEL_MIN);
        }
        double limit = level.median() + sign * amount * (percent ? Math.abs(level.median()) / 100 : level.mad());
        boolean beyond = above ? track.newest() > limit : track.newest() < limit;
        if (!beyond) {
            return new Answer(track.group(), Condition.State.DOES_NOT_HOLD, "");
        }
        return new Answer(
                track.group(),
                Condition.State.HOLDS,
                String.format(
                        Locale.ROOT,
                        "%s of %s is %.4g %s, the limit %.4g: median %.4g and median deviation %.4g of %d earlier runs",
                        figure,
                        track.runs().get(track.runs().size() - 1).name(),
                        track.newest(),
                        track.unit(),
                        limit,
                        level.median(),
                        level.mad(),
                        level.runs()));
    }
}
