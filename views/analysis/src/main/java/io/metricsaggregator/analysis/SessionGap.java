package io.metricsaggregator.analysis;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SessionInfo;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A session event that the daemon did not receive, so that no sample is tracked and only totals count them.
 *
 * @param inShort a few words, for the screen
 * @param explained a clause with the figures
 * @param remedy what to do, in the imperative
 */
public record SessionGap(String inShort, String explained, String remedy) {

    /** A live session may warm up for this long before missing tracking is a gap; the log of the daemon uses the same time. */
    private static final long WARM_UP_NANOS = 5_000_000_000L;

    /** The gap of a snapshot; null if none is missing or the snapshot has no session information (schema version 1, other daemons). */
    public static @Nullable SessionGap of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        SessionInfo session = extensions.session();
        long issued = snapshot.counter(CounterName.TOTAL_SAMPLES_ISSUED);
        if (session == null || session.tracking()) {
            return null;
        }
        boolean loadgen = issued > 0 || extensions.telemetry().isEmpty();
        if (!session.started() && loadgen && Ledger.of(snapshot).received() > 0) {
            return new SessionGap(
                    "session.started was missed",
                    String.format(
                            Locale.ROOT,
                            "session.started was never received: %,d records came without it, and none of %,d samples is tracked",
                            Ledger.of(snapshot).received(),
                            issued),
                    "start the daemon before the producer (wait for .ready), or track every sample: run --track all, or"
                            + " replay DIR --track all for a run with --journal");
        }
        boolean warmingUp = snapshot.state() == SessionState.LIVE
                && snapshot.counter(CounterName.TOTAL_DURATION_NS) < WARM_UP_NANOS;
        if (session.started() && issued > 0 && !warmingUp) {
            return new SessionGap(
                    "performance tracking has not started",
                    String.format(
                            Locale.ROOT,
                            "performance tracking never started: none of %,d samples is in a latency or a rate",
                            issued),
                    "publish session.start_performance_tracking, or track every sample: run --track all, or replay DIR"
                            + " --track all for a run with --journal");
        }
        return null;
    }
}
