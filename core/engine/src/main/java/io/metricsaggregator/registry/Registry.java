package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.raw.SlabStore;
import io.metricsaggregator.snapshot.CounterMetric;
import io.metricsaggregator.snapshot.Metric;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All counters and series of a run, in the order they were registered, which is their order in snapshots. One thread, its owner, registers
 * and records.
 */
public final class Registry {
    private final int significantFigures;
    private final int displayBuckets;
    private final PercentileGrid grid;
    private final SlabStore values;
    private final List<LongCounter> counters = new ArrayList<>();
    private final List<Series> series = new ArrayList<>();
    private final Map<String, LongSeries> longSeries = new LinkedHashMap<>();
    private final Map<String, DoubleSeries> doubleSeries = new LinkedHashMap<>();
    private final Map<String, SeriesRemainder> remainders = new LinkedHashMap<>();
    /** The names of all metrics, each with the position in the run at which it was registered. */
    private final Map<String, Long> positions = new HashMap<>();

    private long position;

    /**
     * An empty registry with the percentiles of MLCommons endpoints.
     *
     * @param significantFigures of HDR histograms, 1 to 5
     * @param displayBuckets of the histogram in a snapshot, at least 1
     * @param values keeps the values of all series
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
     * @param values keeps the values of all series
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

    /** Keeps the values of all series. */
    public SlabStore values() {
        return values;
    }

    /**
     * Registers a counter that is made elsewhere.
     *
     * @throws IllegalArgumentException if a metric of its name is registered
     */
    public void register(LongCounter counter) {
        requireNew(counter.name());
        counters.add(counter);
    }

    /**
     * Makes and registers a counter.
     *
     * @throws IllegalArgumentException if a metric of that name is registered
     */
    public LongCounter counter(CounterName name) {
        return counter(name.wire());
    }

    /** The names of all counters, in their order. */
    public List<String> counterNames() {
        return counters.stream().map(LongCounter::name).toList();
    }

    /** Sets a counter; does nothing if there is none of that name. */
    public void set(CounterName name, long value) {
        for (LongCounter each : counters) {
            if (each.name().equals(name.wire())) {
                each.set(value);
            }
        }
    }

    LongCounter counter(String name) {
        LongCounter counter = new LongCounter(name);
        register(counter);
        return counter;
    }

    /**
     * Makes and registers a series of integers, whose histogram has the range of its unit.
     *
     * @throws IllegalArgumentException if a metric of that name is registered
     */
    public LongSeries longSeries(SeriesName name) {
        return longSeries(name.wire(), HdrRange.of(name.unit()));
    }

    LongSeries longSeries(String name, HdrRange range) {
        LongSeries added = new LongSeries(layout(name, range), values);
        register(added);
        return added;
    }

    /** The mean of a series of integers or of a remainder; null if it has no values, is unknown or is not registered. */
    public @Nullable Double mean(SeriesName name) {
        LongSeries known = longSeries.get(name.wire());
        SeriesRemainder remainder = remainders.get(name.wire());
        if (known != null || remainder == null) {
            return known == null ? null : mean(known.total(), known.count());
        }
        LongSeries whole = longSeries.get(remainder.whole());
        LongSeries part = longSeries.get(remainder.part());
        return whole == null || part == null || whole.count() - part.count() != remainder.expected()
                ? null
                : mean(whole.total().subtract(part.total()), whole.count() - part.count());
    }

    private static @Nullable Double mean(BigInteger total, long count) {
        return count == 0 ? null : (Double) (total.doubleValue() / count);
    }

    /**
     * Makes and registers a series of real numbers, whose histogram has the range of its unit.
     *
     * @throws IllegalArgumentException if a metric of that name is registered
     */
    public DoubleSeries doubleSeries(SeriesName name) {
        return doubleSeries(name.wire(), HdrRange.of(name.unit()));
    }

    DoubleSeries doubleSeries(String name, HdrRange range) {
        DoubleSeries added = new DoubleSeries(layout(name, range), values);
        register(added);
        return added;
    }

    private SeriesLayout layout(String name, HdrRange range) {
        return new SeriesLayout(name, range, significantFigures, displayBuckets, grid);
    }

    private void register(LongSeries added) {
        requireNew(added.name());
        series.add(added);
        longSeries.put(added.name(), added);
    }

    private void register(DoubleSeries added) {
        requireNew(added.name());
        series.add(added);
        doubleSeries.put(added.name(), added);
    }

    /**
     * Registers a series that is not recorded: the values of a series that remain when those of another are taken away. It is in snapshots
     * only where something is taken away and the number of remaining values is the expected one.
     *
     * @param whole the series with all values
     * @param part the series whose values are taken away; all of them are recorded in {@code whole} too
     * @param expected number of values that must remain; asked for at each copy
     * @throws IllegalArgumentException if a metric of that name is registered
     */
    public void remainder(SeriesName name, LongSeries whole, LongSeries part, LongSupplier expected) {
        remainder(name, whole.name(), part.name(), expected);
    }

    /**
     * Registers a remainder as {@link #remainder} does, whose values are recorded too because not all that remain belong to it. It keeps no
     * values: its percentiles are exact where as many values remain as were recorded.
     *
     * @return takes the values that belong to the remainder
     */
    public LongSeries recordedRemainder(SeriesName name, LongSeries whole, LongSeries part) {
        LongSeries recorded = longSeries(name);
        recorded.withoutValues();
        if (whole.isCertified()) {
            recorded.certify();
        }
        remainder(name, whole.name(), part.name(), recorded::count);
        return recorded;
    }

    SeriesRemainder remainder(SeriesName name, String whole, String part, LongSupplier expected) {
        if (!isRecorded(name.wire())) {
            requireNew(name.wire());
        }
        SeriesRemainder added = new SeriesRemainder(name.wire(), whole, part, expected);
        remainders.put(name.wire(), added);
        return added;
    }

    private void requireNew(String name) {
        if (positions.putIfAbsent(name, position) != null) {
            throw new IllegalArgumentException("metric " + name + " is registered already");
        }
    }

    /** Whether a series of integers has the name, and no remainder. */
    boolean isRecorded(String name) {
        return longSeries.containsKey(name) && !remainders.containsKey(name);
    }

    boolean has(String name) {
        return positions.containsKey(name);
    }

    /** Position in the run at which a metric was registered; 0 for those of every run. */
    long position(String name) {
        return positions.getOrDefault(name, 0L);
    }

    int significantFigures() {
        return significantFigures;
    }

    int displayBuckets() {
        return displayBuckets;
    }

    PercentileGrid grid() {
        return grid;
    }

    List<LongCounter> counters() {
        return counters;
    }

    List<Series> series() {
        return series;
    }

    Collection<SeriesRemainder> remainders() {
        return remainders.values();
    }

    /** Sets the position in the run of the event that is applied: metrics that it registers take their place in sums by it. Costs one assignment. */
    public void at(long newPosition) {
        position = newPosition;
    }

    /** Number of values outside the ranges of the histograms, over all series. */
    public long clamped() {
        long clamped = 0;
        for (int i = 0; i < series.size(); i++) {
            // The values of a remainder are those of another series.
            clamped += remainders.containsKey(series.get(i).name())
                    ? 0
                    : series.get(i).clamped();
        }
        return clamped;
    }

    /** Number of counters and series registered so far; a copy that was made earlier has room for fewer. */
    public int size() {
        return counters.size() + series.size();
    }

    /** Returns an empty copy with room for all metrics registered so far. */
    public RegistryCopy newCopy() {
        HistogramEncoder encoder = new HistogramEncoder();
        Map<String, SeriesSnapshot> copies = new LinkedHashMap<>();
        series.forEach(each -> copies.put(each.name(), each.newSnapshot(encoder)));
        List<RemainderCopy> left = new ArrayList<>();
        for (SeriesRemainder each : remainders.values()) {
            SeriesSnapshot whole = copies.get(each.whole());
            SeriesSnapshot part = copies.get(each.part());
            if (whole != null && part != null) {
                left.add(new RemainderCopy(each.name(), whole, part, copies.get(each.name()), encoder));
            }
        }
        return new RegistryCopy(counters.stream().map(LongCounter::name).toList(), List.copyOf(copies.values()), left);
    }

    /** Copies everything but the values of series, in about 20 µs a series; {@code into} must have been made for {@link #size} metrics. */
    public void copyInto(RegistryCopy into) {
        for (int i = 0; i < counters.size(); i++) {
            into.setCounter(i, counters.get(i).value());
        }
        for (int i = 0; i < series.size(); i++) {
            series.get(i).copyInto(into.series(i));
        }
        for (RemainderCopy each : into.remainders()) {
            SeriesRemainder remainder = remainders.get(each.name());
            each.expect(remainder == null ? -1 : remainder.expected());
        }
    }

    /** Renders the metrics with exact percentiles on the calling thread alone; see the method below. */
    public List<Metric> renderExact(RegistryCopy scratch, boolean estimates, BooleanSupplier outOfTime) {
        return renderExact(scratch, estimates, Workers.NONE, outOfTime);
    }

    /**
     * Renders the metrics with exact percentiles where there is time; the detail of a series states whether its percentiles are exact.
     *
     * @param scratch a copy with room for all metrics; overwritten
     * @param estimates whether to include MLPerf's early-stopping estimates of certified series
     * @param workers scan the values together
     * @param outOfTime asked after each block of values, by every worker; true makes the remaining percentiles come from the histograms
     */
    public List<Metric> renderExact(
            RegistryCopy scratch, boolean estimates, Workers workers, BooleanSupplier outOfTime) {
        copyInto(scratch);
        List<Metric> metrics = new ArrayList<>();
        for (LongCounter counter : counters) {
            metrics.add(new CounterMetric(counter.name(), counter.value()));
        }
        for (int i = 0; i < series.size(); i++) {
            if (remainders.containsKey(series.get(i).name())) {
                continue;
            }
            SeriesSnapshot copy = scratch.series(i);
            ExactValues exact = ExactPass.of(series.get(i), copy.furtherRanks(), workers, outOfTime);
            metrics.add(exact == null ? copy.render(estimates) : copy.render(exact, estimates));
        }
        for (RemainderCopy each : scratch.remainders()) {
            SeriesMetric left = renderExact(each, workers, outOfTime);
            if (left != null) {
                metrics.add(left);
            }
        }
        return metrics;
    }

    private @Nullable SeriesMetric renderExact(RemainderCopy copy, Workers workers, BooleanSupplier outOfTime) {
        SeriesRemainder remainder = remainders.get(copy.name());
        LongSeries whole = remainder == null ? null : longSeries.get(remainder.whole());
        LongSeries part = remainder == null ? null : longSeries.get(remainder.part());
        return whole == null || part == null ? null : copy.renderExact(whole, part, workers, outOfTime);
    }
}
