package io.metricsaggregator.daemon;

import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.publish.TickSchedule;
import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.transport.Transport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ticks of the main loop: takes a snapshot of the current run when one is due and hands it to the renderer. A tick is skipped and counted
 * while the renderer is busy. While nobody looks, a snapshot is taken once a second at most, and once a minute while nothing arrives, with a tick a second: copies and
 * their rendering cost more than the records of a slow run, and what is left of them is for a subscriber that comes and for the file of a daemon that
 * is stuck. Belongs to the main loop.
 */
final class Ticks {
    private static final Logger LOG = LoggerFactory.getLogger(Ticks.class);
    private static final long MILLI = 1_000_000L;
    /** Longest wait of the main loop while no tick is scheduled. */
    private static final long IDLE_NANOS = 1_000 * MILLI;
    /** Shortest time between snapshots that nobody looks at. */
    private static final long UNSEEN_NANOS = 1_000 * MILLI;
    /** Shortest time between snapshots that nobody looks at while nothing arrives and no text is counted. */
    private static final long SILENT_NANOS = 60_000 * MILLI;

    private final long intervalNanos;
    private final CurrentRun current;
    private final Transport sockets;
    private final SnapshotRenderer renderer;
    private final BooleanSupplier seen;
    private long lastTakenNanos;
    /** Frames that the run had received then. */
    private long lastFrames;
    /** Null until the session has started or is overdue. */
    private @Nullable TickSchedule schedule;

    /**
     * Ticks that have not started.
     *
     * @param intervalNanos time between snapshots unless they cost too much
     * @param sockets supplies the counters of the transport
     * @param seen whether a subscriber or an exporter gets the snapshots; asked at each tick
     */
    Ticks(long intervalNanos, CurrentRun current, Transport sockets, SnapshotRenderer renderer, BooleanSupplier seen) {
        this.intervalNanos = intervalNanos;
        this.current = current;
        this.sockets = sockets;
        this.renderer = renderer;
        this.seen = seen;
    }

    /**
     * Schedules the first tick when the run starts, or when records arrive without a start, so that subscribers see the warning. Starts
     * again for a run that replaces a resumed one.
     */
    void startIfDue(long nowNanos) {
        if (current.takeReplaced()) {
            schedule = null;
        }
        current.get().enterLive();
        if (schedule == null && (current.get().hasStarted() || current.session().isUnstarted(nowNanos))) {
            current.get().sampleRates(nowNanos);
            start(nowNanos);
        }
    }

    /** Schedules the first tick one interval from now, unless ticks have started. */
    void start(long nowNanos) {
        if (schedule == null) {
            schedule = new TickSchedule(nowNanos, intervalNanos);
            lastTakenNanos = nowNanos - SILENT_NANOS;
        }
    }

    /** Takes a snapshot if one is due. */
    void tickIfDue(long nowNanos) {
        if (schedule != null && schedule.nanosUntilDue(nowNanos) <= 0) {
            tick(nowNanos, schedule);
        }
    }

    /** Time until the next tick in nanoseconds, at least 0; one second while no tick is scheduled. */
    long nanosUntilDue() {
        return schedule == null ? IDLE_NANOS : Math.max(0, schedule.nanosUntilDue(System.nanoTime()));
    }

    private void tick(long nowNanos, TickSchedule due) {
        LiveRun run = current.get();
        boolean silent = run.frames() == lastFrames && !run.texts().isWaiting();
        boolean looked = seen.getAsBoolean();
        if (!looked && !isOld(nowNanos - lastTakenNanos, silent, intervalNanos)) {
            run.update(nowNanos);
        } else if (renderer.isFree()) {
            take(nowNanos);
        } else {
            run.counters().ticksSkipped.increment();
        }
        run.self().ticked(Math.max(0, -due.nanosUntilDue(nowNanos)));
        due.changeInterval(interval(run.self().intervalNanos(), looked, silent));
        long before = due.skipped();
        due.take(nowNanos);
        run.counters().ticksSkipped.add(due.skipped() - before);
    }

    /** Whether a snapshot that nobody looked at is so old that another is taken; a tick may be a little early or late after the one before. */
    static boolean isOld(long ageNanos, boolean silent, long intervalNanos) {
        return ageNanos >= (silent ? SILENT_NANOS : UNSEEN_NANOS) - intervalNanos / 2;
    }

    /** Time to the next tick: while nobody looks and nothing arrives at least a second, since each tick wakes the thread up. */
    static long interval(long wantedNanos, boolean looked, boolean silent) {
        return looked || !silent ? wantedNanos : Math.max(wantedNanos, UNSEEN_NANOS);
    }

    /** Takes a snapshot now, due or not; the renderer must be free. */
    void take(long nowNanos) {
        LiveRun run = current.get();
        lastTakenNanos = nowNanos;
        lastFrames = run.frames();
        run.counters().ticksPublished.increment();
        renderer.render(run.take(nowNanos, sockets.stats()));
        if (run.self().taken(System.nanoTime() - nowNanos)) {
            LOG.info(
                    "publish interval lengthened interval_ms={} configured_ms={}: rendering takes longer than the configured interval allows",
                    run.self().intervalNanos() / MILLI,
                    intervalNanos / MILLI);
        }
    }
}
