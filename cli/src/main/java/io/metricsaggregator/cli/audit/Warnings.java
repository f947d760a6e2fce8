package io.metricsaggregator.cli.audit;

import io.metricsaggregator.cli.audit.Figure.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Looks for what a tool shows of failures and interruptions: exit status, file, and console lines that it does not always print. One thread. */
final class Warnings {
    private static final Pattern WARNING = Pattern.compile(
            "(?i)fail|error|abort|cancel|interrupt|incomplete|exception|reset|broken|disconnect|closed|warn|signal|stopp");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:[.,][0-9]+)*");
    private static final Pattern ZERO = Pattern.compile("[0.,]+");

    private final Set<String> usual = new HashSet<>();

    /** Remembers the lines of a run without failures. */
    void usual(List<String> console) {
        console.forEach(line -> usual.add(normal(line)));
    }

    /**
     * Judges whether the tool shows what happened.
     *
     * @param what has happened, such as {@code 2 requests failed}
     * @param shown whether its file says so
     */
    Figure shown(String what, boolean shown, int status, List<String> console) {
        String line = line(console);
        String how = status != 0
                ? "exit status " + status
                : shown ? "its file says so" : line == null ? "" : "it prints '" + line + "'";
        return new Figure(
                "warning",
                "",
                how.isEmpty() ? 0 : 1,
                1.0,
                null,
                how.isEmpty() ? Verdict.SILENT : Verdict.EXACT,
                what + (how.isEmpty() ? ": no exit status, count or line shows it" : ": " + how));
    }

    private @Nullable String line(List<String> console) {
        for (String each : console) {
            if (WARNING.matcher(each).find() && !usual.contains(normal(each)) && !countsNothing(each)) {
                String text = each.strip().replaceAll("\\p{Cntrl}\\[[0-9;]*m|\\p{Cntrl}", "");
                return text.length() > 80 ? text.substring(0, 80) + "…" : text;
            }
        }
        return null;
    }

    /** Whether a line has numbers, and all of them are zero. */
    private static boolean countsNothing(String line) {
        List<String> numbers =
                NUMBER.matcher(line).results().map(each -> each.group()).toList();
        return !numbers.isEmpty()
                && numbers.stream().allMatch(each -> ZERO.matcher(each).matches());
    }

    private static String normal(String line) {
        return NUMBER.matcher(line).replaceAll("0").strip();
    }
}
