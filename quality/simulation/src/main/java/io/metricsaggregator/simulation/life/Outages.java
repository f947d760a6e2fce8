package io.metricsaggregator.simulation.life;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Outage;
import java.util.ArrayList;
import java.util.List;

/** The times in which no process received a run, which the snapshots of later processes must show as outages. */
final class Outages {
    private final Verdicts verdicts;
    private final List<Down> pending = new ArrayList<>();
    private final List<Down> owed = new ArrayList<>();
    private long diedNanos = -1;
    private long readyNanos = Long.MAX_VALUE;

    /** No process between two wall clocks, in nanoseconds since 1970 UTC. */
    private record Down(long fromNanos, long toNanos) {
        boolean isWithin(Outage outage) {
            return outage.fromWallNanos() <= fromNanos && toNanos <= outage.toWallNanos();
        }
    }

    Outages(Verdicts verdicts) {
        this.verdicts = verdicts;
    }

    /** A process of the run was killed. */
    void killed(long wallNanos) {
        diedNanos = wallNanos;
    }

    /** Another process of the run starts. */
    void started(long wallNanos) {
        if (diedNanos >= 0) {
            pending.add(new Down(diedNanos, wallNanos));
        }
        diedNanos = -1;
        readyNanos = Long.MAX_VALUE;
    }

    /** The run has no frame yet: there was nothing to interrupt. */
    void forget() {
        pending.clear();
        owed.clear();
    }

    /** A power cut may have lost what earlier processes noted. */
    void powerCut() {
        owed.clear();
        pending.clear();
    }

    /** The process receives every record from now on. */
    void ready(long nowNanos) {
        owed.addAll(pending);
        pending.clear();
        readyNanos = nowNanos;
    }

    /** Checks a snapshot, unless it was taken before the process was ready. */
    void check(MetricsSnapshot snapshot) {
        if (snapshot.timestampNanos() <= readyNanos) {
            return;
        }
        List<Outage> shown = snapshot.extensions().outages();
        for (Down each : owed) {
            verdicts.require(
                    shown.stream().anyMatch(each::isWithin),
                    Invariant.OUTAGES_ARE_SHOWN,
                    () -> "snapshot " + snapshot.counter() + " shows no outage around " + each + ", but " + shown);
        }
        for (int i = 1; i < shown.size(); i++) {
            verdicts.require(
                    shown.get(i - 1).toWallNanos() <= shown.get(i).fromWallNanos(),
                    Invariant.OUTAGES_ARE_SHOWN,
                    () -> "outages overlap: " + shown);
        }
    }
}
