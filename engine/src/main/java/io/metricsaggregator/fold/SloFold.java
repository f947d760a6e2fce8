package io.metricsaggregator.fold;

import io.metricsaggregator.snapshot.Goodput;
import java.util.ArrayList;
import java.util.List;

/** Judges tracked samples when they complete, or when their output has been counted where that matters. */
final class SloFold {
    /** What stands for the limits met where nothing is to be judged any more. */
    static final int NO_JUDGEMENT = -1;

    private static final int TTFT = 1;
    private static final int TPOT = 2;
    private static final int LATENCY = 4;
    private static final int ALL = TTFT | TPOT | LATENCY;

    private final Slo slo;
    private final SliceTable slices;
    private long judged;
    private long good;
    private long unjudged;
    private long metTtft;
    private long metTpot;
    private long metLatency;

    SloFold(Slo slo, SliceTable slices) {
        this.slo = slo;
        this.slices = slices;
    }

    /**
     * A sample completed.
     *
     * @param failed whether it had an error
     * @param firstNanos when its first token came; for one that came in one piece, when it completed
     * @param willBeCounted whether its output will be counted and has something after its first chunk
     * @return the limits it met, to be given back when its output has been counted; {@link #NO_JUDGEMENT} if it has been judged
     */
    int completed(boolean failed, long issuedNanos, long firstNanos, long completedNanos, boolean willBeCounted) {
        if (failed) {
            judge(0, completedNanos);
            return NO_JUDGEMENT;
        }
        int met = (within(issuedNanos, firstNanos, slo.ttftNanos()) ? TTFT : 0)
                | (within(issuedNanos, completedNanos, slo.latencyNanos()) ? LATENCY : 0);
        if (slo.limitsTpot() && willBeCounted) {
            return met;
        }
        judge(met | TPOT, completedNanos);
        return NO_JUDGEMENT;
    }

    private static boolean within(long startNanos, long endNanos, long limitNanos) {
        return limitNanos == Slo.NONE || TimestampMath.saturatedBetween(startNanos, endNanos) <= limitNanos;
    }

    /**
     * The output of a sample that waited for it has been counted.
     *
     * @param tokensAfterFirst what the limit is divided among; 0 meets it
     */
    void counted(int met, long completedNanos, long sinceFirstNanos, long tokensAfterFirst) {
        boolean within = tokensAfterFirst <= 0
                || (double) sinceFirstNanos / (double) tokensAfterFirst <= (double) slo.tpotNanos();
        judge(within ? met | TPOT : met, completedNanos);
    }

    /** The output of a sample that waited for it will not be counted. */
    void uncounted() {
        unjudged++;
    }

    private void judge(int met, long completedNanos) {
        judged++;
        metTtft += met & TTFT;
        metTpot += (met & TPOT) >> 1;
        metLatency += (met & LATENCY) >> 2;
        if (met == ALL) {
            good++;
            slices.countGood(completedNanos);
        }
    }

    long good() {
        return good;
    }

    Goodput freeze() {
        List<Goodput.Constraint> constraints = new ArrayList<>(3);
        if (slo.limitsTtft()) {
            constraints.add(new Goodput.Constraint("ttft", slo.ttftNanos(), metTtft));
        }
        if (slo.limitsTpot()) {
            constraints.add(new Goodput.Constraint("tpot", slo.tpotNanos(), metTpot));
        }
        if (slo.limitsLatency()) {
            constraints.add(new Goodput.Constraint("latency", slo.latencyNanos(), metLatency));
        }
        return new Goodput(constraints, slo.targetShare(), judged, good, unjudged);
    }
}
