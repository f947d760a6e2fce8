package io.metricsaggregator.verdict;

import java.util.List;

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
            new TokenCounts.Acceptance(),
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
}
