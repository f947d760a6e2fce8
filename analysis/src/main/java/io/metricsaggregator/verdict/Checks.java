package io.metricsaggregator.verdict;

import java.util.List;
import java.util.Locale;

/** All checks, in the order of docs/metrics.md and, among findings of equal weight, of reports. */
final class Checks {
    static final List<Check> ALL = List.of(
            new SessionEnd(),
            new TrackedSamples(),
            new FailedSamples(),
            new Objectives(),
            new UnfinishedSamples(),
            new SampleSize(),
            new Stragglers(),
            new ImpossibleDurations(),
            new RecordLosses(),
            new JournalLosses(),
            new OrphanRecords(),
            new RefusedPeers(),
            new FleetNodes(),
            new MergedTimes(),
            new ImportedRecords(),
            new DaemonLag(),
            new TokenCounts(),
            new LabelSkew(),
            new Stalls(),
            new TelemetryCoverage(),
            new Outages(),
            new InFlightTrend(),
            new Stationarity(),
            new ClientSchedule(),
            new ClientHost(),
            new LittlesLaw(),
            new ServerMemory());

    private Checks() {}

    /** A share from 0 to 1 as a threshold of the documentation, such as {@code 5 %}. */
    static String percent(double share) {
        return number(100 * share) + " %";
    }

    /** A number without trailing zeros. */
    static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%s", Math.round(value * 1000) / 1000.0);
    }
}
