package io.metricsaggregator.snapshot.figures;

import io.metricsaggregator.codec.MalformedMessageException;
import io.metricsaggregator.snapshot.fields.Fields;

/**
 * A span without a daemon: the process of a run died, and another resumed the run from the journal. Records published in the span
 * are lost.
 *
 * @param fromWallNanos when the process that died received its last frame, nanoseconds since 1970 UTC
 * @param toWallNanos when its successor was ready to receive, nanoseconds since 1970 UTC
 * @param inFlight samples in flight when the process died
 * @param orphaned samples of {@code inFlight} that have not ended: their end was published during the outage, or is still to come
 * @param orphanRecords records between this outage and the next of samples that are not in flight; most of these samples were issued during the outage
 */
public record Outage(long fromWallNanos, long toWallNanos, long inFlight, long orphaned, long orphanRecords) {

    public static final Outage BLANK = new Outage(0, 0, 0, 0, 0);

    /** The fields; see {@link Fields.Shape}. */
    public static Outage pass(Fields f, Outage v) throws MalformedMessageException {
        return new Outage(
                f.by(Fields.Merge.MIN).count("from_wall_ns", v.fromWallNanos()),
                f.by(Fields.Merge.MAX).count("to_wall_ns", v.toWallNanos()),
                f.count("in_flight", v.inFlight()),
                f.count("orphaned", v.orphaned()),
                f.count("orphan_records", v.orphanRecords()));
    }

    /** The length of the outage in nanoseconds. */
    public long nanos() {
        return Math.max(0, toWallNanos - fromWallNanos);
    }
}
