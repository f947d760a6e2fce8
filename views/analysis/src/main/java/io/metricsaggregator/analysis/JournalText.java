package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a run and its journal do not have in common: the same words for the verdict and beside the record ledger of every view. */
public final class JournalText {
    private JournalText() {}

    /** What a difference means for the figures. */
    public enum Effect {
        /** The journal lacked it when the run was read from it: no figure includes it. */
        LOST,
        /** The start of a frame that a killed daemon was writing: no figure includes it, and no snapshot had shown it. */
        TORN,
        /** The figures include it; a replay will not. */
        NOT_WRITTEN
    }

    /**
     * A counter of the journal in words.
     *
     * @param name of the counter
     * @param count above 0
     * @param what is counted, as it follows the number
     */
    public record Count(Effect effect, CounterName name, long count, String what) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%,d %s", count, what);
        }
    }

    /** All differences; empty if the run is what its journal has. */
    public static List<Count> of(MetricsSnapshot snapshot) {
        long lost = framesLost(snapshot);
        return Stream.of(
                        count(
                                snapshot,
                                Effect.LOST,
                                CounterName.JOURNAL_FRAMES_SKIPPED,
                                "journal frames skipped because they crashed the daemon"),
                        count(
                                snapshot,
                                Effect.LOST,
                                CounterName.JOURNAL_ENTRIES_MISSING,
                                "entries missing from the journal"),
                        count(
                                snapshot,
                                Effect.LOST,
                                CounterName.JOURNAL_BYTES_SKIPPED,
                                "bytes behind a damaged place of the journal"),
                        new Count(
                                Effect.LOST,
                                CounterName.JOURNAL_FRAMES_LOST,
                                lost,
                                "frames that an earlier process received and could not write to the journal"),
                        count(
                                snapshot,
                                Effect.TORN,
                                CounterName.JOURNAL_BYTES_TORN,
                                "bytes of a frame that a killed daemon was writing to the journal"),
                        new Count(
                                Effect.NOT_WRITTEN,
                                CounterName.JOURNAL_FRAMES_MISSED,
                                snapshot.counter(CounterName.JOURNAL_FRAMES_MISSED) - lost,
                                "frames of these records missing from the journal"))
                .filter(each -> each.count() > 0)
                .toList();
    }

    private static Count count(MetricsSnapshot snapshot, Effect effect, CounterName name, String what) {
        return new Count(effect, name, snapshot.counter(name), what);
    }

    /** In snapshots of earlier versions, all frames missed by a run that was read from its journal. */
    private static long framesLost(MetricsSnapshot snapshot) {
        if (snapshot.has(CounterName.JOURNAL_FRAMES_LOST)) {
            return snapshot.counter(CounterName.JOURNAL_FRAMES_LOST);
        }
        return snapshot.counter(CounterName.JOURNAL_FRAMES_RECOVERED) > 0
                ? snapshot.counter(CounterName.JOURNAL_FRAMES_MISSED)
                : 0;
    }

    /** The lines below a record ledger, which cannot count these as records; empty if the run is what its journal has. */
    public static List<String> besideLedger(MetricsSnapshot snapshot) {
        List<String> lines = new ArrayList<>();
        List<Count> all = of(snapshot);
        String absent = all.stream()
                .filter(each -> each.effect() != Effect.NOT_WRITTEN)
                .map(Count::toString)
                .collect(Collectors.joining("; "));
        if (!absent.isEmpty()) {
            lines.add("not among them: " + absent);
        }
        all.stream().filter(each -> each.effect() == Effect.NOT_WRITTEN).forEach(each -> lines.add(each.toString()));
        return lines;
    }
}
