package io.metricsaggregator.fold.steady;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.fold.series.Slo;
import io.metricsaggregator.parts.SliceHistogram;
import io.metricsaggregator.snapshot.figures.Goodput;
import io.metricsaggregator.snapshot.figures.ServiceClasses;
import io.metricsaggregator.text.OutputDetail;
import java.util.ArrayList;
import java.util.List;

/** The judgements by the same objectives: those of a class, or of the run. Belongs to the thread of the fold; counting allocates nothing. */
final class ClassCounts {
    final Slo slo;
    private final String name;
    private final SliceHistogram latency = new SliceHistogram();
    private long judged;
    private long good;
    private long unjudged;
    private long metTtft;
    private long metTpot;
    private long metLatency;
    private long outputTokens;
    private long inputTokens;

    ClassCounts(String name, Slo slo) {
        this.name = name;
        this.slo = slo;
    }

    boolean judge(boolean ttft, boolean tpot, boolean inTime) {
        judged++;
        metTtft += ttft ? 1 : 0;
        metTpot += tpot ? 1 : 0;
        metLatency += inTime ? 1 : 0;
        boolean all = ttft && tpot && inTime;
        good += all ? 1 : 0;
        return all;
    }

    void uncounted() {
        unjudged++;
    }

    void succeeded(long latencyNanos) {
        latency.record(latencyNanos);
    }

    /** Adds the tokens of a good sample. */
    void tokens(OutputDetail detail, long output) {
        outputTokens = TimestampMath.saturatedAdd(outputTokens, output);
        inputTokens = TimestampMath.saturatedAdd(inputTokens, Math.max(0, detail.usagePrompt()));
    }

    /** Copies the judgements; an objective without a limit is left out. */
    Goodput goodput() {
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

    ServiceClasses.Row row() {
        return new ServiceClasses.Row(name, goodput(), outputTokens, inputTokens, latency.byMiddle());
    }
}
