package io.metricsaggregator.fold.steady;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.label.LabelFold;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.PendingOutput;
import java.util.ArrayList;
import java.util.List;

/**
 * Judges tracked samples by the service level objectives: when they complete, or when their output has been counted if the time per
 * token is limited. Belongs to the thread of the fold; judging allocates nothing.
 */
public final class SloFold {
    private final Slo slo;
    private final SliceTable slices;
    private final SteadyBatches batches;
    private final LabelFold labels;
    private long judged;
    private long good;
    private long unjudged;
    private long metTtft;
    private long metTpot;
    private long metLatency;

    public SloFold(Slo slo, SliceTable slices, SteadyBatches batches, LabelFold labels) {
        this.slo = slo;
        this.slices = slices;
        this.batches = batches;
        this.labels = labels;
    }

    /**
     * Judges a sample that completed, unless its judgement awaits the count of its output. A failed sample meets no objective.
     *
     * @param failed whether the sample had an error
     * @param firstIssuedNanos issue of the attempt that had the first chunk
     * @param firstNanos timestamp of its first chunk; that of the completion if it came in one piece
     * @param word its labels
     * @param willBeCounted whether its output will be counted and has something after its first chunk
     * @return the limits met, to be handed back to {@link #counted}; {@link LimitsMet#JUDGED} if the sample has been judged
     */
    public LimitsMet completed(
            boolean failed,
            long issuedNanos,
            long firstIssuedNanos,
            long firstNanos,
            long completedNanos,
            long word,
            boolean willBeCounted) {
        if (failed) {
            judge(false, false, false, issuedNanos, completedNanos, word);
            return LimitsMet.JUDGED;
        }
        boolean ttft = within(firstIssuedNanos, firstNanos, slo.ttftNanos());
        boolean latency = within(issuedNanos, completedNanos, slo.latencyNanos());
        if (slo.limitsTpot() && willBeCounted) {
            return LimitsMet.awaiting(ttft, latency);
        }
        judge(ttft, true, latency, issuedNanos, completedNanos, word);
        return LimitsMet.JUDGED;
    }

    private static boolean within(long startNanos, long endNanos, long limitNanos) {
        return limitNanos == Slo.NONE || TimestampMath.saturatedBetween(startNanos, endNanos) <= limitNanos;
    }

    /**
     * Judges a sample whose output has been counted.
     *
     * @param tokensAfterFirst tokens after the first chunk, among which the time since it is divided; 0 meets the limit
     */
    public void counted(PendingOutput pending, long tokensAfterFirst) {
        boolean tpot = tokensAfterFirst <= 0
                || (double) pending.sinceFirstNanos() / (double) tokensAfterFirst <= (double) slo.tpotNanos();
        LimitsMet met = pending.limitsMet();
        judge(
                met.ttft(),
                tpot,
                met.latency(),
                pending.issuedNanos(),
                pending.completedNanos(),
                pending.detail().labels());
    }

    /** Counts a sample as not judged, because its output will not be counted. */
    public void uncounted() {
        unjudged++;
    }

    private void judge(boolean ttft, boolean tpot, boolean latency, long issuedNanos, long completedNanos, long word) {
        judged++;
        metTtft += ttft ? 1 : 0;
        metTpot += tpot ? 1 : 0;
        metLatency += latency ? 1 : 0;
        if (ttft && tpot && latency) {
            good++;
            slices.countGood(completedNanos);
            batches.good(issuedNanos);
            labels.good(word);
        }
    }

    /** Samples that met every objective. */
    public long good() {
        return good;
    }

    /** Copies the judgements so far; an objective without a limit is left out. */
    public Goodput goodput() {
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
