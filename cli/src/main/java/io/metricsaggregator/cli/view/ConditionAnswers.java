package io.metricsaggregator.cli.view;

import io.metricsaggregator.analysis.Printable;
import io.metricsaggregator.options.Needs;
import io.metricsaggregator.runs.Condition;
import picocli.CommandLine.Option;

/** What answers to conditions mean for the exit status, and how they are reported on standard error. */
final class ConditionAnswers {
    private static final int LINE_MAX = 1000;

    /** What an inconclusive condition does to the exit status. */
    enum Inconclusive {
        FAIL,
        PASS
    }

    @Needs("--fail-if")
    @Option(
            names = "--inconclusive",
            paramLabel = "fail|pass",
            defaultValue = "fail",
            description =
                    "Result of a condition that the runs cannot decide: a difference beyond the limit that may be chance, a percentile with"
                            + " too few values, fewer than 5 earlier runs, a newest run that is left out. Default: ${DEFAULT-VALUE}.")
    private Inconclusive inconclusive = Inconclusive.FAIL;

    /**
     * Reports an answer, unless it is a certain no, and says whether it counts as failed.
     *
     * @param subject what was judged; empty if there is only one
     */
    boolean fails(String subject, String condition, Condition.State state, String evidence) {
        boolean fails = state == Condition.State.HOLDS
                || (state == Condition.State.INCONCLUSIVE && inconclusive == Inconclusive.FAIL);
        String says = switch (state) {
            case HOLDS -> " holds";
            case INCONCLUSIVE ->
                " is inconclusive and "
                        + (fails
                                ? "counts as failed (--inconclusive pass ignores it)"
                                : "is ignored (--inconclusive pass)");
            case DOES_NOT_HOLD -> " does not hold, but this is uncertain";
        };
        if (!evidence.isEmpty()) {
            String line = (subject.isEmpty() ? "" : subject + ": ") + condition + says + ": " + evidence;
            System.err.println("metrics-aggregator: " + Printable.escape(line, LINE_MAX));
        }
        return fails;
    }
}
