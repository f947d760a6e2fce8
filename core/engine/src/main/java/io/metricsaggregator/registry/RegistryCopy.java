package io.metricsaggregator.registry;

import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a registry as of one moment, without the values of its series. The owner of the registry fills it; one other thread may render
 * it until it is filled again.
 */
public final class RegistryCopy {
    private final List<String> counterNames;
    private final long[] counters;
    private final List<SeriesSnapshot> series;
    private final List<RemainderCopy> remainders;
    private final Set<String> names;
    private final @Nullable CounterMetric[] rendered;

    RegistryCopy(List<String> counterNames, List<SeriesSnapshot> series, List<RemainderCopy> remainders) {
        this.remainders = remainders;
        this.names = remainders.stream().map(RemainderCopy::name).collect(Collectors.toSet());
        this.counterNames = counterNames;
        this.counters = new long[counterNames.size()];
        this.rendered = new @Nullable CounterMetric[counterNames.size()];
        this.series = series;
    }

    void setCounter(int index, long value) {
        counters[index] = value;
    }

    SeriesSnapshot series(int index) {
        return series.get(index);
    }

    List<RemainderCopy> remainders() {
        return remainders;
    }

    /** Number of counters and series that it has room for. */
    public int size() {
        return counters.length + series.size();
    }

    /** Renders the metrics, with percentiles of the histograms; a metric that did not change is the same object as before. */
    public List<Metric> render() {
        List<Metric> metrics = new ArrayList<>();
        for (int i = 0; i < counters.length; i++) {
            metrics.add(counter(i));
        }
        for (SeriesSnapshot each : series) {
            if (!names.contains(each.name())) {
                metrics.add(each.render(false));
            }
        }
        for (RemainderCopy each : remainders) {
            SeriesMetric left = each.render();
            if (left != null) {
                metrics.add(left);
            }
        }
        return metrics;
    }

    private CounterMetric counter(int index) {
        CounterMetric last = rendered[index];
        if (last == null || last.value() != counters[index]) {
            last = new CounterMetric(counterNames.get(index), counters[index]);
            rendered[index] = last;
        }
        return last;
    }
}
