package io.metricsaggregator.analysis;

import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.Outage;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The outages of a resumed run, in words, and how they weigh. */
public final class OutageText {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private OutageText() {}

    /** The outages of a run, the first one first. */
    public static List<Outage> of(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        return extensions == null ? List.of() : extensions.outages();
    }

    /** One outage as a clause: from when to when (UTC), how long, and what it cost. */
    public static String clause(Outage outage) {
        return String.format(
                Locale.ROOT,
                "from %s to %s (%s), %,d of the %,d samples in flight were orphaned, %,d records that came later belong to samples that were"
                        + " not in flight",
                instant(outage.fromWallNanos()),
                instant(outage.toWallNanos()),
                Figures.duration(outage.nanos()),
                outage.orphaned(),
                outage.inFlight(),
                outage.orphanRecords());
    }

    /** All outages in a few words, for a line of the screen; empty if there was none. */
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

    /** What outages do to the verdict; null if there was none. */
    public static @Nullable Finding finding(MetricsSnapshot snapshot) {
        List<Outage> outages = of(snapshot);
        if (outages.isEmpty()) {
            return null;
        }
        boolean lost = outages.stream().anyMatch(each -> each.orphaned() + each.orphanRecords() > 0);
        return new Finding(
                lost ? Finding.Weight.BAD : Finding.Weight.REMARK,
                "outages",
                "the daemon was killed and resumed the run: "
                        + String.join(
                                "; ", outages.stream().map(OutageText::clause).toList()));
    }

    private static String instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND))
                .truncatedTo(ChronoUnit.MILLIS)
                .toString();
    }
}
