package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** All counters and series of a run, in the order they were registered. One thread registers and records. */
public final class Registry {
    private final int significantFigures;
    private final int displayBuckets;
    private final PercentileGrid grid;
    private final SlabStore values;
    private final List<LongCounter> counters = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private final List<SeriesRemainder> remainders = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /**
     * An empty registry.
     *
     * @param significantFigures of HDR histograms, 1 to 5
     * @param displayBuckets of the histogram in a snapshot, at least 1
     * @param values where values are kept
     */
    public Registry(int significantFigures, int displayBuckets, SlabStore values) {
        this(significantFigures, displayBuckets, PercentileGrid.STANDARD, values);
    }

    /**
     * An empty registry.
     *
     * @param significantFigures of HDR histograms, 1 to 5
     * @param displayBuckets of the histogram in a snapshot, at least 1
     * @param grid the percentiles of every series
     * @param values where values are kept
     */
    public Registry(int significantFigures, int displayBuckets, PercentileGrid grid, SlabStore values) {
        if (significantFigures < 1 || significantFigures > 5) {
            throw new IllegalArgumentException(
                    "HDR significant figures " + significantFigures + " are not between 1 and 5");
        }
        if (displayBuckets < 1) {
            throw new IllegalArgumentException("histogram buckets " + displayBuckets + " are below 1");
        }
        this.significantFigures = significantFigures;
        this.displayBuckets = displayBuckets;
        this.grid = grid;
        this.values = values;
    }

    /** Registers a counter, which starts at 0. */
    public LongCounter counter(CounterName name) {
        return counter(name.wire());
    }

    LongCounter counter(String name) {
        requireNew(name);
        LongCounter counter = new LongCounter(name);
        counters.add(counter);
        return counter;
    }

    /** Registers a series of integers, whose histogram has the range of its unit. */
    public LongSeries longSeries(SeriesName name) {
        return longSeries(name.wire(), HdrRange.of(name.unit()));
    }

    LongSeries longSeries(String name, HdrRange range) {
        requireNew(name);
        LongSeries added = new LongSeries(name, range, significantFigures, displayBuckets, grid, values);
        series.add(added);
        return added;
    }

    /** Registers a series of real numbers, whose histogram has the range of its unit. */
    public DoubleSeries doubleSeries(SeriesName name) {
        return doubleSeries(name.wire(), HdrRange.of(name.unit()));
    }

    DoubleSeries doubleSeries(String name, HdrRange range) {
        requireNew(name);
        DoubleSeries added = new DoubleSeries(name, range, significantFigures, displayBuckets, grid, values);
        series.add(added);
        return added;
    }

    /**
     * Registers a series that is not recorded: at the end it is what a series holds beyond another one. It is in the exact metrics
     * alone, where there are such values and it is known to be right.
     *
     * @param whole the values
     * @param part the name of the series whose values, all of them recorded in {@code whole} too, are taken away
     * @param expected how many values must be left; asked for at the end
     */
    public void remainder(SeriesName name, LongSeries whole, LongSeries part, LongSupplier expected) {
        requireNew(name.wire());
        remainders.add(new SeriesRemainder(name.wire(), whole.name(), part.name(), expected));
    }

    private void requireNew(String name) {
        if (!names.add(name)) {
            throw new IllegalArgumentException("there is a metric " + name + " already");
        }
    }

    /**
     * Adds the series of another registry, as if their values had been recorded here; series that are not here are taken over as they
     * are. Counters are left alone: not all of them add up.
     */
    public void add(Registry other) {
        for (Series each : other.series) {
            Series own = series.stream()
                    .filter(known -> known.name().equals(each.name()))
                    .findFirst()
                    .orElse(null);
            if (own == null) {
                names.add(each.name());
                series.add(each);
            } else {
                own.add(each);
            }
        }
        for (SeriesRemainder each : other.remainders) {
            remainders.stream()
                    .filter(known -> known.name().equals(each.name()))
                    .findFirst()
                    .ifPresentOrElse(known -> known.add(each), () -> remainders.add(each));
        }
    }

    /** Values that histograms hold at their edge, over all series. */
    public long clamped() {
        long clamped = 0;
        for (int i = 0; i < series.size(); i++) {
            clamped += series.get(i).clamped();
        }
        return clamped;
    }

    /** Metrics registered so far: a place for copies is good for as many. */
    public int size() {
        return counters.size() + series.size();
    }

    /** A place for copies of this registry as it is now registered. */
    public RegistryCopy newFreeze() {
        return new RegistryCopy(
                counters.stream().map(LongCounter::name).toList(),
                series.stream().map(Series::newFreeze).toList());
    }

    /** Copies everything but the values: some 20 µs a series. */
    public void freezeInto(RegistryCopy into) {
        for (int i = 0; i < counters.size(); i++) {
            into.counters[i] = counters.get(i).value();
        }
        for (int i = 0; i < series.size(); i++) {
            series.get(i).freezeInto(into.series.get(i));
        }
    }

    /** As below, by the caller alone. */
    public List<Metric> renderExact(RegistryCopy scratch, boolean estimates, BooleanSupplier outOfTime) {
        return renderExact(scratch, estimates, Workers.NONE, outOfTime);
    }

    /**
     * The metrics with exact percentiles, as far as there is time; a series that has to do without says so.
     *
     * @param estimates whether MLPerf's early stopping estimates are wanted of the series that are certified
     * @param workers look at the values together
     * @param outOfTime asked now and then, by each of them; true makes the rest come from the histograms
     */
    public List<Metric> renderExact(
            RegistryCopy scratch, boolean estimates, Workers workers, BooleanSupplier outOfTime) {
        freezeInto(scratch);
        List<Metric> metrics = new ArrayList<>();
        for (LongCounter counter : counters) {
            metrics.add(new CounterMetric(counter.name(), counter.value()));
        }
        for (int i = 0; i < series.size(); i++) {
            SeriesFreeze copy = scratch.series.get(i);
            ExactPass exact = series.get(i).exact(copy.furtherRanks(), workers, outOfTime);
            metrics.add(exact == null ? copy.render(estimates) : copy.render(exact, estimates));
        }
        for (SeriesRemainder each : remainders) {
            SeriesMetric left = each.render(series, workers, outOfTime);
            if (left != null) {
                metrics.add(left);
            }
        }
        return metrics;
    }
}
