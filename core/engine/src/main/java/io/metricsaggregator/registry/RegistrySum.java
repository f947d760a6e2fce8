package io.metricsaggregator.registry;

import io.metricsaggregator.catalogue.SeriesName;
import io.metricsaggregator.registry.raw.SlabStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Adds up registries: the sum has the values of all of them, as if they had been recorded in one. The registries are not changed, and share their full slabs
 * of values with the sum. The result does not depend on the order or the grouping of the registries. Used by one thread.
 */
public final class RegistrySum {
    private final List<Registry> parts;

    private RegistrySum(List<Registry> parts) {
        this.parts = parts;
    }

    /**
     * Adds up registries.
     *
     * @param parts at least one; of different histograms the sum has the least precise, whose buckets hold whole buckets of the others
     * @param values keeps the values that are not shared
     * @throws IllegalArgumentException if a metric is of two kinds, or its histograms are of two ranges
     */
    public static Registry of(List<Registry> parts, SlabStore values) {
        int figures = Integer.MAX_VALUE;
        int buckets = 1;
        List<Double> percentiles = new ArrayList<>();
        for (Registry each : parts) {
            figures = Math.min(figures, each.significantFigures());
            buckets = Math.max(buckets, each.displayBuckets());
            DoubleStream.of(each.grid().percentiles()).forEach(percentiles::add);
        }
        Registry sum = new Registry(figures, buckets, PercentileGrid.with(percentiles), values);
        RegistrySum adding = new RegistrySum(parts);
        adding.addCounters(sum);
        adding.addSeries(sum);
        adding.addRemainders(sum);
        sum.at(0);
        return sum;
    }

    /** The place of a metric in the sum: the least position in the run, then the least place in a registry. */
    private record Place(String name, long position, int index) {
        static Place least(Place a, Place b) {
            return ORDER.compare(a, b) <= 0 ? a : b;
        }

        private static final Comparator<Place> ORDER = Comparator.comparingLong(Place::position)
                .thenComparingInt(Place::index)
                .thenComparing(Place::name);
    }

    private void addCounters(Registry sum) {
        Map<String, Place> places = new HashMap<>();
        Map<String, Long> values = new HashMap<>();
        for (Registry part : parts) {
            for (int i = 0; i < part.counters().size(); i++) {
                LongCounter each = part.counters().get(i);
                String name = each.name();
                places.merge(name, new Place(name, part.position(name), i), Place::least);
                values.merge(name, each.value(), CounterRule.of(name)::combine);
            }
        }
        for (Place each : sorted(places)) {
            sum.at(each.position());
            sum.counter(each.name()).set(values.getOrDefault(each.name(), 0L));
        }
    }

    private void addSeries(Registry sum) {
        Map<String, Place> places = new HashMap<>();
        Map<String, List<Series>> all = new HashMap<>();
        for (Registry part : parts) {
            for (int i = 0; i < part.series().size(); i++) {
                Series each = part.series().get(i);
                String name = each.name();
                places.merge(name, new Place(name, part.position(name), i), Place::least);
                all.computeIfAbsent(name, any -> new ArrayList<>()).add(each);
            }
        }
        for (Place each : sorted(places)) {
            sum.at(each.position());
            addSeries(sum, all.getOrDefault(each.name(), List.of()));
        }
    }

    private static void addSeries(Registry sum, List<Series> same) {
        Series first = same.get(0);
        Series into = first instanceof LongSeries
                ? sum.longSeries(first.name(), first.layout().range())
                : sum.doubleSeries(first.name(), first.layout().range());
        for (Series each : same) {
            if (into instanceof LongSeries integers && each instanceof LongSeries other) {
                integers.add(other);
            } else if (into instanceof DoubleSeries reals && each instanceof DoubleSeries other) {
                reals.add(other);
            } else {
                throw new IllegalArgumentException("series " + each.name() + " is of two kinds");
            }
            if (each.isCertified()) {
                into.certify();
            }
        }
    }

    private void addRemainders(Registry sum) {
        Map<String, @Nullable SeriesRemainder> known = new HashMap<>();
        for (Registry part : parts) {
            for (SeriesRemainder each : part.remainders()) {
                SeriesName name = SeriesName.ofWire(each.name());
                SeriesRemainder own = known.get(each.name());
                if (own != null) {
                    own.add(each);
                } else if (name != null) {
                    known.put(each.name(), sum.remainder(name, each.whole(), each.part(), each::expected));
                }
            }
        }
    }

    private static List<Place> sorted(Map<String, Place> places) {
        return places.values().stream().sorted(Place.ORDER).toList();
    }
}
