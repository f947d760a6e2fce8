package io.metricsaggregator.fleet;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.SuccessSeries;
import io.metricsaggregator.snapshot.figures.Slices;
import io.metricsaggregator.snapshot.histogram.HdrCounts;
import io.metricsaggregator.snapshot.histogram.HdrGrid;
import io.metricsaggregator.snapshot.histogram.HdrSum;
import io.metricsaggregator.snapshot.histogram.SeriesAdder;
import io.metricsaggregator.snapshot.histogram.SeriesPart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slices of time of a fleet: cut by the fleet's clock from differences of the sums, so their percentiles are those of all nodes together. A slice
 * holds what arrived in it. Slices are one second wide; beyond {@value #SLICES_MAX} pairs merge and the width doubles. What a node had measured before
 * the fleet saw it is in no slice. Belongs to the main loop.
 */
final class FleetSlices {
    static final int SLICES_MAX = 512;
    private static final long SECOND = 1_000_000_000L;
    /** A run that is older than this when it is seen first began before its first slice. */
    private static final long BEGUN_NANOS = 2 * SECOND;

    private static final double[] PERCENTILES = {50, 90, 99, 100};
    private static final String[] SUFFIXES = {"_p50_ns", "_p90_ns", "_p99_ns", "_max_ns"};

    private static final List<CounterName> COUNTED = List.of(
            CounterName.RECORDS_RECEIVED,
            CounterName.TOTAL_SAMPLES_ISSUED,
            CounterName.TOTAL_SAMPLES_COMPLETED,
            CounterName.TOTAL_SAMPLES_FAILED);
    private static final String[] COUNTED_COLUMNS = {"records", "issued", "completed", "failed"};

    private final long[] seen = new long[COUNTED.size()];
    private final SliceHistograms latency = new SliceHistograms(SuccessSeries.LATENCY, true);
    private final SliceHistograms ttft = new SliceHistograms(SuccessSeries.TTFT, false);
    private final List<Slice> slices = new ArrayList<>();
    private long startNanos;
    private long widthNanos = SECOND;
    private long outside;

    /** One slice: increases of counters, samples in flight, and increases of histograms. */
    private static final class Slice {
        private final long[] increases = new long[COUNTED.size()];
        private long inFlight;
        private long inFlightMax;
        private SliceCounts latency = SliceCounts.NONE;
        private SliceCounts ttft = SliceCounts.NONE;

        void add(Slice later) {
            for (int i = 0; i < increases.length; i++) {
                increases[i] += later.increases[i];
            }
            inFlight = later.inFlight;
            inFlightMax = Math.max(inFlightMax, later.inFlightMax);
            latency = latency.plus(later.latency);
            ttft = ttft.plus(later.ttft);
        }
    }

    /** Leaves what a node measured before the fleet saw it out of the slices. To be called before the first sum that has the node. */
    void joined(NodeFrame first) {
        if (first.counterValue(CounterName.TOTAL_DURATION_NS) < BEGUN_NANOS) {
            return;
        }
        for (int i = 0; i < seen.length; i++) {
            seen[i] += first.counterValue(COUNTED.get(i));
        }
        outside += first.counterValue(CounterName.RECORDS_RECEIVED);
        latency.joined(first);
        ttft.joined(first);
    }

    /** Adds what the sums grew by since the last call. The first slice starts with the first node. */
    void tick(long nowNanos, Map<String, Long> counters, Map<String, SeriesAdder> series, long inFlight) {
        if (counters.isEmpty()) {
            return;
        }
        if (slices.isEmpty()) {
            startNanos = nowNanos;
        }
        long at = (nowNanos - startNanos) / widthNanos;
        while (at >= SLICES_MAX) {
            merge();
            at = (nowNanos - startNanos) / widthNanos;
        }
        while (slices.size() <= at) {
            Slice next = new Slice();
            next.inFlight = inFlight;
            next.inFlightMax = inFlight;
            slices.add(next);
        }
        Slice slice = slices.get((int) at);
        for (int i = 0; i < seen.length; i++) {
            long sum = counters.getOrDefault(COUNTED.get(i).wire(), 0L);
            // A node that another one replaced took its sums along.
            slice.increases[i] += Math.max(0, sum - seen[i]);
            seen[i] = sum;
        }
        slice.inFlight = inFlight;
        slice.inFlightMax = Math.max(slice.inFlightMax, inFlight);
        slice.latency = slice.latency.plus(latency.growth(series));
        slice.ttft = slice.ttft.plus(ttft.growth(series));
    }

    private void merge() {
        for (int i = 0; i < slices.size(); i += 2) {
            Slice pair = slices.get(i);
            if (i + 1 < slices.size()) {
                pair.add(slices.get(i + 1));
            }
            slices.set(i / 2, pair);
        }
        slices.subList((slices.size() + 1) / 2, slices.size()).clear();
        widthNanos *= 2;
    }

    /** The slices so far. */
    Slices slices() {
        List<Slices.Column> columns = new ArrayList<>();
        if (slices.isEmpty()) {
            return new Slices(0, widthNanos, outside, columns);
        }
        for (int i = 0; i < seen.length; i++) {
            int column = i;
            columns.add(new Slices.Column(
                    COUNTED_COLUMNS[i],
                    slices.stream().mapToLong(each -> each.increases[column]).toArray()));
        }
        columns.add(new Slices.Column(
                "in_flight", slices.stream().mapToLong(each -> each.inFlight).toArray()));
        columns.add(new Slices.Column(
                "in_flight_max",
                slices.stream().mapToLong(each -> each.inFlightMax).toArray()));
        add(
                columns,
                "latency",
                latency,
                slices.stream().map(each -> each.latency).toList());
        if (slices.stream().anyMatch(each -> each.ttft != SliceCounts.NONE)) {
            add(columns, "ttft", ttft, slices.stream().map(each -> each.ttft).toList());
        }
        return new Slices(startNanos, widthNanos, outside, columns);
    }

    private static void add(
            List<Slices.Column> columns, String name, SliceHistograms histograms, List<SliceCounts> perSlice) {
        HdrGrid grid = histograms.grid();
        long[][] values = new long[SUFFIXES.length][perSlice.size()];
        for (long[] each : values) {
            Arrays.fill(each, Slices.NOT_MEASURED);
        }
        for (int i = 0; i < perSlice.size() && grid != null; i++) {
            if (perSlice.get(i) != SliceCounts.NONE) {
                double[] found = perSlice.get(i).percentiles(PERCENTILES, grid, histograms.min, histograms.max);
                for (int p = 0; p < PERCENTILES.length; p++) {
                    values[p][i] = Math.round(found[p]);
                }
            }
        }
        for (int i = 0; i < SUFFIXES.length; i++) {
            columns.add(new Slices.Column(name + SUFFIXES[i], values[i]));
        }
    }

    /** The growth of the histogram of durations. */
    private static final class SliceHistograms {
        private final SuccessSeries durations;
        private final boolean ofSuccesses;
        private long[] seen = {};
        private @Nullable HdrGrid grid;
        /** The extremes of the run. */
        private double min;

        private double max;

        /**
         * No growth yet.
         *
         * @param successes whether to leave failed samples out; what becomes of a sample is unknown at its first chunk
         */
        SliceHistograms(SuccessSeries durations, boolean successes) {
            this.durations = durations;
            this.ofSuccesses = successes;
        }

        @Nullable
        HdrGrid grid() {
            return grid;
        }

        void joined(NodeFrame first) {
            SeriesPart successes = ofSuccesses ? first.successes(durations) : null;
            SeriesPart part = successes != null
                    ? successes
                    : first.series().get(durations.all().wire());
            HdrCounts counts = part == null ? null : part.counts();
            if (counts != null) {
                seen = seen.length < counts.grid().length()
                        ? Arrays.copyOf(seen, counts.grid().length())
                        : seen;
                counts.forEach((index, count) -> seen[index] += count);
            }
        }

        SliceCounts growth(Map<String, SeriesAdder> all) {
            SeriesAdder successes = ofSuccesses ? all.get(durations.succeeded().wire()) : null;
            SeriesAdder sum = successes != null && successes.hasParts()
                    ? successes
                    : all.get(durations.all().wire());
            HdrSum histogram = sum == null ? null : sum.histogram();
            if (sum == null || histogram == null) {
                return SliceCounts.NONE;
            }
            grid = histogram.grid();
            min = sum.min();
            max = sum.max();
            int length = histogram.grid().length();
            seen = seen.length < length ? Arrays.copyOf(seen, length) : seen;
            SliceCounts.Builder growth = new SliceCounts.Builder();
            for (int i = 0; i < histogram.used(); i++) {
                long now = histogram.at(i);
                if (now != seen[i]) {
                    growth.add(i, now - seen[i]);
                    seen[i] = now;
                }
            }
            return growth.build();
        }
    }
}
