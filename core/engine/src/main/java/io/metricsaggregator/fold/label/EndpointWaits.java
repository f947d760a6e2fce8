package io.metricsaggregator.fold.label;

/**
 * What the daemon tells a fold of the waits for answers of the endpoints, beside the records: the time, the producers' connections, and that it fell
 * behind itself. Times are of the daemon's monotonic clock. Belongs to the thread of the fold.
 */
public final class EndpointWaits {
    private final ProgressFold progress;
    private final LabelFold labels;

    public EndpointWaits(ProgressFold progress, LabelFold labels) {
        this.progress = progress;
        this.labels = labels;
    }

    /** Moves the clock to the time of a snapshot or of a check, and updates the counters of stalls. */
    public void tick(long nowNanos) {
        progress.tick(nowNanos);
    }

    /**
     * Notes that the daemon fell behind between two times, so that the waits until the second tell nothing.
     *
     * @param fromNanos when it last kept up
     */
    public void blind(long fromNanos, long toNanos) {
        labels.rebase(fromNanos, toNanos);
        progress.blind(fromNanos, toNanos);
    }

    /** Notes an outage of the daemon; see {@link ProgressFold#outage}. */
    public void outage(boolean first, long receivedNanos, long nanos) {
        long readyNanos = progress.outage(first, receivedNanos, nanos);
        labels.outage(first ? (Long) receivedNanos : null, readyNanos);
    }

    /** Notes whether any producer is connected: without one, no endpoint stalls. */
    public void connected(boolean connected, long nowNanos) {
        if (progress.changes(connected)) {
            labels.rebase(nowNanos, nowNanos);
            progress.connected(connected, nowNanos);
        }
    }

    /**
     * When the last stall ended, on the producers' clock: no level of the run spans it. {@link Long#MIN_VALUE} without a stall, {@link
     * Long#MAX_VALUE} while one lasts.
     */
    public long stalledUntilNanos() {
        return progress.stalledUntilNanos();
    }

    /** Time without an answer at the last tick, in nanoseconds; 0 with nothing in flight, and while the endpoints are not to blame. */
    public long waitingNanos() {
        return progress.waiting();
    }
}
