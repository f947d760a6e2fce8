package io.metricsaggregator.run;

import io.metricsaggregator.config.SteadySettings;
import io.metricsaggregator.fold.steady.SuperPassSamples;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import io.metricsaggregator.steady.SuperPass;
import io.metricsaggregator.steady.SuperPassDiagnostics;
import io.metricsaggregator.steady.SuperPassVerdict;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Judges the super-passes of a run that has ended complete.
 *
 * @param summary what the final snapshot holds
 * @param window exact figures of the window that was found; null without one
 * @param diagnostics all diagnostics, for the files; null if the passes could not be judged
 */
record SuperPassJudge(
        SuperPasses summary,
        @Nullable SteadyWindow window,
        @Nullable SuperPassDiagnostics diagnostics) {

    /**
     * Judges the passes. Takes seconds for thousands of passes.
     *
     * @param heapBytes heap that the values may take
     */
    static SuperPassJudge judge(SuperPassSamples samples, SteadySettings settings, long heapBytes) {
        String obstacle = samples.obstacle(heapBytes);
        if (obstacle != null) {
            return notJudged(samples, obstacle);
        }
        List<SuperPassSamples.Pass> passes;
        try {
            passes = samples.passes();
        } catch (UncheckedIOException e) {
            // The other figures of the run do not need them.
            return notJudged(
                    samples, "spilled values cannot be read back; see the log, --spill-dir and --max-values-memory");
        }
        SuperPassDiagnostics diagnostics = diagnostics(passes, samples.size(), settings, SuperPassJudge::afterFirst);
        SuperPassVerdict verdict = new SuperPassVerdict(diagnostics);
        SuperPasses.Judgement judgement = new SuperPasses.Judgement(
                verdict.status(),
                verdict.verdict(),
                verdict.headline(),
                verdict.newerTree(),
                // Unlike MLCommons, the throughput of the system counts the tokens of first chunks too.
                diagnostics(passes, samples.size(), settings, SuperPassSamples.Pass::tokens)
                        .strictTree());
        int from = verdict.windowFrom();
        SteadyWindow window = verdict.isFound()
                ? window(passes.subList(from, from + verdict.window().size()))
                : null;
        return new SuperPassJudge(new SuperPasses(samples.size(), null, judgement), window, diagnostics);
    }

    private static SuperPassJudge notJudged(SuperPassSamples samples, String obstacle) {
        return new SuperPassJudge(new SuperPasses(samples.size(), obstacle, null), null, null);
    }

    private static SuperPassDiagnostics diagnostics(
            List<SuperPassSamples.Pass> passes,
            long size,
            SteadySettings settings,
            ToLongFunction<SuperPassSamples.Pass> tokens) {
        List<SuperPass> blocks = passes.stream()
                .map(each -> new SuperPass(
                        each.issued(),
                        each.firstIssueNanos(),
                        each.lastIssueNanos(),
                        each.lastEventNanos(),
                        each.ttft(),
                        each.ttftWarm(),
                        each.tpot(),
                        each.latency(),
                        tokens.applyAsLong(each),
                        each.tokensAfterFirst()))
                .toList();
        int warmup =
                settings.warmupPasses() == SteadySettings.AUTO ? SuperPassDiagnostics.AUTO : settings.warmupPasses();
        return new SuperPassDiagnostics(blocks, size, warmup, settings.minSeconds());
    }

    private static long afterFirst(SuperPassSamples.Pass pass) {
        return Math.round(Arrays.stream(pass.tokensAfterFirst()).sum());
    }

    /** The figures of some passes, at least one; exact. */
    static SteadyWindow window(List<SuperPassSamples.Pass> passes) {
        long from = passes.stream()
                .mapToLong(SuperPassSamples.Pass::firstIssueNanos)
                .min()
                .orElse(0);
        long last = passes.stream()
                .mapToLong(SuperPassSamples.Pass::lastIssueNanos)
                .max()
                .orElse(0);
        long issued = passes.stream().mapToLong(SuperPassSamples.Pass::issued).sum();
        long tokens = passes.stream().mapToLong(SuperPassSamples.Pass::tokens).sum();
        double seconds = (last - from) / 1e9;
        return new SteadyWindow(
                from,
                last + 1,
                issued,
                last - from,
                seconds > 0 ? issued / seconds : 0,
                seconds > 0 ? (Double) (tokens / seconds) : null,
                null,
                durations(passes, SuperPassSamples.Pass::ttft),
                durations(passes, SuperPassSamples.Pass::tpot),
                durations(passes, SuperPassSamples.Pass::latency),
                passes.size());
    }

    private static SteadyWindow.@Nullable Durations durations(
            List<SuperPassSamples.Pass> passes, Function<SuperPassSamples.Pass, double[]> values) {
        double[] all =
                passes.stream().map(values).flatMapToDouble(Arrays::stream).toArray();
        if (all.length == 0) {
            return null;
        }
        Arrays.sort(all);
        return new SteadyWindow.Durations(
                all.length,
                Arrays.stream(all).sum() / all.length,
                percentile(all, 0.5),
                percentile(all, 0.9),
                percentile(all, 0.99));
    }

    /** The rule of MLCommons endpoints: the value of rank ⌊p·(n − 1)⌋ from 0. */
    private static double percentile(double[] sorted, double p) {
        return sorted[(int) (p * (sorted.length - 1))];
    }
}
