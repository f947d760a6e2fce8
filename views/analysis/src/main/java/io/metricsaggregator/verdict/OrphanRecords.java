package io.metricsaggregator.verdict;

import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;
import java.util.Locale;

/** Records of samples whose issue did not arrive. */
final class OrphanRecords implements Check {

    @Override
    public String name() {
        return "orphans";
    }

    @Override
    public String effect() {
        return "any record of a sample without an issue event: questionable";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        long orphan = snapshot.extensions().isNone() ? 0 : Ledger.of(snapshot).orphan();
        return orphan == 0
                ? List.of()
                : List.of(new Finding(
                        Finding.Weight.REMARK,
                        name(),
                        String.format(
                                Locale.ROOT,
                                "%,d records belong to samples without an issue event: the daemon started late, or records were"
                                        + " lost",
                                orphan)));
    }
}
