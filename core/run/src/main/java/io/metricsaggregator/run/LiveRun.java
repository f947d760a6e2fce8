package io.metricsaggregator.run;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.fold.label.EndpointWaits;
import io.metricsaggregator.fold.series.RateMeter;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.publish.SnapshotDraft;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.transport.TransportStats;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A run that receives frames, and snapshots of it while it lasts. With a journal it may continue a run of an earlier process. Belongs
 * to the main loop; only {@link SnapshotDraft}s leave it.
 */
public final class LiveRun extends Run {
    private final Ingest ingest;
    private final DaemonCounters counters;
    private final SelfMeter self;
    private final RunJournal journal;
    private final RateMeter rates = new RateMeter();
    private RegistryCopy copy;
    private long snapshots;
    private long terminalNanos;
    private long terminalWallNanos;

    /**
     * A run whose journal has been read back and is open for writing.
     *
     * @param ingest receives frames and applies them to the parts
     * @param snapshots number of snapshots taken of the run before this one; 0 for none
     */
    LiveRun(RunParts parts, RunIdentity identity, Ingest ingest, SelfMeter self, RunJournal journal, long snapshots) {
        super(parts, identity);
        this.ingest = ingest;
        this.counters = parts.counters();
        this.self = self;
        this.journal = journal;
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
    boolean isResumed() {
        return journal.isResumed();
    }

    /** Snapshots taken so far, those of the run before this one included. */
    long snapshots() {
        return snapshots;
    }

    RunJournal journal() {
        return journal;
    }

    /** Ends the outage of a resumed run now: every record published from now on is received. Does nothing for a new run. */
    public void ready() {
        if (!journal.isResumed()) {
            return;
        }
        long fromWallNanos =
                journal.recovery().reader().lastReceivedWallNanos(identity().startedWallNanos());
        long nowWallNanos = EpochNanos.now();
        fold.outage(
                fromWallNanos, nowWallNanos, journal.recovery().reader().clock().endNanos());
        journal.outage(fromWallNanos, nowWallNanos);
    }

    /** Notes in the journal that an internal error ends the process: a text received by an earlier process may be its cause. */
    public void broken() {
        journal.broken();
    }

    /** Marks the run as finished: its result is durable, and no process resumes it. */
    public void finished() {
        journal.finish(terminalNanos, terminalWallNanos);
    }

    /** Records the token counts of texts that have been counted, and submits waiting texts to the tokenizer threads. */
    public void exchangeTexts() {
        texts.exchange();
        if (journal.isSettling() && texts.hasSettledRecovered()) {
            journal.settled();
        }
    }

    /** Notes whether any producer is connected; without one, no endpoint stalls. */
    public void connected(boolean connected, long nowNanos) {
        fold.waits().connected(connected, nowNanos);
    }

    /** Time without an answer of any endpoint, in nanoseconds; 0 with nothing in flight, and while the endpoints are not to blame. */
    public long waitingNanos(long nowNanos) {
        EndpointWaits waits = fold.waits();
        waits.tick(nowNanos);
        return waits.waitingNanos();
    }

    /** Samples in flight. */
    public long inFlight() {
        return fold.inFlight(0).count();
    }

    /** Samples the totals from which the rates of snapshots are computed. */
    public void sampleRates(long nowNanos) {
        fold.sample(rates, nowNanos);
    }

    /** Takes a snapshot as copies that another thread renders. The copies are valid until the next call. */
    public SnapshotDraft take(long nowNanos, TransportStats stats) {
        long wallNanos = EpochNanos.now();
        updateAll(nowNanos, stats);
        Registry shown = registry();
        if (copy.size() != shown.size()) {
            // Rare series are registered with their first value.
            copy = shown.newCopy();
        }
        shown.copyInto(copy);
        return new SnapshotDraft(
                ++snapshots,
                nowNanos,
                state(),
                texts.pending(),
                copy,
                extensions(nowNanos, wallNanos, stats),
                closedBatches());
    }

    /**
     * Takes the terminal snapshot, rendered on this thread.
     *
     * @param outOfTime once it returns true, the remaining series get percentiles from their histograms
     */
    public MetricsSnapshot takeTerminal(long nowNanos, TransportStats stats, BooleanSupplier outOfTime) {
        // Before the exact percentiles, which take time: both clocks are read together.
        long wallNanos = EpochNanos.now();
        terminalNanos = nowNanos;
        terminalWallNanos = wallNanos;
        updateAll(nowNanos, stats);
        self.sampleLast();
        long pending = texts.pending();
        List<Metric> metrics = exactMetrics(outOfTime);
        return new MetricsSnapshot(
                ++snapshots, nowNanos, state(), pending, metrics, extensions(nowNanos, wallNanos, stats));
    }

    /** Does the work of a tick without a snapshot: texts, journal, telemetry and rates. Part of {@link #take}. */
    public void update(long nowNanos) {
        exchangeTexts();
        journal.settle(nowNanos);
        pass(nowNanos);
        ingest.telemetry().tick(nowNanos);
        sampleRates(nowNanos);
    }

    private void updateAll(long nowNanos, TransportStats stats) {
        update(nowNanos);
        refresh(nowNanos, stats);
        journal.refreshCounters();
    }

    private SnapshotExtensions extensions(long nowNanos, long wallNanos, TransportStats stats) {
        return extensions(
                nowNanos,
                identity().info(wallNanos, stats.exposures),
                fold.rates(rates.rates()),
                self.cost(stats.bytesWaiting, ingest.bursts()));
    }
}
