package io.metricsaggregator.verdict;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import java.util.List;
import java.util.Locale;

/** Connections that the daemon refused: a producer among them sent nothing. */
final class RefusedPeers implements Check {

    @Override
    public String name() {
        return "refused connections";
    }

    @Override
    public String effect() {
        return "connections refused because of their user or because of the limit, whose records are in no figure: a note";
    }

    @Override
    public List<Finding> judge(MetricsSnapshot snapshot) {
        long refused = snapshot.counter(CounterName.PEERS_REJECTED);
        return refused == 0
                ? List.of()
                : List.of(new Finding(
                        Finding.Weight.NOTE,
                        name(),
                        String.format(
                                Locale.ROOT,
                                "%,d connections were refused because of their user or the limit of connections; records that"
                                        + " they would have sent are missing",
                                refused)));
    }
}
