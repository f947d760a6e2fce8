package io.metricsaggregator.runs;

import io.metricsaggregator.analysis.SteadyFigure;
import io.metricsaggregator.snapshot.figures.SteadyState;
import io.metricsaggregator.snapshot.figures.SuperPasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fails a comparison if either run has no steady window, or none that is certified: the figures of a warm-up or of a drift prove nothing.
 *
 * @param uncertified whether a window that is too short to be certified fails too
 */
record SteadyCondition(boolean uncertified) implements Condition {
    static final Pattern SHAPE = Pattern.compile("\\s*steady\\s*=\\s*(\\w+)\\s*", Pattern.CASE_INSENSITIVE);

    static SteadyCondition parse(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "no" -> new SteadyCondition(false);
            case "uncertified" -> new SteadyCondition(true);
            default ->
                throw new IllegalArgumentException(
                        "steady=" + name
                                + " cannot fail a comparison. Write steady=no, or steady=uncertified for runs without a certified window");
        };
    }

    @Override
    public Answer check(Comparison comparison) {
        List<String> bad = new ArrayList<>();
        add(bad, comparison.baseline(), SteadyFigure.stateOf(comparison.before()));
        add(bad, comparison.other(), SteadyFigure.stateOf(comparison.after()));
        return new Answer(bad.isEmpty() ? State.DOES_NOT_HOLD : State.HOLDS, String.join("; ", bad));
    }

    private void add(List<String> bad, String name, @Nullable SteadyState steady) {
        boolean found = isFound(steady);
        if (steady == null || !(found || steady.state().equals("steady"))) {
            bad.add(name + " has no steady window: " + (steady == null ? "it has no steady state" : steady.state()));
        } else if (uncertified && !found && !steady.isCertified()) {
            bad.add(String.format(
                    Locale.ROOT,
                    "%s is steady for %.0f s of %.0f s",
                    name,
                    steady.steadySeconds(),
                    steady.requiredSeconds()));
        }
    }

    private static boolean isFound(@Nullable SteadyState steady) {
        SuperPasses.Judgement judgement = steady == null ? null : steady.judgement();
        return judgement != null && judgement.isFound();
    }

    @Override
    public String toString() {
        return uncertified ? "steady=uncertified" : "steady=no";
    }
}
