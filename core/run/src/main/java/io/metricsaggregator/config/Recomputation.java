package io.metricsaggregator.config;

import io.metricsaggregator.fold.row.TimeCut;
import io.metricsaggregator.fold.series.Streaming;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** In which settings a recomputed run differs from the recorded one, in words for a snapshot's {@code recomputed}. */
public final class Recomputation {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MINUTE = 60 * NANOS_PER_SECOND;
    private static final long NANOS_PER_HOUR = 60 * NANOS_PER_MINUTE;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private Recomputation() {}

    /** The words, one entry for each changed setting; empty if the run is computed as it was. Further percentiles change no number. */
    public static List<String> words(RunConfig was, RunConfig now) {
        List<String> words = new ArrayList<>();
        addTracking(words, was.tracking(), now.tracking());
        if (!Objects.equals(was.objectives(), now.objectives())) {
            words.add("judged by other objectives");
        }
        RunConfig.Tokenizer tokenizer = now.tokenizer();
        if (tokenizer == null && was.tokenizer() != null) {
            words.add("tokens not counted");
        } else if (tokenizer != null && !isCounting(was, tokenizer)) {
            words.add("tokens counted with " + tokenizer.source());
        }
        if (was.tokenSource() != now.tokenSource()) {
            words.add("token series from " + now.tokenSource().setting());
        }
        if (was.tracking().countUntracked() != now.tracking().countUntracked()) {
            words.add(now.tracking().countUntracked() ? "untracked outputs counted" : "untracked outputs not counted");
        }
        addSteady(words, was.steady(), now.steady());
        if (!was.telemetry().equals(now.telemetry())) {
            words.add("telemetry folded with other settings");
        }
        if (was.targets().endpointIdleNanos() != now.targets().endpointIdleNanos()) {
            words.add("stalls by another limit");
        }
        if (!was.targets().expectedLabels().equals(now.targets().expectedLabels())) {
            words.add("with other expected labels");
        }
        if (!Objects.equals(was.maxFailed(), now.maxFailed())) {
            words.add("judged by another limit of failed samples");
        }
        if (!was.energy().equals(now.energy())) {
            words.add("with other stated power or price");
        }
        return words;
    }

    private static void addSteady(List<String> words, SteadySettings was, SteadySettings now) {
        if (was.superPassSize() != now.superPassSize()) {
            words.add(
                    now.superPassSize() == 0
                            ? "super-passes as the session announced them"
                            : "super-passes of " + now.superPassSize() + " samples");
        }
        if (was.minNanos() != now.minNanos()) {
            words.add("steady windows of at least " + now.minSeconds() + " s");
        }
        if (was.warmupPasses() != now.warmupPasses()) {
            words.add(
                    now.warmupPasses() == SteadySettings.AUTO
                            ? "warm-up super-passes found from the data"
                            : "the first " + now.warmupPasses() + " super-passes taken for warm-up");
        }
    }

    private static boolean isCounting(RunConfig was, RunConfig.Tokenizer tokenizer) {
        return was.tokenizer() != null && was.tokenizer().source().equals(tokenizer.source());
    }

    private static void addTracking(List<String> words, RunConfig.Tracking was, RunConfig.Tracking now) {
        TimeCut cut = now.cut();
        if (cut.warmupNanos() != was.cut().warmupNanos()) {
            words.add("without samples issued in the first " + cut.warmupNanos() / 1e9 + " s of what was tracked");
        }
        if (cut.fromNanos() != was.cut().fromNanos()
                || cut.toNanos() != was.cut().toNanos()) {
            words.add("only samples issued in " + time(cut.fromNanos(), 0) + ".." + time(cut.toNanos(), Long.MAX_VALUE)
                    + " since the start of the session");
        }
        new TreeSet<>(now.excludedWorkers()).forEach(worker -> words.add("without worker " + worker));
        if (now.streaming() != was.streaming()) {
            words.add((now.streaming() == Streaming.OFF ? "without" : "with") + " the series of streamed answers");
        }
        if (now.trackAll() != was.trackAll()) {
            words.add(now.trackAll() ? "every sample tracked" : "samples tracked by the session's events");
        }
    }

    /** A time as {@code --window} takes it, in the largest unit that it is whole in, such as 5m; empty at an open end. */
    private static String time(long nanos, long open) {
        if (nanos == open) {
            return "";
        }
        if (nanos != 0 && nanos % NANOS_PER_HOUR == 0) {
            return nanos / NANOS_PER_HOUR + "h";
        }
        if (nanos != 0 && nanos % NANOS_PER_MINUTE == 0) {
            return nanos / NANOS_PER_MINUTE + "m";
        }
        if (nanos % NANOS_PER_SECOND == 0) {
            return nanos / NANOS_PER_SECOND + "s";
        }
        if (nanos > NANOS_PER_SECOND && nanos % NANOS_PER_MILLI == 0) {
            return BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString() + "s";
        }
        return nanos % NANOS_PER_MILLI == 0 ? nanos / NANOS_PER_MILLI + "ms" : nanos + "ns";
    }
}
