package io.metricsaggregator.conformance;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts how often each rule was kept and broken, with examples. One owner at a time. */
final class Tally {
    private static final int EXAMPLES_MAX = 3;
    private static final int EXAMPLE_MAX_CHARS = 300;

    /** The state of a rule after an observation. */
    enum State {
        KEPT,
        BROKEN,
        NOT_OBSERVED
    }

    private static final class Count {
        private long kept;
        private long broken;
        private final List<String> examples = new ArrayList<>();
    }

    private final Map<Rule, Count> counts = new EnumMap<>(Rule.class);

    private Count of(Rule rule) {
        return counts.computeIfAbsent(rule, any -> new Count());
    }

    /** Counts an occasion on which the rule was kept. */
    void keep(Rule rule) {
        of(rule).kept++;
    }

    /** Counts an occasion on which the rule was broken; the first few messages are kept. */
    void breach(Rule rule, String message) {
        Count count = of(rule);
        count.broken++;
        if (count.examples.size() < EXAMPLES_MAX) {
            count.examples.add(
                    message.length() <= EXAMPLE_MAX_CHARS ? message : message.substring(0, EXAMPLE_MAX_CHARS) + "…");
        }
    }

    /** Counts an occasion, kept or broken. The message is read only if broken. */
    void judge(Rule rule, boolean kept, java.util.function.Supplier<String> message) {
        if (kept) {
            keep(rule);
        } else {
            breach(rule, message.get());
        }
    }

    State state(Rule rule) {
        Count count = counts.get(rule);
        if (count == null) {
            return State.NOT_OBSERVED;
        }
        return count.broken > 0 ? State.BROKEN : State.KEPT;
    }

    /** The first breaches of a rule and their number as one line; empty if it was not broken. */
    String message(Rule rule) {
        Count count = counts.get(rule);
        if (count == null || count.broken == 0) {
            return "";
        }
        String more = count.broken > count.examples.size()
                ? "; in all " + count.broken + " of " + (count.broken + count.kept)
                : "";
        return String.join("; ", count.examples) + more;
    }
}
