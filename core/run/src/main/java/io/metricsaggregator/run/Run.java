package io.metricsaggregator.run;

import io.metricsaggregator.fold.LoadgenFold;
import io.metricsaggregator.fold.steady.SuperPassSamples;
import io.metricsaggregator.parts.FoldPart;
import io.metricsaggregator.parts.RunPart;
import io.metricsaggregator.publish.ClosedBatches;
import io.metricsaggregator.publish.SaturationJudge;
import io.metricsaggregator.publish.SteadyJudge;
import io.metricsaggregator.publish.SteadyStateFiles;
import io.metricsaggregator.registry.Registry;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.OptionalFigures;
import io.metricsaggregator.snapshot.RunInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Completeness;
import io.metricsaggregator.snapshot.figures.Imported;
import io.metricsaggregator.snapshot.figures.Progress;
import io.metricsaggregator.snapshot.figures.Rate;
import io.metricsaggregator.snapshot.figures.SelfCost;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.TimeSpan;
import io.metricsaggregator.steady.SuperPassDiagnostics;
import io.metricsaggregator.storage.ValueStorage;
import io.metricsaggregator.telemetry.TelemetryFolds;
import io.metricsaggregator.telemetry.energy.EnergyWindows;
import io.metricsaggregator.transport.TransportStats;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of one run, from which its snapshots are taken. A {@link LiveRun} receives frames; the frames of a {@link ReplayedRun} were
 * read from a journal. {@link RunAssembler} wires both. Belongs to one thread, which passes the time in.
 */
public abstract sealed class Run permits LiveRun, ReplayedRun {
    /** The values of super-passes take at most this part of the heap while they are judged. */
    private static final long HEAP_SHARE = 3;

    final LoadgenFold fold;
    final TextCounting texts;

    private final RunState state = new RunState();
    private final RunParts parts;
    private final RunIdentity identity;
    private long recordsSeen;
    private boolean stalled;
    private long newestRecordNanos;
    private @Nullable SuperPassDiagnostics superPasses;
    private @Nullable SteadyState judged;
    private boolean judgedBefore;

    Run(RunParts parts, RunIdentity identity) {
        this.parts = parts;
        this.fold = parts.fold();
        this.texts = parts.texts();
        this.identity = identity;
    }

    /** The id of the run: 16 hexadecimal digits. */
    public final String id() {
        return identity.id();
    }

    final RunIdentity identity() {
        return identity;
    }

    /** Counters and series of the run, with the values of the series. */
    final Registry registry() {
        return parts.registry();
    }

    /** Keeps the values of the series. */
    final ValueStorage values() {
        return parts.values();
    }

    /** Bounds that follow from the size of the heap. */
    public final HeapLimits limits() {
        return parts.limits();
    }

    /** The token counting of this run's texts. */
    public final TextCounting texts() {
        return texts;
    }

    /** The state that the next snapshot shows. */
    public final SessionState state() {
        return state.get();
    }

    /** Whether {@code session.ended} has been applied. */
    public final boolean isEnded() {
        return fold.isEnded();
    }

    /** Whether a snapshot would show anything: the session has started, or telemetry was received. */
    public final boolean hasStarted() {
        return fold.isStarted() || parts.frames().telemetry().any();
    }

    /** Frames received so far, those of the daemon's own collectors included. */
    public final long frames() {
        return parts.frames().ledger().framesReceived.value();
    }

    /** Enters LIVE if the run is in INITIALIZE and has started; otherwise does nothing. */
    public final void enterLive() {
        if (state.get() == SessionState.INITIALIZE && hasStarted()) {
            state.advance(SessionState.LIVE, startReason());
        }
    }

    private String startReason() {
        if (fold.hasSessionStarted()) {
            return "session.started";
        }
        return fold.isStarted() ? "the first record" : "observations come";
    }

    /** Enters DRAINING, through LIVE if the run has started; does nothing if it is in DRAINING. */
    public final void enterDraining() {
        enterLive();
        if (state.get() != SessionState.DRAINING) {
            state.advance(SessionState.DRAINING, "session.ended");
        }
    }

    /**
     * Enters INTERRUPTED.
     *
     * @param reason for the log
     * @throws IllegalStateException if the run is in a terminal state
     */
    public final void interrupt(String reason) {
        state.advance(SessionState.INTERRUPTED, reason);
    }

    /**
     * Enters INTERRUPTED because no endpoint answers.
     *
     * @throws IllegalStateException if the run is in a terminal state
     */
    public final void interruptStalled() {
        stalled = true;
        interrupt("no endpoint answers (--interrupt-on-stall)");
    }

    /**
     * Enters the terminal state of a session that has ended: INTERRUPTED if the producer aborted it, COMPLETE otherwise.
     *
     * @param reason why the run is complete, for the log
     * @throws IllegalStateException if the run is in a terminal state
     */
    public final void end(String reason) {
        if (fold.isInterrupted()) {
            state.advance(SessionState.INTERRUPTED, "the producer interrupted the session");
        } else {
            state.advance(SessionState.COMPLETE, reason);
        }
    }

    /** Brings counters up to date for a snapshot at {@code nowNanos}. */
    final void refresh(long nowNanos, TransportStats stats) {
        pass(nowNanos);
        fold.refresh();
        parts.counters().refresh(stats);
        texts.refresh();
    }

    /** Takes the time of the daemon, up to which endpoints wait and which the records since the last call have. */
    final void pass(long nowNanos) {
        fold.waits().tick(nowNanos);
        long records = parts.frames().ledger().recordsReceived.value();
        if (records != recordsSeen) {
            recordsSeen = records;
            newestRecordNanos = nowNanos;
        }
    }

    /**
     * Returns all metrics with exact percentiles, computed on every core.
     *
     * @param outOfTime once it returns true, the remaining series get percentiles from their histograms
     * @throws IllegalStateException if the run has not reached a terminal state
     */
    final List<Metric> exactMetrics(BooleanSupplier outOfTime) {
        if (!state.get().isTerminal()) {
            throw new IllegalStateException("the run is still " + state.get());
        }
        // Copies of its own: the last draft may still be in rendering.
        Registry registry = registry();
        return registry.renderExact(registry.newCopy(), parts.earlyStopping(), new ParallelWorkers(), outOfTime);
    }

    /**
     * Returns the parts of a snapshot other than its metrics.
     *
     * @param nowNanos monotonic time of the snapshot
     * @param info identity of the run at the time of the snapshot
     * @param rates rates over the last seconds; empty for a replay
     * @param cost cost of the daemon itself; null for a replay
     */
    final SnapshotExtensions extensions(long nowNanos, RunInfo info, List<Rate> rates, @Nullable SelfCost cost) {
        boolean terminal = state.get().isTerminal();
        if (terminal && !judgedBefore) {
            judged = judge();
        }
        SteadyState steady = terminal ? judged : null;
        Slices slices = fold.slices();
        TelemetryFolds telemetry = parts.frames().telemetry();
        if (telemetry.any()) {
            telemetry.compareWith(ServerComparison.of(parts.registry(), info, nowNanos, slices, steady));
        }
        SnapshotExtensions.InFlight inFlight = fold.inFlight(nowNanos - newestRecordNanos);
        return SnapshotExtensions.of(info, terminal ? inFlight.ended() : inFlight, slices)
                .rates(rates)
                .workers(parts.frames().ledger().workers())
                .errors(fold.errors())
                .malformed(parts.frames().malformed())
                .slowest(fold.slowest())
                .goodput(fold.goodput())
                .telemetry(telemetry.freeze(nowNanos, terminal))
                .self(cost)
                .session(fold.session())
                .outages(fold.outages())
                .optional(optional(nowNanos, terminal, steady))
                .completeness(Completeness.whole(parts.limitsByName()))
                .build();
    }

    /**
     * The run as a value that is written and added up, once its terminal snapshot was taken; nothing may be applied to the run afterwards.
     *
     * @param last the terminal snapshot
     */
    final RunPart part(MetricsSnapshot last) {
        FoldPart samples = fold.part(last.timestampNanos() - newestRecordNanos);
        Imported imported = identity.imported();
        boolean timeline = imported == null || imported.hasTimeline();
        return RunPart.ofRun(registry(), timeline ? samples : samples.withoutTimeline(), last, parts.earlyStopping());
    }

    private OptionalFigures optional(long nowNanos, boolean terminal, @Nullable SteadyState steady) {
        SteadyWindow window = steady == null ? null : steady.window();
        EnergyWindows windows = new EnergyWindows(
                fold.span(),
                fold.trackedSpans(),
                window == null ? null : new TimeSpan(window.fromNanos(), window.fromNanos() + window.issueNanos()),
                fold.firstIssuedNanos());
        OptionalFigures optional = fold.optional(window);
        Progress progress = optional.progress();
        return optional.withSteady(steady)
                .withEnergy(parts.frames().telemetry().energy(windows, nowNanos, terminal))
                .withProgress(stalled && progress != null ? progress.interrupted() : progress);
    }

    /** Copies the batches from which the steady state is judged. */
    final ClosedBatches closedBatches() {
        return ClosedBatches.of(
                fold.batches(), fold.newestNanos(), fold.isEnded(), fold.waits().stalledUntilNanos(), fold.slices());
    }

    /** The files of the steady state, once the terminal snapshot was taken. */
    public final SteadyStateFiles steadyStateFiles() {
        return new SteadyStateFiles(superPasses);
    }

    /** The steady state that the terminal snapshot has; null before it, and without tracked samples. */
    final @Nullable SteadyState steady() {
        return judged;
    }

    /** Reports this steady state instead of judging the run: it is a part of the run that was judged. */
    final void presetSteady(@Nullable SteadyState steady) {
        judged = steady;
        judgedBefore = true;
    }

    /** The steady state of a run that has ended, with the figures of its steady samples. */
    private @Nullable SteadyState judge() {
        SteadyState steady = new SteadyJudge(parts.steady().minSeconds()).judge(closedBatches());
        if (steady == null) {
            return null;
        }
        steady = steady.withSaturation(SaturationJudge.of(fold.slices()));
        Long since = steady.sinceNanos();
        long steadyNanos = Math.round(steady.steadySeconds() * 1e9);
        SteadyWindow level = since == null || steadyNanos == 0 ? null : fold.steadyWindow(since, since + steadyNanos);
        boolean complete = state.get() == SessionState.COMPLETE && texts.pending() == 0;
        SuperPassSamples samples = complete ? fold.superPasses() : null;
        if (samples == null) {
            return steady.withWindow(level);
        }
        SuperPassJudge passes = SuperPassJudge.judge(
                samples, parts.steady(), Runtime.getRuntime().maxMemory() / HEAP_SHARE);
        superPasses = passes.diagnostics();
        return steady.with(passes.window() == null ? level : passes.window(), passes.summary());
    }
}
