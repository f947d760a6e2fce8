package io.metricsaggregator.analysis;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import io.metricsaggregator.snapshot.figures.Outage;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Describes the outages of a resumed run: as a clause of findings and notes, and as a phrase for the screen. */
public final class OutageText {
    private static final int SHOWN = 5;

    private OutageText() {}

    /** The outages of a run in chronological order; empty for a run without any. */
    public static List<Outage> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        return extensions.outages();
    }

    /** One outage as a clause: start and end (UTC), duration, orphaned samples and orphan records. */
    public static String clause(Outage outage) {
        return String.format(
                Locale.ROOT,
                "from %s to %s (%s), %,d of the %,d samples in flight were orphaned, %,d later records belong to samples that were"
                        + " not in flight",
                instant(outage.fromWallNanos()),
                instant(outage.toWallNanos()),
                Figures.duration(outage.nanos()),
                outage.orphaned(),
                outage.inFlight(),
                outage.orphanRecords());
    }

    /** The clauses of the first outages, and how many more there were. */
    public static List<String> clauses(List<Outage> outages) {
        List<String> clauses = new ArrayList<>();
        outages.stream().limit(SHOWN).map(OutageText::clause).forEach(clauses::add);
        List<Outage> others = outages.subList(clauses.size(), outages.size());
        if (!others.isEmpty()) {
            clauses.add(String.format(
                    Locale.ROOT,
                    "and %,d more until %s, %,d samples orphaned",
                    others.size(),
                    instant(others.get(others.size() - 1).toWallNanos()),
                    others.stream().mapToLong(Outage::orphaned).sum()));
        }
        return clauses;
    }

    /** All outages as a phrase for one line of the screen; empty without any. */
    public static String brief(List<Outage> outages) {
        if (outages.isEmpty()) {
            return "";
        }
        Outage last = outages.get(outages.size() - 1);
        return String.format(
                Locale.ROOT,
                "%s %s to %s, orphaned %,d",
                outages.size() == 1 ? "outage" : outages.size() + " outages, the last",
                instant(last.fromWallNanos()),
                instant(last.toWallNanos()),
                outages.stream().mapToLong(Outage::orphaned).sum());
    }

    private static String instant(long nanos) {
        return EpochNanos.toInstant(nanos).truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
