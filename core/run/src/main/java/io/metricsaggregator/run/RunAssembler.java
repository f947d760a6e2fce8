package io.metricsaggregator.run;

import io.metricsaggregator.config.RunConfig;
import io.metricsaggregator.config.RunResources;
import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.event.EventDecoder;
import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.series.FoldOptions;
import io.metricsaggregator.ingest.FrameApplier;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.ingest.JournalIngest;
import io.metricsaggregator.journal.RecoveryMarker;
import io.metricsaggregator.journal.RunFiles;
import io.metricsaggregator.ledger.RecordLedger;
import io.metricsaggregator.publish.TickBudget;
import io.metricsaggregator.registry.PercentileGrid;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.storage.ValueStorage;
import io.metricsaggregator.telemetry.TelemetryFolds;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Assembles runs from their configuration: wires registry, folds and ingest, applies the frames of journals and opens them for writing.
 * Used by the thread that owns the runs.
 */
public final class RunAssembler {
    private final RunConfig config;
    private final RunResources resources;
    private final LongSupplier clock;

    /**
     * An assembler of runs with one configuration.
     *
     * @param clock the monotonic clock, for records without a timestamp
     */
    public RunAssembler(RunConfig config, RunResources resources, LongSupplier clock) {
        this.config = config;
        this.resources = resources;
        this.clock = clock;
    }

    /**
     * Assembles a new run, or the unfinished run of {@code journal} with all its frames applied.
     *
     * @param publishIntervalNanos time between snapshots
     * @throws IOException if the journal cannot be read or written
     */
    public LiveRun live(long publishIntervalNanos, RunJournal journal) throws IOException {
        return live(publishIntervalNanos, journal, 0);
    }

    /**
     * Assembles a new run that follows {@code resumed}, whose journal stays unfinished. Its snapshots continue the numbers of that run.
     *
     * @throws IOException if its journal cannot be created; {@code resumed} continues then
     */
    LiveRun following(LiveRun resumed, long publishIntervalNanos) throws IOException {
        LiveRun next = live(publishIntervalNanos, resumed.journal().next(), resumed.snapshots());
        resumed.journal().leave();
        return next;
    }

    private LiveRun live(long publishIntervalNanos, RunJournal journal, long snapshots) throws IOException {
        RunParts parts = parts(journal.decoder(), FrameApplier.ALL);
        journal.register(parts.registry());
        journal.recover(parts);
        RunIdentity identity = RunIdentity.live(config, journal.recovery(), HostClocks.offset(clock));
        Ingest ingest = new Ingest(parts.frames(), clock, journal.write(identity));
        SelfMeter self = new SelfMeter(
                ingest.lag(),
                parts.values(),
                new TickBudget(publishIntervalNanos),
                Thread.currentThread().getId());
        LiveRun run = new LiveRun(parts, identity, ingest, self, journal, snapshots);
        run.exchangeTexts();
        run.ready();
        return run;
    }

    /**
     * Assembles a recorded run with all frames of its journal applied.
     *
     * @param folder the files of the run
     * @param changes settings in which it differs from the recorded run, in words
     * @throws IOException if the journal cannot be read
     * @throws IllegalArgumentException if an excluded worker sent no record
     */
    ReplayedRun replayed(RunFiles folder, List<String> changes) throws IOException {
        Long idSecret = JournalRecovery.idSecret(folder);
        WorkerExclusion exclusion = exclusion(folder);
        RunParts parts = parts(
                new EventDecoder(idSecret == null ? new SecureRandom().nextLong() : idSecret),
                exclusion == null ? FrameApplier.ALL : exclusion::keeps,
                replayedValues(),
                JournalRecovery.isImported(folder));
        JournalRecovery recovery = new JournalRecovery();
        JournalCounters journalCounters = new JournalCounters(parts.registry(), recovery, () -> null);
        RecoveryMarker marker = RecoveryMarker.readOnly(folder);
        parts.texts().refuseWhatMayKill(marker);
        try {
            recovery.apply(folder, marker, new JournalIngest(parts.frames()), parts.texts()::makeRoom);
        } catch (IOException e) {
            parts.texts().stop();
            parts.values().close();
            throw e;
        }
        parts.texts().recovered();
        journalCounters.refresh();
        return new ReplayedRun(parts, RunIdentity.replayed(config, recovery, changes, exclusion), recovery.clock());
    }

    /** Values that are read rather than received can wait for the disk. */
    private ValueStorage replayedValues() {
        Path spill = resources.spillDirectory();
        return spill == null
                ? new ValueStorage(resources.valuesMaxBytes(), null)
                : ValueStorage.patient(resources.valuesMaxBytes(), spill);
    }

    RunParts parts(EventDecoder decoder, Predicate<DecodedEvent> keeps) {
        return parts(decoder, keeps, new ValueStorage(resources.valuesMaxBytes(), resources.spillDirectory()), false);
    }

    private Registry registry(ValueStorage values) {
        return new Registry(
                config.histograms().significantFigures(),
                config.histograms().displayBuckets(),
                PercentileGrid.with(config.histograms().percentiles()),
                values);
    }

    private FoldOptions foldOptions(HeapLimits limits) {
        // A hash seed for this process alone: the table of samples does not outlive it.
        long hashSeed = new SecureRandom().nextLong();
        return new FoldOptions(
                        config.tracking().streaming(),
                        resources.maxInFlight(),
                        limits.longIdBytes(),
                        hashSeed,
                        config.objectives(),
                        config.tracking().cut(),
                        config.tracking().trackAll(),
                        config.tokenSource(),
                        config.steady().superPassSize())
                .withTargets(
                        config.targets().endpointIdleNanos(), config.targets().expectedLabels())
                .withConversations(
                        resources.maxConversations(),
                        resources.maxJobs(),
                        config.tracking().countUntracked());
    }

    private RunParts parts(EventDecoder decoder, Predicate<DecodedEvent> keeps, ValueStorage values, boolean imported) {
        HeapLimits limits = HeapLimits.ofThisHeap();
        FoldOptions options = imported ? foldOptions(limits).ofImport() : foldOptions(limits);
        Registry registry = registry(values);
        RecordLedger ledger = new RecordLedger();
        LoadgenFold fold = new LoadgenFold(registry, ledger, options);
        TextCounting texts = TextCounting.start(resources.tokens(), registry, fold);
        DaemonCounters counters = new DaemonCounters(registry);
        FrameApplier frames = new FrameApplier(
                ledger, fold, new TelemetryFolds(config.telemetry(), limits.telemetry()), decoder, keeps);
        int keysMax = Math.min(config.telemetry().keysMax(), limits.telemetry().operationKeys());
        return new RunParts(
                limits,
                limits.byName(resources.maxInFlight(), keysMax),
                config.steady(),
                config.earlyStopping(),
                values,
                registry,
                fold,
                texts,
                counters,
                frames);
    }

    /** Finds the samples that excluded workers took part in; null if none is excluded. */
    private @Nullable WorkerExclusion exclusion(RunFiles folder) throws IOException {
        if (config.tracking().excludedWorkers().isEmpty()) {
            return null;
        }
        WorkerExclusion exclusion = new WorkerExclusion(config.tracking().excludedWorkers());
        Registry unused = new Registry(
                config.histograms().significantFigures(),
                config.histograms().displayBuckets(),
                new ValueStorage(0, null));
        RecordLedger ledger = new RecordLedger();
        FrameApplier scan = new FrameApplier(
                ledger,
                new LoadgenFold(unused, ledger, new FoldOptions(false, 1, 0, 0)),
                new TelemetryFolds(),
                new EventDecoder(),
                exclusion::scan);
        new JournalRecovery().apply(folder, RecoveryMarker.readOnly(folder), new JournalIngest(scan), () -> {});
        exclusion.requireAllFound();
        return exclusion;
    }
}
