package io.metricsaggregator.fold.steady;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.label.LabelCodes;
import io.metricsaggregator.fold.label.LabelFold;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import io.metricsaggregator.text.LimitsMet;
import io.metricsaggregator.text.PendingOutput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Judges tracked samples by the service level objectives, those of their class if there are classes: when they complete, or when their output has been
 * counted if the time per
 * token is limited. Belongs to the thread of the fold; judging allocates nothing.
 */
public final class SloFold {
    private final Slo slo;
    private final SliceTable slices;
    private final SteadyBatches batches;
    private final LabelFold labels;
    private final List<ClassCounts> all = new ArrayList<>();
    private final @Nullable ClassCounts[] byCode = new @Nullable ClassCounts[LabelCodes.CODES];
    /** The class of samples whose code has none: all of them without classes. */
    private final ClassCounts rest;
    /** The place of the label that names the class. */
    private int place;

    private long good;

    /** A fold before the first sample, whose classes get codes of their label. */
    public SloFold(Slo slo, SliceTable slices, SteadyBatches batches, LabelFold labels, LabelCodes codes) {
        this.slo = slo;
        this.slices = slices;
        this.batches = batches;
        this.labels = labels;
        this.rest = new ClassCounts(Slo.REST, slo.classes().getOrDefault(Slo.REST, slo));
        slo.classes().forEach((name, own) -> {
            ClassCounts counts = name.equals(Slo.REST) ? rest : new ClassCounts(name, own);
            all.add(counts);
            if (counts != rest) {
                int[] code = codes.reserve(slo.key(), name);
                place = code[0];
                byCode[code[1]] = counts;
            }
        });
    }

    private ClassCounts of(long word) {
        ClassCounts counts = byCode[LabelCodes.code(word, place)];
        return counts == null ? rest : counts;
    }

    /**
     * Judges a sample that completed, unless its judgement awaits the count of its output. A failed sample meets no objective.
     *
     * @param failed whether the sample had an error
     * @param firstIssuedNanos issue of the attempt that had the first chunk
     * @param firstNanos timestamp of its first chunk; that of the completion if it came in one piece
     * @param word its labels
     * @param willBeCounted whether its output will be counted and has something after its first chunk
     * @return the limits met, to be handed back to {@link #counted}; {@link LimitsMet#GOOD} or {@link LimitsMet#JUDGED} if it has been judged
     */
    public LimitsMet completed(
            boolean failed,
            long issuedNanos,
            long firstIssuedNanos,
            long firstNanos,
            long completedNanos,
            long word,
            boolean willBeCounted) {
        ClassCounts counts = of(word);
        if (failed) {
            counts.judge(false, false, false);
            return LimitsMet.JUDGED;
        }
        boolean ttft = within(firstIssuedNanos, firstNanos, counts.slo.ttftNanos());
        boolean latency = within(issuedNanos, completedNanos, counts.slo.latencyNanos());
        counts.succeeded(TimestampMath.saturatedBetween(issuedNanos, completedNanos));
        if (counts.slo.limitsTpot() && willBeCounted) {
            return LimitsMet.awaiting(ttft, latency);
        }
        return judge(counts, ttft, true, latency, issuedNanos, completedNanos, word)
                ? LimitsMet.GOOD
                : LimitsMet.JUDGED;
    }

    private static boolean within(long startNanos, long endNanos, long limitNanos) {
        return limitNanos == Slo.NONE || TimestampMath.saturatedBetween(startNanos, endNanos) <= limitNanos;
    }

    /**
     * Judges a sample whose output has been counted, unless it was judged when it completed.
     *
     * @param tokensAfterFirst tokens after the first chunk, among which the time since it is divided; 0 meets the limit
     */
    public void counted(PendingOutput pending, long tokens, long tokensAfterFirst) {
        LimitsMet met = pending.limitsMet();
        long word = pending.detail().labels();
        ClassCounts counts = of(word);
        boolean isGood = met == LimitsMet.GOOD;
        if (met.isAwaiting()) {
            boolean tpot = tokensAfterFirst <= 0
                    || (double) pending.sinceFirstNanos() / (double) tokensAfterFirst
                            <= (double) counts.slo.tpotNanos();
            isGood = judge(
                    counts, met.ttft(), tpot, met.latency(), pending.issuedNanos(), pending.completedNanos(), word);
        }
        if (isGood) {
            counts.tokens(pending.detail(), tokens);
        }
    }

    /** Counts a sample as not judged, because its output will not be counted. */
    public void uncounted(long word) {
        of(word).uncounted();
    }

    private boolean judge(
            ClassCounts counts,
            boolean ttft,
            boolean tpot,
            boolean latency,
            long issuedNanos,
            long completedNanos,
            long word) {
        boolean isGood = counts.judge(ttft, tpot, latency);
        if (isGood) {
            good++;
            slices.countGood(completedNanos);
            batches.good(issuedNanos);
            labels.good(word);
        }
        return isGood;
    }

    /** Samples that met every objective. */
    public long good() {
        return good;
    }

    /** Copies the judgements so far. */
    public Goodput goodput() {
        return all.isEmpty()
                ? rest.goodput()
                : Goodput.ofClasses(
                        slo.targetShare(),
                        new ServiceClasses(
                                slo.key(), all.stream().map(ClassCounts::row).toList()));
    }
}
