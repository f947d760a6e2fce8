package io.metricsaggregator.run;

import io.metricsaggregator.fold.LoadgenFold;
import java.util.function.Consumer;

/**
 * Warns that a run will have no latencies: records arrive but {@code session.started} was missed, or samples are issued but performance
 * tracking does not start. Warns once after the first records and again at the end. Belongs to the thread of the fold.
 */
public final class SessionWatch {
    private static final long SECOND = 1_000_000_000L;
    /** Time from the first record after which {@code session.started}, which a producer sends first, counts as missed. */
    static final long UNSTARTED_NANOS = SECOND;
    /** Time from the first issued sample to the reminder that tracking has not started; a warm-up can be longer. */
    static final long UNTRACKED_NANOS = 5 * SECOND;

    private static final String REMEDY =
            "Start the daemon before the producer (wait for .ready), or track every sample with"
                    + " --track all; of a run with --journal, replay DIR --track all computes the figures afterwards";

    private final LoadgenFold fold;
    private final Consumer<String> warn;
    private boolean recordsSeen;
    private long firstRecordNanos;
    private boolean issuedSeen;
    private long firstIssuedNanos;
    private boolean unstartedSaid;
    private boolean untrackedSaid;

    /**
     * A watch on a run's session.
     *
     * @param warn receives the warnings
     */
    SessionWatch(LoadgenFold fold, Consumer<String> warn) {
        this.fold = fold;
        this.warn = warn;
    }

    /** Warns once for each missing event that is overdue. */
    public void check(long nowNanos) {
        if (fold.isTracking()) {
            return;
        }
        long records = fold.records();
        if (records > 0 && !recordsSeen) {
            recordsSeen = true;
            firstRecordNanos = nowNanos;
        }
        if (fold.issued() > 0 && !issuedSeen) {
            issuedSeen = true;
            firstIssuedNanos = nowNanos;
        }
        if (isUnstarted(nowNanos)) {
            if (!unstartedSaid) {
                unstartedSaid = true;
                warn.accept("session.started was missed records=" + records + ": no sample is tracked. " + REMEDY);
            }
        } else if (issuedSeen && !untrackedSaid && nowNanos - firstIssuedNanos >= UNTRACKED_NANOS) {
            untrackedSaid = true;
            warn.accept("performance tracking has not started issued=" + fold.issued() + ": samples are in totals only"
                    + " until session.start_performance_tracking arrives. Where this is no warm-up: " + REMEDY);
        }
    }

    /** Whether {@code session.started} is overdue: the first record was seen at least one second ago. */
    public boolean isUnstarted(long nowNanos) {
        return recordsSeen && !fold.isStarted() && nowNanos - firstRecordNanos >= UNSTARTED_NANOS;
    }

    /** Warns at the end of the run about figures that it does not have. */
    public void end() {
        if (fold.leavesChunksOut()) {
            warn.accept("answers came in chunks and the run has no series of them: time to first token is not reported."
                    + " Give --streaming; of a run with --journal, replay DIR --streaming computes it");
        }
        if (fold.isTracking() || fold.issued() == 0) {
            return;
        }
        String missing =
                fold.hasSessionStarted() ? "performance tracking never started" : "session.started never arrived";
        warn.accept(missing + " issued=" + fold.issued() + ": no sample was tracked, and the report has no latencies. "
                + REMEDY);
    }
}
