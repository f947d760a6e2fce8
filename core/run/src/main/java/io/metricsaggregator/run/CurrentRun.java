package io.metricsaggregator.run;

import io.metricsaggregator.event.DecodedEvent;
import io.metricsaggregator.ingest.Ingest;
import io.metricsaggregator.transport.FrameHandler;
import java.io.IOException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run that received frames are applied to. A new run replaces a resumed one when a session of another benchmark starts. Belongs to
 * the main loop; the thread {@code publish} calls {@link #get} too.
 */
public final class CurrentRun {
    private static final Logger LOG = LoggerFactory.getLogger(CurrentRun.class);

    private final RunAssembler runs;
    private final long publishIntervalNanos;
    private final Runnable wake;
    private final Runnable sign;
    private volatile LiveRun run;
    private SessionWatch session;
    private boolean replaced;
    private Consumer<DecodedEvent> traces = event -> {};

    /**
     * Starts with {@code first}.
     *
     * @param publishIntervalNanos time between snapshots of a run that replaces {@code first}
     * @param wake ends the main loop's wait; called on other threads
     * @param sign gives a sign of life to the supervision
     */
    public CurrentRun(RunAssembler runs, long publishIntervalNanos, LiveRun first, Runnable wake, Runnable sign) {
        this.runs = runs;
        this.publishIntervalNanos = publishIntervalNanos;
        this.wake = wake;
        this.sign = sign;
        this.run = first;
        this.session = new SessionWatch(first.fold, LOG::warn);
    }

    /** The run that frames count into now. Any thread. */
    public LiveRun get() {
        return run;
    }

    /** The watch over the session of the current run. */
    public SessionWatch session() {
        return session;
    }

    /** Sets what receives the records that name a trace, of this run and of those that follow; to be called before {@link #connect}. */
    public void tracesTo(Consumer<DecodedEvent> consumer) {
        traces = consumer;
    }

    /** Connects the run to the main loop: counted texts wake the loop, and long folds give signs of life. */
    public void connect() {
        run.texts.wakes(wake);
        run.ingest().telemetry().signsTo(sign);
        run.ingest().tracesTo(traces);
    }

    /** Whether the run was replaced since the last call. */
    public boolean takeReplaced() {
        boolean was = replaced;
        replaced = false;
        return was;
    }

    /** Takes received frames: all of them for the current run, also after it was replaced. */
    public FrameHandler frames() {
        return run.isResumed() ? new ResumedFrames(run, this::beginNext) : run.ingest();
    }

    /** Leaves the resumed run unfinished and begins another; returns the ingest that takes the frames from now on. */
    private Ingest beginNext() {
        LiveRun resumed = run;
        try {
            LiveRun next = runs.following(resumed, publishIntervalNanos);
            run = next;
            connect();
            session = new SessionWatch(next.fold, LOG::warn);
            replaced = true;
            LOG.warn(
                    "session of another benchmark started unfinished_run={} new_run={}. Recompute the unfinished one with 'replay {}'",
                    resumed.id(),
                    next.id(),
                    resumed.journal().folder());
        } catch (IOException e) {
            LOG.error(
                    "session of another benchmark started, but no journal could be created for it: its events count into run={} cause={}",
                    resumed.id(),
                    e.toString());
        }
        return run.ingest();
    }
}
