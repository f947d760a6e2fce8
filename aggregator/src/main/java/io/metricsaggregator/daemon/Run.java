package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.fold.FoldOptions;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.RateMeter;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.FrameLog;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.publish.SnapshotDraft;
import io.metricsaggregator.publish.TickBudget;
import io.metricsaggregator.registry.PercentileGrid;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistryCopy;
import io.metricsaggregator.snapshot.Completeness;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.storage.ValueStorage;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one run, and snapshots of it. Belongs to the thread of the main flow, which gives it the time; only
 * {@link SnapshotDraft}s leave it.
 */
final class Run {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    final String id;
    final LoadgenFold fold;
    final Ingest ingest;
    final RunState state = new RunState();
    final DaemonCounters counters;
    final SelfMeter self;
    final HeapLimits limits;
    final TextCounting texts;

    private final Map<String, Long> limitsByName;
    private final boolean earlyStopping;
    private final ValueStorage values;
    private final Registry registry;
    private RegistryCopy copy;
    private final RecordLedger ledger = new RecordLedger();
    private final RateMeter rates = new RateMeter();
    private final RunIdentity identity;
    private final @Nullable RunJournal journal;
    private final @Nullable JournalCounters journalCounters;
    private long snapshots;
    private long recordsSeen;
    private long newestRecordNanos;
    private long terminalNanos;
    private long terminalWallNanos;
    /** When the process before this one last received something. */
    private long outageFromWallNanos;

    /** A new run, or the one that the journal holds unfinished. */
    Run(
            RunConfig config,
            RunResources resources,
            long publishIntervalNanos,
            LongSupplier clock,
            @Nullable RunJournal journal)
            throws IOException {
        this(config, resources, publishIntervalNanos, clock, journal, List.of(), null);
    }

    /**
     * As above, with settings of its own.
     *
     * @param changes settings in which it differs from the recorded run, in words
     * @param exclusion records to leave out; null for none
     */
    Run(
            RunConfig config,
            RunResources resources,
            long publishIntervalNanos,
            LongSupplier clock,
            @Nullable RunJournal journal,
            List<String> changes,
            @Nullable WorkerExclusion exclusion)
            throws IOException {
        this.journal = journal;
        this.earlyStopping = config.earlyStopping();
        this.limits = HeapLimits.ofThisHeap();
        this.limitsByName = limits.byName(
                resources.maxInFlight(),
                Math.min(config.telemetry().keysMax(), limits.telemetry().operationKeys()));
        this.values = new ValueStorage(resources.valuesMaxBytes(), resources.spillDirectory());
        this.registry = new Registry(
                config.histograms().significantFigures(),
                config.histograms().displayBuckets(),
                PercentileGrid.with(config.histograms().percentiles()),
                values);
        this.fold = new LoadgenFold(
                registry,
                ledger,
                new FoldOptions(
                        config.tracking().streaming(),
                        resources.maxInFlight(),
                        limits.longIdBytes(),
                        new SecureRandom().nextLong(), // of this process: the table does not outlive it
                        config.objectives(),
                        config.tracking().cut(),
                        config.tracking().trackAll()));
        this.texts = new TextCounting(resources.tokens(), registry, fold);
        this.counters = new DaemonCounters(registry);
        EventDecoder decoder = journal == null ? new EventDecoder() : new EventDecoder(journal.idSecret());
        FrameApplier frames = new FrameApplier(
                ledger,
                fold,
                new TelemetryFolds(config.telemetry(), limits.telemetry()),
                decoder,
                exclusion == null ? FrameApplier.ALL : exclusion::keeps);
        this.journalCounters = journal == null ? null : new JournalCounters(registry, journal);
        if (journal != null) {
            journal.recover(new JournalIngest(frames), texts::refuseWhatMayKill, texts::makeRoom);
            texts.recovered();
            settleJournal();
        }
        this.identity = RunIdentity.of(config, changes, exclusion, journal, wallNanos());
        this.id = identity.id();
        JournalWriter writer = journal == null
                ? null
                : journal.write(id, identity.startedWallNanos(), identity.settings(), identity.environment());
        this.ingest = new Ingest(frames, clock, writer == null ? FrameLog.NONE : FrameLog.to(writer));
        if (journal != null) {
            if (journal.isResumed()) {
                outageFromWallNanos = journal.recovered().lastReceivedWallNanos(identity.startedWallNanos());
                outageUntilNow();
            }
        }
        this.self = new SelfMeter(
                ingest.lag(),
                values,
                new TickBudget(publishIntervalNanos),
                Thread.currentThread().getId());
        this.copy = registry.newCopy();
    }

    /** Whether an earlier process received a part of this run. */
    boolean isResumed() {
        return journal != null && journal.isResumed();
    }

    /** Nothing that is published from now on is missed: an outage that the run was resumed from ends here. */
    void ready() {
        if (isResumed()) {
            outageUntilNow();
        }
    }

    private void outageUntilNow() {
        long now = wallNanos();
        fold.outage(outageFromWallNanos, now);
        JournalWriter writer = journal == null ? null : journal.writer();
        if (writer != null) {
            writer.outage(outageFromWallNanos, now, System.nanoTime());
        }
    }

    /**
     * A new run behind this one, which another benchmark's session has come to; its snapshots are numbered on. This one stays in its
     * journal, unfinished.
     *
     * @throws IOException if there can be no journal for it; this run continues then
     */
    Run next(DaemonConfig config, LongSupplier clock) throws IOException {
        if (journal == null) {
            throw new IllegalStateException("a run without a journal is not resumed");
        }
        Run next =
                new Run(config.run(), config.resources(), config.publishing().intervalNanos(), clock, journal.next());
        next.snapshots = snapshots;
        journal.leave();
        return next;
    }

    /** Where the run is kept; null without a journal. */
    @Nullable
    Path journalFolder() {
        return journal == null ? null : journal.folder();
    }

    /** The process ends by an error of its own, which texts of an earlier one may have caused. */
    void broken() {
        if (journal != null) {
            journal.broken();
        }
    }

    private void settleJournal() {
        if (journal != null && journal.isSettling() && texts.hasSettledRecovered()) {
            journal.settled();
        }
    }

    /** Whether there is anything to show: the session has started, or there are observations of another kind. */
    boolean hasStarted() {
        return fold.isStarted() || ingest.telemetry().any();
    }

    /** Enters the state in which a session that has ended leaves the run: interrupted if its producer aborted it. */
    void end(String reason) {
        if (fold.isInterrupted()) {
            state.advance(SessionState.INTERRUPTED, "the producer interrupted the session");
        } else {
            state.advance(SessionState.COMPLETE, reason);
        }
    }

    /** Its counters and series. */
    Registry registry() {
        return registry;
    }

    /** The result is durable: the run is not to be resumed. */
    void finished() {
        if (journal != null) {
            journal.finish(terminalNanos, terminalWallNanos);
        }
    }

    /** Of a run that is replayed: the monotonic time at which it ended. */
    long endNanos() {
        return journal == null ? 0 : journal.clock().endNanos();
    }

    /** Records texts that have been counted, and lets others be. */
    void exchangeTexts() {
        texts.exchange();
        settleJournal();
    }

    /** Notes the totals, for rates. */
    void look(long nowNanos) {
        fold.sample(rates, nowNanos);
    }

    /** Takes a snapshot: copies, to be rendered elsewhere. The copies are good until the next one is taken. */
    SnapshotDraft take(long nowNanos, TransportStats stats) {
        long wallNanos = snapshotWallNanos();
        prepare(nowNanos, stats);
        if (copy.size() != registry.size()) {
            // Series that are rare are registered when they are first needed.
            copy = registry.newCopy();
        }
        registry.copyInto(copy);
        return new SnapshotDraft(
                ++snapshots, nowNanos, state.get(), texts.pending(), copy, extensions(nowNanos, wallNanos, stats));
    }

    /**
     * Takes the snapshot that ends the run, rendered here and now.
     *
     * @param outOfTime true makes the series that are left do without exact percentiles
     */
    MetricsSnapshot takeTerminal(long nowNanos, TransportStats stats, BooleanSupplier outOfTime) {
        SessionState terminal = state.get();
        if (!terminal.isTerminal()) {
            throw new IllegalStateException("the run is still " + terminal);
        }
        // Now, and not behind the exact percentiles: the two clocks are read together.
        long wallNanos = snapshotWallNanos();
        terminalNanos = nowNanos;
        terminalWallNanos = wallNanos;
        prepare(nowNanos, stats);
        self.sampleLast();
        // Copies of its own: the last draft may still be in rendering.
        return new MetricsSnapshot(
                ++snapshots,
                nowNanos,
                terminal,
                texts.pending(),
                registry.renderExact(registry.newCopy(), earlyStopping, new ParallelWorkers(), outOfTime),
                extensions(nowNanos, wallNanos, stats));
    }

    private void prepare(long nowNanos, TransportStats stats) {
        exchangeTexts();
        fold.refresh();
        counters.refresh(stats);
        texts.refresh();
        if (journalCounters != null) {
            journalCounters.refresh();
        }
        if (!isReplayed()) {
            ingest.telemetry().tick(nowNanos);
        }
        long records = ledger.recordsReceived.value();
        if (records != recordsSeen) {
            recordsSeen = records;
            newestRecordNanos = nowNanos;
        }
        look(nowNanos);
    }

    private SnapshotExtensions extensions(long nowNanos, long wallNanos, TransportStats stats) {
        return new SnapshotExtensions(
                identity.info(wallNanos, stats.exposures),
                fold.inFlight(nowNanos - newestRecordNanos),
                isReplayed() ? List.of() : rates.rates(),
                ledger.workers(),
                fold.errors(),
                ingest.malformed(),
                fold.slices(),
                fold.slowest(),
                fold.goodput(),
                ingest.telemetry().freeze(nowNanos, state.get().isTerminal()),
                isReplayed() ? null : self.cost(stats.bytesWaiting, ingest.bursts()),
                fold.session(),
                fold.outages(),
                Completeness.whole(limitsByName));
    }

    /** Whether the run was another process's: what this one costs says nothing of it. */
    private boolean isReplayed() {
        return journal != null && journal.isReadOnly();
    }

    /** The wall clock at the time of a snapshot: now, or when a run that is replayed ended. */
    private long snapshotWallNanos() {
        return journal != null && journal.isReadOnly()
                ? journal.clock().endWallNanos(identity.startedWallNanos())
                : wallNanos();
    }

    private static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    }
}
