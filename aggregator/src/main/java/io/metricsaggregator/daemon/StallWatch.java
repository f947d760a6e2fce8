package io.metricsaggregator.daemon;

import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.transport.FrameSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a run whether its producers are connected and how long the main loop waits, from which it judges the waits for answers of the endpoints; and
 * ends the run after a wait as long as {@code --interrupt-on-stall}. Belongs to the main loop.
 */
final class StallWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StallWatch.class);
    private static final long CHECK_NANOS = 100_000_000L;
    private static final double SECOND = 1e9;

    private final CurrentRun current;
    private final FrameSource source;
    private final StopRequest stop;
    private final long interruptNanos;
    private long checkedNanos;
    private boolean checked;

    /**
     * A watch over the current run.
     *
     * @param source receives the frames of the producers
     * @param interruptNanos time without an answer after which the run ends; 0 for never
     */
    StallWatch(CurrentRun current, FrameSource source, StopRequest stop, long interruptNanos) {
        this.current = current;
        this.source = source;
        this.stop = stop;
        this.interruptNanos = interruptNanos;
    }

    /** Checks the connections and the present wait, at most ten times a second; requests the end of a run that waits too long. */
    void check(long nowNanos) {
        if (checked && nowNanos - checkedNanos < CHECK_NANOS) {
            return;
        }
        checked = true;
        checkedNanos = nowNanos;
        LiveRun run = current.get();
        run.connected(source.endpoints().isEmpty() || source.peers() > 0, nowNanos);
        if (interruptNanos == 0 || stop.isRequested() || run.isEnded()) {
            return;
        }
        long waiting = run.waitingNanos(nowNanos);
        if (waiting >= interruptNanos) {
            LOG.error(
                    "run interrupted cause=endpoint_stalled idle_s={} in_flight={}: no chunk, completion or error arrived",
                    waiting / SECOND,
                    run.inFlight());
            stop.stalled();
        }
    }

    /** Limits a wait of the main loop so that a stall is noticed in time, and announces it to the run. */
    long wait(long nowNanos, long nanos) {
        long wait = interruptNanos == 0 ? nanos : Math.min(nanos, Math.max(CHECK_NANOS, interruptNanos / 10));
        current.get().ingest().waits(nowNanos, wait);
        return wait;
    }
}
