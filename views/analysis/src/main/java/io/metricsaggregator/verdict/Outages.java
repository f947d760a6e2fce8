package io.metricsaggregator.verdict;

import io.metricsaggregator.analysis.OutageText;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.figures.Outage;
import java.util.List;

/** Spans without a daemon in a run that was resumed. */
final class Outages implements Check {

    @Override
    public String name() {
        return "outages";
    }

    @Override
    public String effect() {
        return "the daemon was killed and resumed: questionable; invalid if samples in flight were orphaned or records of samples not in"
                + " flight arrived. Samples in flight, stationarity and Little's law are then not judged, and the server is not blamed";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        List<Outage> outages = OutageText.of(snapshot);
        if (outages.isEmpty()) {
            return List.of();
        }
        boolean lost = outages.stream().anyMatch(each -> each.orphaned() + each.orphanRecords() > 0);
        return List.of(new Finding(
                lost ? Finding.Weight.BAD : Finding.Weight.REMARK,
                name(),
                "the daemon was killed and resumed the run: " + String.join("; ", OutageText.clauses(outages))));
    }
}
