package io.metricsaggregator.run;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.journal.JournalReader;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.Registry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counters of a run's journal; a run without a journal has none of them. Belongs to the thread that owns the run. */
final class JournalCounters {
    private final JournalRecovery recovery;
    private final Supplier<@Nullable JournalWriter> writers;
    private final LongCounter bytes;
    private final LongCounter errors;
    private final LongCounter missed;
    private final LongCounter lost;
    private final LongCounter recovered;
    private final LongCounter skipped;
    private final LongCounter torn;
    private final LongCounter missing;
    private final LongCounter frameSkips;

    /**
     * Registers the counters.
     *
     * @param recovery the recovery of the run; empty for a new run
     * @param writers supplies the writer; null while the journal is not written
     */
    JournalCounters(Registry registry, JournalRecovery recovery, Supplier<@Nullable JournalWriter> writers) {
        this.recovery = recovery;
        this.writers = writers;
        this.bytes = registry.counter(CounterName.JOURNAL_BYTES);
        this.errors = registry.counter(CounterName.JOURNAL_ERRORS);
        this.missed = registry.counter(CounterName.JOURNAL_FRAMES_MISSED);
        this.lost = registry.counter(CounterName.JOURNAL_FRAMES_LOST);
        this.recovered = registry.counter(CounterName.JOURNAL_FRAMES_RECOVERED);
        this.skipped = registry.counter(CounterName.JOURNAL_BYTES_SKIPPED);
        this.torn = registry.counter(CounterName.JOURNAL_BYTES_TORN);
        this.missing = registry.counter(CounterName.JOURNAL_ENTRIES_MISSING);
        this.frameSkips = registry.counter(CounterName.JOURNAL_FRAMES_SKIPPED);
    }

    /** Updates the counters; to be called before a snapshot is taken. */
    void refresh() {
        @Nullable JournalWriter writer = writers.get();
        if (writer != null) {
            bytes.set(writer.bytes());
            errors.set(writer.errors());
            missed.set(writer.missed());
        }
        JournalReader reader = recovery.reader();
        if (writer == null) {
            missed.set(reader.missedFrames());
        }
        lost.set(reader.missedFrames());
        recovered.set(reader.frames());
        skipped.set(reader.skippedBytes());
        torn.set(reader.tornBytes());
        missing.set(reader.missingEntries());
        frameSkips.set(recovery.framesSkipped());
    }
}
