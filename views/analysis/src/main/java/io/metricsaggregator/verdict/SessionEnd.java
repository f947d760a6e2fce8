package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.StallText;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionState;
import java.util.List;
import java.util.Locale;

/** Whether the session ended and every text was counted. */
final class SessionEnd implements Check {

    @Override
    public String name() {
        return "the end";
    }

    @Override
    public String effect() {
        return "session not ended, or texts not counted: invalid. Unknown for telemetry without samples that a signal ended, its normal end";
    }

    @Override
    public boolean isForLiveRuns() {
        return false;
    }

    /** Whether a run consists of telemetry only. */
    static boolean isTelemetryOnly(MetricsSnapshot snapshot) {
        return !snapshot.extensions().isNone()
                && !snapshot.extensions().telemetry().isEmpty()
                && snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED) == 0;
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        if (isTelemetryOnly(snapshot) && snapshot.state() == SessionState.INTERRUPTED) {
            return List.of(new Finding(
                    Finding.Weight.UNKNOWN,
                    name(),
                    "a signal ended the run, which is the normal end without a session"));
        }
        boolean complete = snapshot.state() == SessionState.COMPLETE && snapshot.pendingTasks() == 0;
        String state = snapshot.state().wireName();
        return List.of(new Finding(
                complete ? Finding.Weight.GOOD : Finding.Weight.BAD,
                name(),
                complete
                        ? "the session ended and every text was counted"
                        : snapshot.pendingTasks() > 0
                                ? String.format(
                                        Locale.ROOT, "%s with %,d texts not counted", state, snapshot.pendingTasks())
                                : state + ": " + whyIncomplete(snapshot)));
    }

    private static String whyIncomplete(MetricsSnapshot snapshot) {
        if (StallText.hasInterrupted(snapshot)) {
            return "no endpoint answered (--interrupt-on-stall)";
        }
        return snapshot.counter(CounterName.SESSION_INTERRUPTS) > 0
                ? "the producer aborted the session (session.interrupted)"
                : "the session did not end";
    }
}
