package io.metricsaggregator.daemon;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import org.jspecify.annotations.Nullable;

/** Counters of the journal; they are there only if there is one. */
final class JournalCounters {
    private final RunJournal journal;
    private final LongCounter bytes;
    private final LongCounter errors;
    private final LongCounter missed;
    private final LongCounter recovered;
    private final LongCounter skipped;
    private final LongCounter missing;
    private final LongCounter frameSkips;

    JournalCounters(Registry registry, RunJournal journal) {
        this.journal = journal;
        this.bytes = registry.counter(CounterName.JOURNAL_BYTES);
        this.errors = registry.counter(CounterName.JOURNAL_ERRORS);
        this.missed = registry.counter(CounterName.JOURNAL_FRAMES_MISSED);
        this.recovered = registry.counter(CounterName.JOURNAL_FRAMES_RECOVERED);
        this.skipped = registry.counter(CounterName.JOURNAL_BYTES_SKIPPED);
        this.missing = registry.counter(CounterName.JOURNAL_ENTRIES_MISSING);
        this.frameSkips = registry.counter(CounterName.JOURNAL_FRAMES_SKIPPED);
    }

    void refresh() {
        @Nullable JournalWriter writer = journal.writer();
        if (writer != null) {
            bytes.set(writer.bytes());
            errors.set(writer.errors());
            missed.set(writer.missed());
        }
        JournalReader reader = journal.recovered();
        recovered.set(reader.frames());
        skipped.set(reader.skippedBytes());
        missing.set(reader.missingEntries());
        frameSkips.set(journal.framesSkipped());
    }
}
