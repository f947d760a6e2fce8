package io.metricsaggregator.run;

import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.steady.SuperPassSamples;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SteadyWindow;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A window of a run that a first pass over its journal finds, and to which a second one is cut.
 *
 * @param cut the samples issued in the window
 * @param words how it was found, for {@code recomputed}
 */
record SteadyCut(TimeCut cut, String words) {

    /**
     * The steady window: of the super-passes if one was found, else of the present level.
     *
     * @param begunNanos begin of the session on the producers' clock
     * @throws IllegalArgumentException if the run has none; the message says why
     */
    static SteadyCut steady(@Nullable SteadyState steady, long begunNanos) {
        SteadyWindow window = steady == null ? null : steady.window();
        if (steady == null || window == null) {
            throw new IllegalArgumentException("--window steady: the run has no steady window: "
                    + (steady == null ? "it has no tracked samples" : "its state is " + steady.state())
                    + ". Give --window FROM..TO");
        }
        TimeCut cut = cut(window.fromNanos(), window.toNanos(), begunNanos);
        if (window.superPasses() != null) {
            return new SteadyCut(cut, "steady window of the whole run: " + window.superPasses() + " super-passes");
        }
        return new SteadyCut(
                cut,
                String.format(
                        Locale.ROOT,
                        "steady window of the whole run: %s for %.3f s, %s",
                        steady.state(),
                        (window.toNanos() - window.fromNanos()) / 1e9,
                        steady.isCertified() ? "certified" : "not certified"));
    }

    /**
     * Some super-passes.
     *
     * @param from number of the first, from 1
     * @param to number of the last
     * @throws IllegalArgumentException if the run does not have them; the message says why
     */
    static SteadyCut superPasses(@Nullable SuperPassSamples samples, int from, int to, long begunNanos) {
        String wanted = "--window superpass:" + from + ".." + to;
        if (samples == null || samples.length() == 0) {
            throw new IllegalArgumentException(wanted + ": the run has no super-passes. Give --superpass-size");
        }
        if (to > samples.length()) {
            throw new IllegalArgumentException(
                    wanted + ": the run has " + samples.length() + " super-passes of " + samples.size() + " samples");
        }
        long last = samples.lastIssueNanos(from - 1);
        for (int i = from; i < to; i++) {
            last = Math.max(last, samples.lastIssueNanos(i));
        }
        return new SteadyCut(
                cut(samples.firstIssueNanos(from - 1), last + 1, begunNanos),
                String.format(
                        Locale.ROOT,
                        "super-passes %d to %d of %d, of %d samples",
                        from,
                        to,
                        samples.length(),
                        samples.size()));
    }

    private static TimeCut cut(long fromNanos, long toNanos, long begunNanos) {
        return new TimeCut(0, Math.max(0, fromNanos - begunNanos), toNanos - begunNanos);
    }
}
