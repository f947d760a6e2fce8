package io.metricsaggregator.telemetry.transfer;

import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Transfers of a span of time: an interval, or the run. */
final class TransferStats {
    /** Sources told apart; the rest share one. */
    static final int SOURCES_MAX = TelemetryLimits.TRANSFER_SOURCES_MAX;
    /** Transfers kept as those that took longest. */
    static final int SLOWEST_MAX = 10;

    private static final int NAMES_MAX = 64;
    private static final double MIB = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int sourceSpansMax;
    private final Allowance allowance;
    private final InterpolatedStatistics xferMicros;
    private final InterpolatedStatistics postMicros;
    private final InterpolatedStatistics bytes;
    private final InterpolatedStatistics descriptors;
    private final InterpolatedStatistics rates;
    private final BusyTime busy = new BusyTime(InterpolatedStatistics.KEPT_MAX);
    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private final PriorityQueue<Slow> slowest = new PriorityQueue<>(Comparator.comparingDouble(Slow::micros));
    private final Map<String, Long> reasons = new LinkedHashMap<>();
    private final Map<String, Long> unknownLists = new LinkedHashMap<>();
    private boolean anyWithoutWall;
    private boolean anyWithoutEnd;
    private long ok;
    private long untimed;
    private long failed;
    private long notifyFailed;
    private long handshakeFailed;
    private long expired;
    private long bytesTotal;
    private double timedBytes;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /** A transfer that took long: which it was. */
    private record Slow(double micros, long bytes, long endNanos, String source, String request, String peer) {}

    /** One source's part. */
    private static final class Source {
        private final BusyTime busy;
        private long ok;
        private long bytes;
        private long failures;
        private long expired;

        Source(int spansMax) {
            busy = new BusyTime(spansMax);
        }
    }

    /** Of a span in which nothing has been transferred. */
    TransferStats(int sourceSpansMax, Allowance allowance) {
        this.sourceSpansMax = sourceSpansMax;
        this.allowance = allowance;
        xferMicros = values();
        postMicros = values();
        bytes = values();
        descriptors = values();
        rates = values();
    }

    private InterpolatedStatistics values() {
        return new InterpolatedStatistics(InterpolatedStatistics.KEPT_MAX, allowance);
    }

    /** Gives the memory of its values back; it is not used any more. */
    void release() {
        List.of(xferMicros, postMicros, bytes, descriptors, rates).forEach(InterpolatedStatistics::release);
    }

    private Source source(TelemetryRecord observation) {
        String name = observation.source();
        Source known = sources.get(name);
        if (known == null) {
            String own = sources.size() < SOURCES_MAX ? name : "other";
            known = sources.computeIfAbsent(own, each -> new Source(sourceSpansMax));
        }
        nodes.add(nodes.size() < SOURCES_MAX ? observation.node() : "");
        anyWithoutWall |= observation.wallNanos() == null;
        return known;
    }

    /**
     * A transfer is done.
     *
     * @param xfer µs; null if its time is not known
     * @param post µs; null if it is not known
     * @param endKnown whether the observation came when the transfer ended
     */
    void complete(
            TelemetryRecord observation,
            @Nullable Double xfer,
            @Nullable Double post,
            long size,
            long count,
            boolean endKnown) {
        Source source = source(observation);
        ok++;
        source.ok++;
        bytesTotal = TimestampMath.saturatedAdd(bytesTotal, size);
        source.bytes = TimestampMath.saturatedAdd(source.bytes, size);
        bytes.add((double) size);
        descriptors.add((double) count);
        if (post != null) {
            postMicros.add(post);
        }
        if (xfer == null) {
            untimed++;
            return;
        }
        timedBytes += size;
        slow(observation, xfer, size);
        xferMicros.add(xfer);
        if (xfer > 0) {
            rates.add(size / MIB / (xfer / 1e6));
        }
        if (!endKnown) {
            anyWithoutEnd = true;
            return;
        }
        long end = observation.orderNanos();
        long start = end - Math.round(xfer * 1e3);
        first = Math.min(first, start);
        last = Math.max(last, end);
        busy.add(start, end);
        source.busy.add(start, end);
    }

    private void slow(TelemetryRecord observation, double xfer, long size) {
        Slow least = slowest.size() < SLOWEST_MAX ? null : slowest.peek();
        if (least != null && least.micros >= xfer) {
            return;
        }
        if (least != null) {
            slowest.poll();
        }
        slowest.add(new Slow(
                xfer,
                size,
                observation.orderNanos(),
                observation.source(),
                text(observation, "request_id"),
                text(observation, "peer_id")));
    }

    private static String text(TelemetryRecord observation, String key) {
        String text = observation.text(key);
        return text == null
                ? ""
                : text.length() > TelemetryRecord.NAME_MAX_CHARS
                        ? text.substring(0, TelemetryRecord.NAME_MAX_CHARS)
                        : text;
    }

    /** A list of an aggregated object that nobody here knows: upstream adds some every month. */
    void unknownList(String key, long size) {
        if (unknownLists.containsKey(key) || unknownLists.size() < NAMES_MAX) {
            unknownLists.merge(key, size, TimestampMath::saturatedAdd);
        }
    }

    void failed(TelemetryRecord observation, long count) {
        ofSource(observation, count);
        failed = TimestampMath.saturatedAdd(failed, count);
    }

    void notifyFailed(TelemetryRecord observation, long count) {
        ofSource(observation, count);
        notifyFailed = TimestampMath.saturatedAdd(notifyFailed, count);
    }

    void handshakeFailed(TelemetryRecord observation, long count) {
        ofSource(observation, count);
        handshakeFailed = TimestampMath.saturatedAdd(handshakeFailed, count);
    }

    void expired(TelemetryRecord observation, long count) {
        Source source = source(observation);
        source.expired = TimestampMath.saturatedAdd(source.expired, count);
        expired = TimestampMath.saturatedAdd(expired, count);
    }

    private void ofSource(TelemetryRecord observation, long failures) {
        Source source = source(observation);
        source.failures = TimestampMath.saturatedAdd(source.failures, failures);
        String reason = text(observation, "reason");
        if (!reason.isEmpty()) {
            boolean room = reasons.containsKey(reason) || reasons.size() < NAMES_MAX;
            reasons.merge(room ? reason : "other", failures, TimestampMath::saturatedAdd);
        }
    }

    boolean isEmpty() {
        return ok == 0 && transportFailures() == 0 && expired == 0;
    }

    long ok() {
        return ok;
    }

    long transportFailures() {
        return TimestampMath.saturatedAdd(TimestampMath.saturatedAdd(failed, notifyFailed), handshakeFailed);
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

    InterpolatedStatistics xferMicros() {
        return xferMicros;
    }

    InterpolatedStatistics postMicros() {
        return postMicros;
    }

    /** Bytes of transfers whose time is known. */
    double timedBytes() {
        return timedBytes;
    }

    InterpolatedStatistics bytes() {
        return bytes;
    }

    InterpolatedStatistics descriptors() {
        return descriptors;
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
        double tried = (double) ok + failed + handshakeFailed;
        tree.put("success_ratio", tried == 0 ? null : ok / tried);
        tree.put("bytes_total", bytesTotal);
        tree.put("mib_total", bytesTotal / MIB);
        tree.put("percentile_method", bytes.method());
        tree.put("spans_late", busy.late());
        tree.put("xfer_ms", xferMicros.over(1e3).statistics());
        tree.put("post_ms", postMicros.over(1e3).statistics());
        tree.put("mib_per_transfer", bytes.over(MIB).statistics());
        tree.put("descriptors", descriptors.statistics());
        rates(tree, intervalSeconds);
        Map<String, @Nullable Object> bySource = new LinkedHashMap<>();
        sources.forEach((name, source) -> {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("n_ok", source.ok);
            one.put("bytes_total", source.bytes);
            one.put("n_transport_failures", source.failures);
            one.put("n_kv_expired", source.expired);
            one.put("busy_union_s", source.busy.known().nanos() / NANOS_PER_SECOND);
            bySource.put(name, one);
        });
        tree.put("by_source", bySource);
        tree.put("failure_reasons", new LinkedHashMap<>(reasons));
        tree.put("unknown_lists", new LinkedHashMap<>(unknownLists));
        tree.put("slowest", slowest());
        return tree;
    }

    private List<Object> slowest() {
        List<Slow> sorted = new ArrayList<>(slowest);
        sorted.sort(Comparator.comparingDouble(Slow::micros).reversed());
        List<Object> rows = new ArrayList<>();
        for (Slow each : sorted) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("xfer_ms", each.micros / 1e3);
            row.put("bytes", each.bytes);
            row.put("end_ns", each.endNanos);
            row.put("source_id", each.source);
            row.put("request_id", each.request.isEmpty() ? null : each.request);
            row.put("peer_id", each.peer.isEmpty() ? null : each.peer);
            rows.add(row);
        }
        return rows;
    }

    private void rates(Map<String, @Nullable Object> tree, double intervalSeconds) {
        // Clocks of several hosts can be compared only where records tell the wall clock.
        boolean oneClock = !anyWithoutEnd && (nodes.size() <= 1 || !anyWithoutWall);
        BusyTime.Known known = busy.known();
        double sum = xferMicros.sum() / 1e6;
        double mib = timedBytes / MIB;
        double span = last < first ? 0 : TimestampMath.saturatedBetween(first, last) / NANOS_PER_SECOND;
        double union = known.nanos() / NANOS_PER_SECOND;
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
        throughput.put("interval", intervalSeconds == 0 ? null : bytesTotal / MIB / intervalSeconds);
        throughput.put("mean_of_rates", rates.count() == 0 ? null : rates.mean());
        tree.put("throughput_mib_s", throughput);
        Map<String, @Nullable Object> concurrency = new LinkedHashMap<>();
        concurrency.put("mean_while_busy", !oneClock || union == 0 ? null : sum / union);
        concurrency.put("peak", oneClock ? (Object) (long) known.peak() : null);
        tree.put("concurrency", concurrency);
    }
}
