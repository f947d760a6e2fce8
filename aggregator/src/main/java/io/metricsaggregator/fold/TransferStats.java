package io.metricsaggregator.fold;

import io.metricsaggregator.event.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Transfers of a span of time: an interval, or the run. Values are kept up to a bound; beyond it counts and sums go on, and it says so. */
final class TransferStats {
    /** Transfers whose values are kept. */
    static final int KEPT_MAX = 65_536;
    /** Sources told apart; the rest share one. */
    static final int SOURCES_MAX = 256;

    private static final double MIB = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Linear xferMicros = new Linear();
    private final Linear postMicros = new Linear();
    private final Linear bytes = new Linear();
    private final Linear descriptors = new Linear();
    private final Linear rates = new Linear();
    private final List<long[]> spans = new ArrayList<>();
    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private boolean anyWithoutWall;
    private boolean anyWithoutEnd;
    private long ok;
    private long untimed;
    private long failed;
    private long notifyFailed;
    private long handshakeFailed;
    private long expired;
    private long bytesTotal;
    private long notKept;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /** One source's part. */
    private static final class Source {
        private final List<long[]> spans = new ArrayList<>();
        private long ok;
        private long bytes;
        private long failures;
        private long expired;
    }

    private Source source(Observation observation) {
        String name = observation.source();
        Source known = sources.get(name);
        if (known == null) {
            String own = sources.size() < SOURCES_MAX ? name : "other";
            known = sources.computeIfAbsent(own, each -> new Source());
        }
        nodes.add(nodes.size() < SOURCES_MAX ? observation.node() : "");
        anyWithoutWall |= observation.wallNanos() == null;
        return known;
    }

    /**
     * A transfer is done.
     *
     * @param xfer µs; null if its time is not known
     * @param post µs, if {@code xfer} is known
     * @param endKnown whether the observation came when the transfer ended
     */
    void complete(
            Observation observation, @Nullable Double xfer, double post, long size, long count, boolean endKnown) {
        Source source = source(observation);
        ok++;
        source.ok++;
        bytesTotal = Durations.saturatedAdd(bytesTotal, size);
        source.bytes = Durations.saturatedAdd(source.bytes, size);
        if (bytes.size() >= KEPT_MAX) {
            notKept++;
            return;
        }
        bytes.add((double) size);
        descriptors.add((double) count);
        if (xfer == null) {
            untimed++;
            return;
        }
        xferMicros.add(xfer);
        postMicros.add(post);
        if (xfer > 0) {
            rates.add(size / MIB / (xfer / 1e6));
        }
        if (!endKnown) {
            anyWithoutEnd = true;
            return;
        }
        long end = observation.orderNanos();
        long[] span = {end - Math.round(xfer * 1e3), end};
        first = Math.min(first, span[0]);
        last = Math.max(last, span[1]);
        if (span[1] > span[0]) {
            // What took no time keeps nothing busy.
            spans.add(span);
            source.spans.add(span);
        }
    }

    void failed(Observation observation, long count) {
        source(observation).failures += count;
        failed += count;
    }

    void notifyFailed(Observation observation, long count) {
        source(observation).failures += count;
        notifyFailed += count;
    }

    void handshakeFailed(Observation observation, long count) {
        source(observation).failures += count;
        handshakeFailed += count;
    }

    void expired(Observation observation, long count) {
        source(observation).expired += count;
        expired += count;
    }

    boolean isEmpty() {
        return ok + failed + notifyFailed + handshakeFailed + expired == 0;
    }

    long ok() {
        return ok;
    }

    long transportFailures() {
        return failed + notifyFailed + handshakeFailed;
    }

    long expired() {
        return expired;
    }

    long failedAlone() {
        return failed;
    }

    long notificationsFailed() {
        return notifyFailed;
    }

    Linear xferMicros() {
        return xferMicros;
    }

    Linear postMicros() {
        return postMicros;
    }

    Linear bytes() {
        return bytes;
    }

    Linear descriptors() {
        return descriptors;
    }

    /** Time covered by spans [start, end), and the most of them at a time. */
    private record Busy(long nanos, int peak) {
        static Busy of(List<long[]> spans) {
            long[] starts = spans.stream().mapToLong(each -> each[0]).sorted().toArray();
            long[] ends = spans.stream().mapToLong(each -> each[1]).sorted().toArray();
            long nanos = 0;
            int open = 0;
            int peak = 0;
            long since = 0;
            int e = 0;
            for (long start : starts) {
                for (; e < ends.length && ends[e] <= start; e++) {
                    if (--open == 0) {
                        nanos += ends[e] - since;
                    }
                }
                if (open++ == 0) {
                    since = start;
                }
                peak = Math.max(peak, open);
            }
            return new Busy(starts.length == 0 ? 0 : nanos + ends[ends.length - 1] - since, peak);
        }
    }

    /**
     * What is known.
     *
     * @param intervalSeconds how long it was looked at
     */
    Map<String, @Nullable Object> freeze(double intervalSeconds) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("n_ok", ok);
        tree.put("n_failed", failed);
        tree.put("n_notify_failed", notifyFailed);
        tree.put("n_handshake_failed", handshakeFailed);
        tree.put("n_transport_failures", transportFailures());
        tree.put("n_kv_expired", expired);
        tree.put("n_untimed", untimed);
        long tried = ok + failed + handshakeFailed;
        tree.put("success_ratio", tried == 0 ? null : (double) ok / tried);
        tree.put("bytes_total", bytesTotal);
        tree.put("mib_total", bytesTotal / MIB);
        tree.put("percentile_method", "linear");
        tree.put("values_not_kept", notKept);
        tree.put("xfer_ms", xferMicros.times(1e-3).statistics());
        tree.put("post_ms", postMicros.times(1e-3).statistics());
        tree.put("mib_per_transfer", bytes.times(1 / MIB).statistics());
        tree.put("descriptors", descriptors.statistics());
        rates(tree, intervalSeconds);
        Map<String, @Nullable Object> bySource = new LinkedHashMap<>();
        sources.forEach((name, source) -> {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("n_ok", source.ok);
            one.put("bytes_total", source.bytes);
            one.put("n_transport_failures", source.failures);
            one.put("n_kv_expired", source.expired);
            one.put("busy_union_s", Busy.of(source.spans).nanos() / NANOS_PER_SECOND);
            bySource.put(name, one);
        });
        tree.put("by_source", bySource);
        return tree;
    }

    private void rates(Map<String, @Nullable Object> tree, double intervalSeconds) {
        // Clocks of several hosts can be compared only where records tell the wall clock.
        boolean oneClock = !anyWithoutEnd && (nodes.size() <= 1 || !anyWithoutWall);
        Busy busy = Busy.of(spans);
        double sum = xferMicros.sum() / 1e6;
        double mib = bytesTotal / MIB;
        double span = last < first ? 0 : (last - first) / NANOS_PER_SECOND;
        double union = busy.nanos() / NANOS_PER_SECOND;
        Map<String, @Nullable Object> time = new LinkedHashMap<>();
        time.put("sum_of_durations", sum);
        time.put("busy_union", oneClock ? union : null);
        time.put("span", oneClock ? span : null);
        time.put("interval", intervalSeconds);
        tree.put("time_s", time);
        Map<String, @Nullable Object> throughput = new LinkedHashMap<>();
        throughput.put("per_transfer_pooled", sum == 0 ? null : mib / sum);
        throughput.put("busy", !oneClock || union == 0 ? null : mib / union);
        throughput.put("span", !oneClock || span == 0 ? null : mib / span);
        throughput.put("interval", intervalSeconds == 0 ? null : mib / intervalSeconds);
        throughput.put("mean_of_rates", rates.size() == 0 ? null : rates.mean());
        tree.put("throughput_mib_s", throughput);
        Map<String, @Nullable Object> concurrency = new LinkedHashMap<>();
        concurrency.put("mean_while_busy", !oneClock || union == 0 ? null : sum / union);
        concurrency.put("peak", oneClock ? (Object) (long) busy.peak() : null);
        tree.put("concurrency", concurrency);
    }

    /** How many values are at or below each edge. */
    static Map<String, Object> buckets(Linear values, double factor, double[] edges) {
        Map<String, Object> counts = new LinkedHashMap<>();
        long[] sums = new long[edges.length];
        double total = 0;
        for (int i = 0; i < values.size(); i++) {
            double value = values.get(i) / factor;
            total += value;
            int at = Arrays.binarySearch(edges, value);
            for (int j = at >= 0 ? at : -at - 1; j < edges.length; j++) {
                sums[j]++;
            }
        }
        Map<String, Object> le = new LinkedHashMap<>();
        for (int i = 0; i < edges.length; i++) {
            le.put(Double.toString(edges[i]), sums[i]);
        }
        le.put("+Inf", (long) values.size());
        counts.put("buckets_le", le);
        counts.put("sum", total);
        counts.put("count", (long) values.size());
        return counts;
    }
}
