package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.JournalText;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Records that a journal lacks, and with it each run that was read from it. */
final class JournalLosses implements Check {

    @Override
    public String name() {
        return "journal";
    }

    @Override
    public String effect() {
        return "a run read from a journal (resumed, replayed, merged) that lacks entries, or frames of an earlier process, or has a damaged"
                + " part, or frames that crashed the daemon: invalid. A journal with the start of a frame that a killed daemon was"
                + " writing: questionable. A journal that lacks frames which the figures include: a note";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        List<Finding> findings = new ArrayList<>();
        String lost = counts(snapshot, JournalText.Effect.LOST);
        if (!lost.isEmpty()) {
            findings.add(new Finding(Finding.Weight.BAD, name(), lost + ": no figure includes their records"));
        }
        String torn = counts(snapshot, JournalText.Effect.TORN);
        if (!torn.isEmpty()) {
            findings.add(new Finding(
                    Finding.Weight.REMARK,
                    name(),
                    torn + ": what it had received last is in no figure, and was in no snapshot"));
        }
        String missing = counts(snapshot, JournalText.Effect.NOT_WRITTEN);
        long errors = snapshot.counter(CounterName.JOURNAL_ERRORS);
        if (errors > 0 || !missing.isEmpty()) {
            String failed = errors == 0
                    ? ""
                    : String.format(Locale.ROOT, "%,d %s failed", errors, errors == 1 ? "write" : "writes");
            findings.add(new Finding(
                    Finding.Weight.NOTE,
                    name(),
                    missing.isEmpty()
                            ? failed
                            : (failed.isEmpty() ? "" : failed + "; ") + missing
                                    + ": the figures have them, a replay does not"));
        }
        return findings;
    }

    private static String counts(MetricsSnapshot snapshot, JournalText.Effect effect) {
        return JournalText.of(snapshot).stream()
                .filter(each -> each.effect() == effect)
                .map(Object::toString)
                .collect(Collectors.joining("; "));
    }
}
