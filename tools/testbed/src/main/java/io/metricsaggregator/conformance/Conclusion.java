package io.metricsaggregator.conformance;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Sums up the results of checks in one line. Stateless. */
public final class Conclusion {
    private Conclusion() {}

    /** The line for subscribers and consumers: the numbers of cases and failures. */
    public static String of(List<CaseResult> results) {
        long bad = results.stream().filter(CaseResult::isBad).count();
        return bad == 0 ? "All " + results.size() + " cases pass." : bad + " of " + results.size() + " cases fail.";
    }

    /**
     * The line for a producer: the numbers, and the level it keeps.
     *
     * @param asked the highest level that was checked
     */
    public static String ofProducer(List<CaseResult> results, Level asked) {
        Set<String> broken = new TreeSet<>();
        results.forEach(result -> result.checks().stream()
                .filter(check -> check.status() != CaseResult.Status.PASS)
                .forEach(check -> broken.add(check.id())));
        int kept = 0;
        for (Level level : Level.values()) {
            boolean failed = broken.stream().anyMatch(id -> id.startsWith(level.title() + "."));
            if (failed || level.number() > asked.number()) {
                break;
            }
            kept = level.number();
        }
        String level = kept == 0
                ? "The producer keeps no level."
                : "The producer keeps level " + kept + " (" + Level.of(kept).title() + ").";
        return of(results) + " " + level + (broken.isEmpty() ? "" : " Broken: " + String.join(", ", broken) + ".");
    }
}
