package io.metricsaggregator.report.section;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes the judgement by super-passes: MLCommons' verdict, and ours where stricter rules come to another one. */
final class SuperPassText {
    private static final int TEXT_MAX = 1000;

    private SuperPassText() {}

    /** Clauses without a full stop, at least one. */
    static List<String> of(SuperPasses passes) {
        return lines(passes).stream()
                .map(each -> Printable.escape(each, TEXT_MAX))
                .toList();
    }

    private static List<String> lines(SuperPasses passes) {
        SuperPasses.Judgement judgement = passes.judgement();
        String head = String.format(Locale.ROOT, "super-passes of %,d samples", passes.size());
        if (judgement == null) {
            return List.of(head + " were not judged: " + passes.notJudged());
        }
        List<String> lines = new ArrayList<>();
        lines.add(head + ": " + judgement.verdict() + " by MLCommons' rules (" + judgement.status() + "); "
                + found(judgement.compat(), warmup(judgement.compat())));
        Object drifting = judgement.compat().get("drifting_up");
        if (drifting instanceof List<?> metrics && !metrics.isEmpty()) {
            lines.add("from the window to the end of the run these drift up: "
                    + String.join(", ", metrics.stream().map(String::valueOf).toList()));
        }
        String theirs = found(judgement.compat(), warmup(judgement.compat()));
        String ours = found(judgement.ours(), integer(judgement.ours().get("warmup")));
        if (!theirs.equals(ours)) {
            lines.add("by stricter rules: " + ours
                    + (Boolean.TRUE.equals(judgement.ours().get("warmup_held_plateau"))
                            ? "; the initial super-passes held a level of their own and are not warm-up"
                            : ""));
        }
        return lines;
    }

    private static int warmup(Map<?, ?> compat) {
        return integer(compat.get("n_super_passes")) - integer(compat.get("n_post_warmup"));
    }

    /** The window of a map {@code steady_state}, super-passes counted from 1 and from the start of the run, and its anomaly. */
    private static String found(Map<String, @Nullable Object> steady, int warmup) {
        String text = "";
        if (steady.get("window") instanceof Map<?, ?> window) {
            text = String.format(
                    Locale.ROOT,
                    "window of super-passes %d to %d",
                    warmup + integer(window.get("sp_lo")) + 1,
                    warmup + integer(window.get("sp_hi")));
        }
        if (!Boolean.TRUE.equals(steady.get("found"))) {
            String reason = Objects.requireNonNullElse(steady.get("reason"), "").toString();
            text += (text.isEmpty() ? "" : " is not certified: ") + reason;
        }
        Double anomaly = SuperPasses.Judgement.anomalyPercent(steady);
        return anomaly == null
                ? text
                : String.format(Locale.ROOT, "%s; the level changes by %+.1f%% later", text, anomaly);
    }

    private static int integer(@Nullable Object value) {
        return value instanceof Number number ? number.intValue() : 0;
    }
}
