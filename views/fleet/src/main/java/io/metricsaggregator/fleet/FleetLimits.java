package io.metricsaggregator.fleet;

/**
 * Times and sizes of the node table.
 *
 * @param intervalNanos time between snapshots of a node that does not report it, at least 1
 * @param staleNanos age of the last snapshot from which a node is stale; 0 for four of its intervals and 2 s
 * @param lostNanos age of the last snapshot from which a node is lost
 * @param lingerNanos longest wait for other nodes after the first has ended; 0 for no limit
 * @param nodesMax most runs in the table, at least 1
 */
record FleetLimits(long intervalNanos, long staleNanos, long lostNanos, long lingerNanos, int nodesMax) {
    private static final long STALE_INTERVALS = 4;
    private static final long STALE_NANOS = 2_000_000_000L;

    FleetLimits {
        if (intervalNanos < 1 || staleNanos < 0 || lostNanos < 1 || lingerNanos < 0 || nodesMax < 1) {
            throw new IllegalArgumentException("limits of a fleet below their least values");
        }
    }

    /** Age in nanoseconds from which a node with that interval is stale; never more than the age from which it is lost. */
    long staleAfter(long nodeIntervalNanos) {
        long most = Math.min(nodeIntervalNanos, lostNanos);
        return Math.min(lostNanos, staleNanos > 0 ? staleNanos : STALE_INTERVALS * most + STALE_NANOS);
    }
}
