package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import java.util.ArrayList;
import java.util.List;

/**
 * A copy of a registry as of one moment, without the values of its series. The owner of the registry fills it; one other thread may render
 * it until it is filled again.
 */
public final class RegistryCopy {
    private final List<String> counterNames;
    private final long[] counters;
    private final List<SeriesSnapshot> series;

    RegistryCopy(List<String> counterNames, List<SeriesSnapshot> series) {
        this.counterNames = counterNames;
        this.counters = new long[counterNames.size()];
        this.series = series;
    }

    void setCounter(int index, long value) {
        counters[index] = value;
    }

    SeriesSnapshot series(int index) {
        return series.get(index);
    }

    /** Number of metrics that it has room for. */
    public int size() {
        return counters.length + series.size();
    }

    /** Renders the metrics, with percentiles of the histograms. */
    public List<Metric> render() {
        List<Metric> metrics = new ArrayList<>();
        for (int i = 0; i < counters.length; i++) {
            metrics.add(new CounterMetric(counterNames.get(i), counters[i]));
        }
        for (SeriesSnapshot each : series) {
            metrics.add(each.render(false));
        }
        return metrics;
    }
}
