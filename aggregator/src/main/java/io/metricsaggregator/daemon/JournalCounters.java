package io.metricsaggregator.daemon;

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
        this.bytes = registry.counter("journal_bytes");
        this.errors = registry.counter("journal_errors");
        this.missed = registry.counter("journal_frames_missed");
        this.recovered = registry.counter("journal_frames_recovered");
        this.skipped = registry.counter("journal_bytes_skipped");
        this.missing = registry.counter("journal_entries_missing");
        this.frameSkips = registry.counter("journal_frames_skipped");
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
