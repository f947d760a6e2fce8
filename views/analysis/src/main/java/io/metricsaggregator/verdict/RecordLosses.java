package io.metricsaggregator.verdict;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.Ledger;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SnapshotExtensions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Records that are known to be lost on the way to the daemon or in it. */
final class RecordLosses implements Check {

    @Override
    public String name() {
        return "losses";
    }

    @Override
    public String effect() {
        return "missing sequence numbers, malformed batches or records, evicted samples, truncated frames, or a record ledger that is"
                + " not balanced: invalid";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        SnapshotExtensions extensions = snapshot.extensions();
        if (extensions.isNone()) {
            return List.of(new Finding(Finding.Weight.UNKNOWN, name(), "the snapshot has no record ledger"));
        }
        Ledger ledger = Ledger.of(snapshot);
        long lost = extensions.recordsLost();
        List<String> evidence = new ArrayList<>();
        note(evidence, lost, "numbered records never arrived");
        note(evidence, snapshot.counter(CounterName.BATCHES_MALFORMED), "malformed batches were discarded");
        note(evidence, ledger.malformed(), "records were malformed");
        note(evidence, snapshot.counter(CounterName.INFLIGHT_EVICTED), "samples in flight were evicted");
        note(evidence, snapshot.counter(CounterName.FRAMES_TRUNCATED), "connections ended in the middle of a frame");
        if (!ledger.balanced()) {
            evidence.add("the record ledger is not balanced");
        }
        return List.of(
                evidence.isEmpty()
                        ? new Finding(
                                Finding.Weight.GOOD,
                                name(),
                                String.format(Locale.ROOT, "none in %,d records", ledger.received()))
                        : new Finding(Finding.Weight.BAD, name(), String.join("; ", evidence)));
    }

    static void note(List<String> evidence, long count, String what) {
        if (count > 0) {
            evidence.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }
}
