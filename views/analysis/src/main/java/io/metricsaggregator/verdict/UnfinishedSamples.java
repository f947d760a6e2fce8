package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.ImportedText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Samples in flight at the end. Warm-up samples count in no figure, so they do not weigh. */
final class UnfinishedSamples implements Check {

    @Override
    public String name() {
        return "unfinished samples";
    }

    @Override
    public String effect() {
        return "tracked samples in flight at the end: questionable. Samples issued outside tracked windows (warm-up) do not count";
    }

    @Override
    public boolean isForLiveRuns() {
        return false;
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        List<Finding> findings = new ArrayList<>();
        if (extensions.isNone()) {
            return findings;
        }
        SnapshotExtensions.InFlight left = extensions.inFlight();
        long untracked = left.count() - left.tracked();
        long endUnknown = ImportedText.endUnknown(snapshot);
        long unfinished = left.tracked() - Math.min(endUnknown, Math.min(left.tracked(), left.failed()));
        if (unfinished > 0) {
            findings.add(new Finding(
                    Finding.Weight.REMARK,
                    name(),
                    String.format(
                            Locale.ROOT,
                            "%,d tracked samples were still in flight; no latency includes them",
                            unfinished)));
        }
        if (untracked > 0) {
            findings.add(new Finding(
                    Finding.Weight.GOOD,
                    name(),
                    String.format(
                            Locale.ROOT,
                            "%,d samples issued outside the tracked windows never completed; no figure includes them",
                            untracked)));
        }
        return findings;
    }
}
