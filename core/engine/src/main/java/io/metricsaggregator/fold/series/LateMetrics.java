package io.metricsaggregator.fold.series;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.DoubleSeries;
import io.metricsaggregator.registry.LongCounter;
import io.metricsaggregator.registry.LongSeries;
import io.metricsaggregator.registry.Registry;
import java.util.EnumMap;
import java.util.Map;

/** Metrics that are registered with their first value, so that a run without them has none. Belongs to the thread of the fold; allocates only to register. */
public final class LateMetrics {
    private final Registry registry;
    private final Map<CounterName, LongCounter> counters = new EnumMap<>(CounterName.class);
    private final Map<SeriesName, LongSeries> integers = new EnumMap<>(SeriesName.class);
    private final Map<SeriesName, DoubleSeries> reals = new EnumMap<>(SeriesName.class);

    public LateMetrics(Registry registry) {
        this.registry = registry;
    }

    /** Adds to a counter; 0 does not register it. */
    public void add(CounterName name, long number) {
        LongCounter counter = counters.get(name);
        if (counter == null && number != 0) {
            counter = registry.counter(name);
            counters.put(name, counter);
        }
        if (counter != null) {
            counter.add(number);
        }
    }

    /** A series of integers, into which a value is about to be recorded. */
    public LongSeries series(SeriesName name) {
        LongSeries series = integers.get(name);
        if (series == null) {
            series = registry.longSeries(name);
            integers.put(name, series);
        }
        return series;
    }

    /** Records a real number. */
    public void record(SeriesName name, double value) {
        DoubleSeries series = reals.get(name);
        if (series == null) {
            series = registry.doubleSeries(name);
            reals.put(name, series);
        }
        series.record(value);
    }
}
