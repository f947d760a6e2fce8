package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import java.util.ArrayList;
import java.util.List;

/** A copy of a registry as of one moment: filled by its owner, rendered by another thread. */
public final class RegistryCopy {
    final long[] counters;
    final List<SeriesFreeze> series;

    private final List<String> counterNames;

    RegistryCopy(List<String> counterNames, List<SeriesFreeze> series) {
        this.counterNames = counterNames;
        this.counters = new long[counterNames.size()];
        this.series = series;
    }

    /** Metrics it has room for. */
    public int size() {
        return counters.length + series.size();
    }

    /** The metrics, with percentiles of the histograms. */
    public List<Metric> render() {
        List<Metric> metrics = new ArrayList<>();
        for (int i = 0; i < counters.length; i++) {
            metrics.add(new CounterMetric(counterNames.get(i), counters[i]));
        }
        for (SeriesFreeze each : series) {
            metrics.add(each.render(false));
        }
        return metrics;
    }
}
