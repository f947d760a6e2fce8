package io.metricsaggregator.simulation.life;

import io.metricsaggregator.catalogue.CounterGroup;
import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesDetail;
import io.metricsaggregator.snapshot.SeriesMetric;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.zip.InflaterInputStream;

/** What a fleet must show: the sums over the last snapshot of each run, added up without the fleet's code. */
final class FleetSums {
    /** Of HdrHistogram's encoding V2, which the counts follow; one more for what is deflated. */
    private static final int COOKIE = 0x1c849303 | 0x10;

    private static final int HEAD_BYTES = 40;

    private final Verdicts verdicts;
    private final Map<String, MetricsSnapshot> latest = new LinkedHashMap<>();
    /** The buckets of the series in them, which are compared with many snapshots of the fleet. */
    private final IdentityHashMap<SeriesMetric, Map<Integer, Long>> buckets = new IdentityHashMap<>();

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
        Map<Integer, Long> added = new TreeMap<>();
        parts.forEach(each -> buckets.computeIfAbsent(each, FleetSums::buckets)
                .forEach((bucket, some) -> added.merge(bucket, some, Long::sum)));
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

    /** The counts of a series by the number of the bucket, read without HdrHistogram, which walks through all buckets. */
    private static Map<Integer, Long> buckets(SeriesMetric series) {
        Map<Integer, Long> into = new TreeMap<>();
        SeriesDetail detail = series.detail();
        byte[] hdr = detail == null ? null : detail.hdr();
        if (hdr == null) {
            return into;
        }
        ByteBuffer encoded = inflated(hdr, series.name());
        int bucket = 0;
        for (encoded.position(HEAD_BYTES); encoded.hasRemaining(); ) {
            long count = signed(encoded);
            if (count < 0) {
                bucket -= (int) count;
            } else {
                into.merge(bucket++, count, Long::sum);
            }
        }
        into.values().removeIf(count -> count == 0);
        return into;
    }

    private static ByteBuffer inflated(byte[] hdr, String name) {
        ByteBuffer outer = ByteBuffer.wrap(hdr);
        int cookie = outer.getInt();
        int length = outer.getInt();
        try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(hdr, outer.position(), length))) {
            ByteBuffer inner = ByteBuffer.wrap(in.readAllBytes());
            if (cookie != COOKIE + 1 || inner.getInt() != COOKIE || inner.getInt() != inner.capacity() - HEAD_BYTES) {
                throw new IllegalStateException("the histogram of " + name + " has no head of version 2");
            }
            return inner;
        } catch (IOException e) {
            throw new IllegalStateException("the histogram of " + name + " cannot be read", e);
        }
    }

    /** A number in zigzag LEB128, of nine bytes at most. */
    private static long signed(ByteBuffer encoded) {
        long bits = 0;
        for (int shift = 0; ; shift += 7) {
            long next = encoded.get() & 0xff;
            if (shift == 56 || next < 0x80) {
                bits |= next << shift;
                return (bits >>> 1) ^ -(bits & 1);
            }
            bits |= (next & 0x7f) << shift;
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
