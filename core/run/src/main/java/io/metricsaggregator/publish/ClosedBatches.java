package io.metricsaggregator.publish;

import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.figures.SteadyBatch;
import java.util.List;

/**
 * The batches of a run from which its steady state is judged, copied by the thread that owns the run.
 *
 * @param firstNanos first tracked issue, on the producers' clock; 0 before it
 * @param any whether a tracked sample was issued
 * @param batches the closed batches, in order of time
 * @param inFlight samples in flight at the end of each; empty if unknown
 */
public record ClosedBatches(long firstNanos, boolean any, List<SteadyBatch> batches, List<Long> inFlight) {
    /** Multiple of the p90 latency after which, at the end of the session, a sample in flight is not waited for. */
    private static final double HUNG_LATENCIES = 5;

    /** No batch: nothing is judged. */
    public static final ClosedBatches NONE = new ClosedBatches(0, false, List.of(), List.of());

    /**
     * Selects the closed batches. One that does not close, because some of its samples hang, is left out and holds up no other. Once the session has ended,
     * those hang for good, so their batch counts as closed if it ended five p90 latencies before: later ones are cut off, and their slow samples are missing.
     *
     * @param all all batches, in order of time
     * @param newestNanos time of the newest event
     * @param ended whether the session has ended
     * @param afterNanos batches that begin before are left out: a level does not span a stall of the endpoints; {@link Long#MIN_VALUE} for all
     * @param slices the run over time, for samples in flight
     */
    public static ClosedBatches of(
            List<SteadyBatch> all, long newestNanos, boolean ended, long afterNanos, Slices slices) {
        if (all.isEmpty()) {
            return NONE;
        }
        double hungNanos = HUNG_LATENCIES
                * all.stream()
                        .mapToDouble(SteadyBatch::latencyP90)
                        .filter(Double::isFinite)
                        .max()
                        .orElse(Double.POSITIVE_INFINITY);
        List<SteadyBatch> batches = all.stream()
                .filter(each -> each.fromNanos() >= afterNanos)
                .filter(each -> each.isClosed(ended ? Long.MAX_VALUE : newestNanos)
                        || (ended && each.isCounted() && newestNanos - each.toNanos() >= hungNanos))
                .toList();
        List<SteadyBatch> hanging = all.stream()
                .filter(each -> newestNanos - each.toNanos() >= hungNanos)
                .toList();
        return new ClosedBatches(all.get(0).fromNanos(), true, batches, inFlight(batches, hanging, slices));
    }

    /** Whether {@code other} was selected from the same objects, as it is while no batch changes. */
    @SuppressWarnings("ReferenceEquality") // see SectionCache
    boolean isSame(ClosedBatches other) {
        boolean same = any == other.any
                && firstNanos == other.firstNanos
                && batches.size() == other.batches.size()
                && inFlight.equals(other.inFlight);
        for (int i = 0; same && i < batches.size(); i++) {
            same = batches.get(i) == other.batches.get(i);
        }
        return same;
    }

    /**
     * Samples in flight at the end of each batch, without those that hang: they add up and say nothing of the load. Empty if the last batch ends behind the
     * last event: there everything has drained, which is not a level.
     *
     * @param hanging batches whose open samples hang
     */
    private static List<Long> inFlight(List<SteadyBatch> closed, List<SteadyBatch> hanging, Slices slices) {
        long[] column = slices.column("in_flight");
        if (column == null) {
            return List.of();
        }
        return closed.stream()
                .takeWhile(each -> slice(each, slices) < column.length)
                .map(each -> Math.max(
                        0,
                        column[(int) slice(each, slices)]
                                - hanging.stream()
                                        .filter(earlier -> earlier.toNanos() <= each.toNanos())
                                        .mapToLong(SteadyBatch::open)
                                        .sum()))
                .toList();
    }

    private static long slice(SteadyBatch batch, Slices slices) {
        return Math.max(0, (batch.toNanos() - slices.startNanos()) / slices.widthNanos() - 1);
    }
}
