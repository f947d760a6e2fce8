package io.metricsaggregator.daemon;

import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.fold.FoldOptions;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.RateMeter;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.journal.JournalWriter;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.publish.SnapshotDraft;
import io.metricsaggregator.publish.TickBudget;
import io.metricsaggregator.registry.PercentileGrid;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.registry.RegistryFreeze;
import io.metricsaggregator.snapshot.Additions;
import io.metricsaggregator.snapshot.Completeness;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.storage.ValueStorage;
import io.metricsaggregator.tokens.TextDesk;
import io.metricsaggregator.tokens.TokenWorkers;
import io.metricsaggregator.transport.TransportStats;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one run, and snapshots of it. Belongs to the thread of the main flow, which gives it the time; only
 * {@link SnapshotDraft}s leave it.
 */
final class Run {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);
    /** Starts in a row that may die while a journal is read back, before its texts are left uncounted. */
    private static final int FAILED_STARTS_MAX = 2;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** A tokenizer that counts nothing for so long hangs: texts are then dropped, and counted as that. */
    private static final long TEXT_PATIENCE_NANOS = 60 * NANOS_PER_SECOND;

    private static final long TEXT_LOOK_NANOS = 1_000_000L;

    final String id;
    final LoadgenFold fold;
    final Ingest ingest;
    final RunState state = new RunState();
    final DaemonCounters counters;
    final SelfMeter self;
    final HeapLimits limits;

    private final Map<String, Long> limitsByName;
    private final @Nullable TextDesk texts;
    private volatile Runnable whenCounted = () -> {};
    private final String version;
    private final boolean earlyStopping;
    private final ValueStorage values;
    private final Registry registry;
    private RegistryFreeze freeze;
    private final RateMeter rates = new RateMeter();
    private final long startedWallNanos;
    private final Map<String, String> environment;
    private final Map<String, String> settings;
    private final WhatIf whatIf;
    private final @Nullable WorkerExclusion exclusion;
    private final @Nullable RunJournal journal;
    private final @Nullable JournalCounters journalCounters;
    private long textsToSettle;
    private long snapshots;
    private long recordsSeen;
    private long newestRecordNanos;
    private long terminalNanos;
    private long terminalWallNanos;
    /** When the process before this one last received something. */
    private long outageFromWallNanos;

    /** A new run, or the one that the journal holds unfinished. */
    Run(AggregatorOptions options, LongSupplier clock, @Nullable RunJournal journal) throws IOException {
        this(options, clock, journal, WhatIf.NOTHING, null);
    }

    /**
     * As above, but otherwise than it was.
     *
     * @param exclusion records to leave out; null for none
     */
    Run(
            AggregatorOptions options,
            LongSupplier clock,
            @Nullable RunJournal journal,
            WhatIf whatIf,
            @Nullable WorkerExclusion exclusion)
            throws IOException {
        this.settings = JournalSettings.of(options);
        this.whatIf = whatIf;
        this.exclusion = exclusion;
        this.journal = journal;
        this.version = options.version();
        this.earlyStopping = options.earlyStopping();
        this.limits = HeapLimits.ofThisHeap();
        this.limitsByName = limits.byName(
                options.maxInFlight(),
                Math.min(
                        options.observe().options().keysMax(),
                        limits.telemetry().operationKeys()));
        this.values = new ValueStorage(options.rawValuesMaxBytes(), options.spillDirectory());
        this.registry = new Registry(
                options.significantFigures(),
                options.displayBuckets(),
                PercentileGrid.with(whatIf.percentiles()),
                values);
        this.fold = new LoadgenFold(
                registry,
                new FoldOptions(
                        options.streaming(),
                        options.maxInFlight(),
                        limits.longIdBytes(),
                        new SecureRandom().nextLong(), // of this process: the table does not outlive it
                        options.objectives(),
                        whatIf.cut(),
                        options.trackAll()));
        AggregatorOptions.Tokens tokens = options.tokens();
        if (tokens == null) {
            this.texts = null;
        } else {
            TokenWorkers workers =
                    new TokenWorkers(tokens.counter(), tokens.chat(), tokens.workers(), () -> whenCounted.run());
            this.texts = new TextDesk(registry, workers, tokens.textMaxBytes());
            fold.countTexts(texts);
        }
        this.counters = new DaemonCounters(registry);
        EventDecoder decoder = journal == null ? new EventDecoder() : new EventDecoder(journal.idSecret());
        this.ingest = new Ingest(fold, clock, options.observe().options(), limits.telemetry(), decoder);
        this.journalCounters = journal == null ? null : new JournalCounters(registry, journal);
        if (exclusion != null) {
            ingest.applyOnly(exclusion::keeps);
        }
        if (journal != null) {
            journal.recover(ingest, this::refuseTextsThatMayKill, this::makeRoomForTexts);
            if (texts != null) {
                texts.refuse(false);
                textsToSettle = texts.settled() + texts.waiting();
            }
            settleJournal();
        }
        String resumed = journal == null ? null : journal.runId();
        long started = journal == null ? 0 : journal.startedWallNanos();
        this.id = resumed == null ? HexFormat.of().formatHex(randomBytes()) : resumed;
        this.startedWallNanos = started == 0 ? wallNanos() : started;
        this.environment = environment(journal);
        if (journal != null) {
            JournalWriter writer = journal.write(id, startedWallNanos, settings, environment);
            if (writer != null) {
                ingest.journalTo(writer);
            }
            if (journal.isResumed()) {
                outageFromWallNanos = journal.recovered().lastReceivedWallNanos(startedWallNanos);
                outageUntilNow();
            }
        }
        this.self = new SelfMeter(
                ingest.lag(),
                values,
                new TickBudget(options.publishIntervalNanos()),
                Thread.currentThread().getId());
        this.freeze = registry.newFreeze();
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
    Run next(AggregatorOptions options, LongSupplier clock) throws IOException {
        if (journal == null) {
            throw new IllegalStateException("a run without a journal is not resumed");
        }
        Run next = new Run(options, clock, journal.next());
        next.snapshots = snapshots;
        journal.leave();
        return next;
    }

    /** Where the run is kept; null without a journal. */
    @Nullable
    Path journalFolder() {
        return journal == null ? null : journal.folder();
    }

    /** After starts that died one after the other, and of no one frame, texts are the likeliest cause: native code counts them. */
    private void refuseTextsThatMayKill(RecoveryMarker marker) {
        if (texts != null && marker.failedStarts() >= FAILED_STARTS_MAX) {
            texts.refuse(true);
            LOG.error(
                    "{} starts died while they resumed this run: texts that were received before are not counted (texts_dropped)",
                    marker.failedStarts());
        }
    }

    /** The process ends by an error of its own, which texts of an earlier one may have caused. */
    void broken() {
        if (journal != null) {
            journal.broken();
        }
    }

    private void settleJournal() {
        if (journal != null && journal.isSettling() && (texts == null || texts.settled() >= textsToSettle)) {
            journal.settled();
        }
    }

    /** Waits, while a journal is read back, until so many texts have been counted that those to come find room. */
    private void makeRoomForTexts() {
        TextDesk desk = texts;
        if (desk == null) {
            return;
        }
        desk.exchange(fold);
        if (desk.isCrowded() && !desk.isCountedLive()) {
            desk.drain();
        }
        awaitTexts(desk, desk::isCrowded);
    }

    /** Records texts as they are counted while {@code waiting}; gives up when nothing comes for long. */
    private void awaitTexts(TextDesk desk, BooleanSupplier waiting) {
        long settled = desk.settled();
        long since = System.nanoTime();
        while (waiting.getAsBoolean() && System.nanoTime() - since < TEXT_PATIENCE_NANOS) {
            LockSupport.parkNanos(TEXT_LOOK_NANOS);
            desk.exchange(fold);
            if (desk.settled() != settled) {
                settled = desk.settled();
                since = System.nanoTime();
            }
        }
    }

    /** Whether there is anything to show: the session has started, or there are observations of another kind. */
    boolean hasStarted() {
        return fold.isStarted() || ingest.observations().any();
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

    /** That of the machine the run was measured on: a replay may run elsewhere. */
    private static Map<String, String> environment(@Nullable RunJournal journal) {
        Map<String, String> recorded =
                journal != null && journal.isReadOnly() ? journal.environment() : Map.<String, String>of();
        return recorded.isEmpty() ? Environment.describe() : recorded;
    }

    private static byte[] randomBytes() {
        byte[] bytes = new byte[8];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** While texts are all that is waited for, {@code wake} is told, by another thread, when some have been counted. */
    void wakes(Runnable wake) {
        whenCounted = wake;
    }

    /** Records texts that have been counted, and lets others be. */
    void exchangeTexts() {
        if (texts != null) {
            texts.exchange(fold);
            settleJournal();
        }
    }

    /** Lets every core count texts. Answers whether there are any. */
    boolean drainTexts() {
        if (texts != null) {
            texts.drain();
        }
        return isWaitingForTexts();
    }

    /** Counts all texts that are left, and waits for it; one that hangs is left alone. */
    void countTexts() {
        if (texts != null && drainTexts()) {
            awaitTexts(texts, this::isWaitingForTexts);
        }
    }

    /** Whether texts are still to be counted. */
    boolean isWaitingForTexts() {
        return texts != null && texts.isWaiting();
    }

    private long pendingTexts() {
        return texts == null ? 0 : texts.pending();
    }

    /** Notes the totals, for rates. */
    void look(long nowNanos) {
        fold.look(rates, nowNanos);
    }

    /** Takes a snapshot: copies, to be rendered elsewhere. The copies are good until the next one is taken. */
    SnapshotDraft take(long nowNanos, TransportStats stats) {
        long wallNanos = snapshotWallNanos();
        prepare(nowNanos, stats);
        if (freeze.size() != registry.size()) {
            // Series that are rare are registered when they are first needed.
            freeze = registry.newFreeze();
        }
        registry.freezeInto(freeze);
        return new SnapshotDraft(
                ++snapshots, nowNanos, state.get(), pendingTexts(), freeze, additions(nowNanos, wallNanos, stats));
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
                pendingTexts(),
                registry.renderExact(registry.newFreeze(), earlyStopping, new Cores(), outOfTime),
                additions(nowNanos, wallNanos, stats));
    }

    private void prepare(long nowNanos, TransportStats stats) {
        exchangeTexts();
        fold.refresh();
        counters.refresh(stats);
        if (journalCounters != null) {
            journalCounters.refresh();
        }
        if (!isReplayed()) {
            ingest.observations().tick(nowNanos);
        }
        long records = fold.ledger().recordsReceived.value();
        if (records != recordsSeen) {
            recordsSeen = records;
            newestRecordNanos = nowNanos;
        }
        look(nowNanos);
    }

    private Additions additions(long nowNanos, long wallNanos, TransportStats stats) {
        return new Additions(
                new Additions.RunInfo(
                        Additions.RunInfo.SCHEMA_VERSION,
                        id,
                        version,
                        startedWallNanos,
                        wallNanos,
                        stats.exposures,
                        recomputed(),
                        environment,
                        settings),
                fold.inFlight(nowNanos - newestRecordNanos),
                isReplayed() ? List.of() : rates.rates(),
                fold.workers(),
                fold.errors(),
                ingest.malformed(),
                fold.slices(),
                fold.slowest(),
                fold.goodput(),
                ingest.observations().freeze(nowNanos, state.get().isTerminal()),
                isReplayed() ? null : self.cost(stats.bytesWaiting, ingest.bursts()),
                fold.session(),
                fold.outages(),
                Completeness.whole(limitsByName));
    }

    /** Whether the run was another process's: what this one costs says nothing of it. */
    private boolean isReplayed() {
        return journal != null && journal.isReadOnly();
    }

    private List<String> recomputed() {
        if (exclusion == null) {
            return whatIf.words();
        }
        List<String> words = new ArrayList<>(whatIf.words());
        words.add(exclusion.excluded() + " records left out with the workers");
        return words;
    }

    /** The wall clock at the time of a snapshot: now, or when a run that is replayed ended. */
    private long snapshotWallNanos() {
        return journal != null && journal.isReadOnly() ? journal.clock().endWallNanos(startedWallNanos) : wallNanos();
    }

    private static long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
    }
}
