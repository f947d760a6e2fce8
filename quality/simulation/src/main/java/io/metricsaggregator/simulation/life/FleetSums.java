package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterGroup;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** What a fleet must show: the sums over the last snapshot of each run, added up without the fleet's code. */
final class FleetSums {
    private final Verdicts verdicts;
    private final Map<String, MetricsSnapshot> latest = new LinkedHashMap<>();
    /** The buckets of the series in them, which are compared with many snapshots of the fleet. */
    private final IdentityHashMap<SeriesMetric, Map<Long, Long>> buckets = new IdentityHashMap<>();

    FleetSums(Verdicts verdicts) {
        this.verdicts = verdicts;
    }

    /** The fleet has received a snapshot: of a run that has ended nothing counts any more, and of others what was made last. */
    void take(MetricsSnapshot snapshot) {
        MetricsSnapshot before = latest.get(Snapshots.runId(snapshot));
        boolean news = before == null
                || (!before.state().isTerminal()
                        && (snapshot.timestampNanos() > before.timestampNanos()
                                || wallNanos(snapshot) > wallNanos(before)));
        if (news) {
            latest.put(Snapshots.runId(snapshot), snapshot);
            if (before != null) {
                before.series().forEach(buckets::remove);
            }
        }
    }

    private static long wallNanos(MetricsSnapshot snapshot) {
        return snapshot.extensions().run().wallNanos();
    }

    /** Compares counters and series of a snapshot of the fleet. */
    void compare(MetricsSnapshot sum, String where) {
        for (CounterGroup group : List.of(CounterGroup.SAMPLES, CounterGroup.LEDGER)) {
            for (CounterName name : CounterName.of(group)) {
                LongStream all = latest.values().stream().mapToLong(each -> each.counter(name));
                // Nodes measure at the same time: of durations the fleet shows the longest.
                long expected = name.wire().endsWith("duration_ns") ? all.max().orElse(0) : all.sum();
                equal(where, name.wire(), expected, sum.counter(name));
            }
        }
        TreeSet<String> names = new TreeSet<>();
        latest.values().forEach(each -> each.series().forEach(one -> names.add(one.name())));
        names.forEach(name -> compareSeries(sum, name, where));
    }

    private void compareSeries(MetricsSnapshot sum, String name, String where) {
        List<SeriesMetric> parts = new ArrayList<>();
        for (MetricsSnapshot each : latest.values()) {
            each.series().stream()
                    .filter(one -> one.name().equals(name) && one.count() > 0)
                    .forEach(parts::add);
        }
        SeriesMetric shown = sum.series().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElse(null);
        long count = parts.stream().mapToLong(SeriesMetric::count).sum();
        equal(where, "values of " + name, count, shown == null ? 0 : shown.count());
        if (shown == null || count == 0 || shown.count() != count) {
            return;
        }
        compareTotal(where, name, parts, shown.total());
        BigInteger min = parts.stream()
                .map(each -> whole(each.min()))
                .reduce(BigInteger::min)
                .orElseThrow();
        BigInteger max = parts.stream()
                .map(each -> whole(each.max()))
                .reduce(BigInteger::max)
                .orElseThrow();
        equal(where, "smallest of " + name, min, whole(shown.min()));
        equal(where, "largest of " + name, max, whole(shown.max()));
        Map<Long, Long> added = new TreeMap<>();
        parts.forEach(each -> buckets.computeIfAbsent(each, FleetSums::buckets)
                .forEach((value, some) -> added.merge(value, some, Long::sum)));
        equal(where, "buckets of " + name, added, buckets(shown));
    }

    /** Totals of whole numbers are exact; real ones are added in another order. */
    private void compareTotal(String where, String name, List<SeriesMetric> parts, Number shown) {
        if (shown instanceof Double) {
            double sum = parts.stream()
                    .mapToDouble(each -> each.total().doubleValue())
                    .sum();
            verdicts.require(
                    Math.abs(shown.doubleValue() - sum) <= Math.abs(sum) * 1e-12,
                    Invariant.FLEET_ADDS_UP,
                    () -> where + ": total of " + name + " is " + shown + ", " + latest.size() + " runs add up to "
                            + sum);
            return;
        }
        BigInteger total = parts.stream().map(each -> whole(each.total())).reduce(BigInteger.ZERO, BigInteger::add);
        equal(where, "total of " + name, total, whole(shown));
    }

    /** The counts of a series by the value of the bucket. */
    private static Map<Long, Long> buckets(SeriesMetric series) {
        Map<Long, Long> into = new TreeMap<>();
        SeriesDetail detail = series.detail();
        byte[] hdr = detail == null ? null : detail.hdr();
        if (hdr == null) {
            return into;
        }
        try {
            Histogram counts = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(hdr), 0);
            for (HistogramIterationValue each : counts.recordedValues()) {
                into.merge(each.getValueIteratedTo(), each.getCountAddedInThisIterationStep(), Long::sum);
            }
            return into;
        } catch (DataFormatException e) {
            throw new IllegalStateException("the histogram of " + series.name() + " cannot be read", e);
        }
    }

    private static BigInteger whole(Number number) {
        return number instanceof BigInteger big ? big : BigInteger.valueOf(number.longValue());
    }

    private void equal(String where, String what, Object expected, Object shown) {
        verdicts.require(
                expected.equals(shown),
                Invariant.FLEET_ADDS_UP,
                () -> where + ": " + what + " is " + shown + ", " + latest.size() + " runs add up to " + expected);
    }
}
