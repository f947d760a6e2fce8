package io.metricsaggregator.run;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.fold.RateMeter;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.publish.SnapshotDraft;
import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.transport.TransportStats;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A run that receives frames, and snapshots of it while it lasts. With a journal it may continue a run of an earlier process. Belongs
 * to the main loop; only {@link SnapshotDraft}s leave it.
 */
public final class LiveRun extends Run {
    private final Ingest ingest;
    private final DaemonCounters counters;
    private final SelfMeter self;
    private final @Nullable RunJournal journal;
    private final @Nullable JournalCounters journalCounters;
    private final RateMeter rates = new RateMeter();
    private RegistryCopy copy;
    private long snapshots;
    private long terminalNanos;
    private long terminalWallNanos;

    /**
     * A run whose journal, if any, has been read back.
     *
     * @param ingest receives frames and applies them to the parts
     * @param journal null without a journal
     * @param journalCounters null without a journal
     * @param snapshots snapshots that subscribers have seen of a run before this one
     */
    LiveRun(
            RunParts parts,
            RunIdentity identity,
            Ingest ingest,
            SelfMeter self,
            @Nullable RunJournal journal,
            @Nullable JournalCounters journalCounters,
            long snapshots) {
        super(parts, identity);
        this.ingest = ingest;
        this.counters = parts.counters();
        this.self = self;
        this.journal = journal;
        this.journalCounters = journalCounters;
        this.snapshots = snapshots;
        this.copy = parts.registry().newCopy();
    }

    /** Applies received frames to this run. */
    public Ingest ingest() {
        return ingest;
    }

    /** Counters of the daemon itself. */
    public DaemonCounters counters() {
        return counters;
    }

    /** Measures the cost of the daemon itself. */
    public SelfMeter self() {
        return self;
    }

    /** Whether an earlier process received a part of this run. */
    public boolean isResumed() {
        return journal != null && journal.isResumed();
    }

    /** Snapshots taken so far. */
    long snapshots() {
        return snapshots;
    }

    /** The journal; null without one. */
    @Nullable
    RunJournal journal() {
        return journal;
    }

    /** The folder of the run's journal; null without a journal. */
    @Nullable
    Path journalFolder() {
        return journal == null ? null : journal.folder();
    }

    /** Ends the outage of a resumed run now: every record published from now on is received. */
    public void ready() {
        if (journal == null || !journal.isResumed()) {
            return;
        }
        long fromWallNanos =
                journal.recovery().reader().lastReceivedWallNanos(identity().startedWallNanos());
        long nowWallNanos = wallNanos();
        fold.outage(fromWallNanos, nowWallNanos);
        JournalWriter writer = journal.writer();
        if (writer != null) {
            writer.outage(fromWallNanos, nowWallNanos, System.nanoTime());
        }
    }

    /** The process ends by an error of its own, which texts of an earlier process may have caused. */
    public void broken() {
        if (journal != null) {
            journal.broken();
        }
    }

    /** Marks the run as finished: its result is durable, and no process resumes it. */
    public void finished() {
        if (journal != null) {
            journal.finish(terminalNanos, terminalWallNanos);
        }
    }

    /** Records the texts that have been counted, and hands those that wait to the tokenizer threads. */
    public void exchangeTexts() {
        texts.exchange();
        if (journal != null && journal.isSettling() && texts.hasSettledRecovered()) {
            journal.settled();
        }
    }

    /** Samples the totals, for rates. */
    public void sampleRates(long nowNanos) {
        fold.sample(rates, nowNanos);
    }

    /** Takes a snapshot: copies, to be rendered on another thread. The copies are valid until the next call. */
    public SnapshotDraft take(long nowNanos, TransportStats stats) {
        long wallNanos = wallNanos();
        prepare(nowNanos, stats);
        if (copy.size() != registry().size()) {
            // Rare series are registered with their first value.
            copy = registry().newCopy();
        }
        registry().copyInto(copy);
        return new SnapshotDraft(
                ++snapshots, nowNanos, state(), texts.pending(), copy, extensions(nowNanos, wallNanos, stats));
    }

    /**
     * Takes the terminal snapshot, rendered on this thread.
     *
     * @param outOfTime once true, the series that are left have percentiles of their histograms
     */
    public MetricsSnapshot takeTerminal(long nowNanos, TransportStats stats, BooleanSupplier outOfTime) {
        // Before the exact percentiles, which take time: both clocks are read together.
        long wallNanos = wallNanos();
        terminalNanos = nowNanos;
        terminalWallNanos = wallNanos;
        prepare(nowNanos, stats);
        self.sampleLast();
        long pending = texts.pending();
        List<Metric> metrics = exactMetrics(outOfTime);
        return new MetricsSnapshot(
                ++snapshots, nowNanos, state(), pending, metrics, extensions(nowNanos, wallNanos, stats));
    }

    private void prepare(long nowNanos, TransportStats stats) {
        exchangeTexts();
        refresh(nowNanos, stats);
        if (journalCounters != null) {
            journalCounters.refresh();
        }
        ingest.telemetry().tick(nowNanos);
        sampleRates(nowNanos);
    }

    private SnapshotExtensions extensions(long nowNanos, long wallNanos, TransportStats stats) {
        return extensions(
                nowNanos,
                identity().info(wallNanos, stats.exposures),
                rates.rates(),
                self.cost(stats.bytesWaiting, ingest.bursts()));
    }

    private static long wallNanos() {
        return EpochNanos.of(Instant.now());
    }
}
