package io.metricsaggregator.verdict;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Records that a journal lacks, and with it each run that was read from it. */
final class JournalLosses implements Check {

    @Override
    public String name() {
        return "journal";
    }

    @Override
    public String effect() {
        return "a run read from a journal (resumed, replayed, merged) whose journal lacks entries or frames, or has a damaged part, or"
                + " frames that crashed the daemon: invalid. A journal that missed frames while its run was received: a note";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        List<String> lost = new ArrayList<>();
        RecordLosses.note(
                lost,
                snapshot.counter(CounterName.JOURNAL_FRAMES_SKIPPED),
                "journal frames were skipped because they crashed the daemon");
        RecordLosses.note(
                lost, snapshot.counter(CounterName.JOURNAL_ENTRIES_MISSING), "entries are missing from the journal");
        RecordLosses.note(
                lost,
                snapshot.counter(CounterName.JOURNAL_BYTES_SKIPPED),
                "bytes behind a damaged place of the journal were not read");
        long missed = snapshot.counter(CounterName.JOURNAL_FRAMES_MISSED);
        boolean wasRead = snapshot.counter(CounterName.JOURNAL_FRAMES_RECOVERED) > 0;
        if (wasRead) {
            RecordLosses.note(lost, missed, "frames were received and could not be written to the journal");
        }
        if (!lost.isEmpty()) {
            return List.of(new Finding(
                    Finding.Weight.BAD, name(), String.join("; ", lost) + ": no figure includes their records"));
        }
        long errors = snapshot.counter(CounterName.JOURNAL_ERRORS);
        return missed == 0 && errors == 0
                ? List.of()
                : List.of(new Finding(
                        Finding.Weight.NOTE,
                        name(),
                        String.format(
                                Locale.ROOT,
                                "%,d writes failed and %,d frames are missing from the journal: these figures have them, a"
                                        + " replay does not",
                                errors,
                                missed)));
    }
}
