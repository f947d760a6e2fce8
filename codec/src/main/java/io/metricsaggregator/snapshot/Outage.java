package io.metricsaggregator.snapshot;

/**
 * A span in which the daemon of a run was not there: its process died, and another resumed the run from the journal. What was
 * published meanwhile did not reach it.
 *
 * @param fromWallNanos when the process that died last received something, nanoseconds since 1970 UTC
 * @param toWallNanos when its successor was ready to receive, likewise
 * @param inFlight samples in flight when it died
 * @param orphaned those of them that have no end so far: it was published during the outage, or it is still to come
 * @param orphanRecords records since then, up to the next outage, of samples that are not in flight: most were issued during it
 */
public record Outage(long fromWallNanos, long toWallNanos, long inFlight, long orphaned, long orphanRecords) {

    /** How long it was, nanoseconds. */
    public long nanos() {
        return Math.max(0, toWallNanos - fromWallNanos);
    }
}
