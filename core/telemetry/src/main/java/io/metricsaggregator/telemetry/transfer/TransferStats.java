package io.metricsaggregator.telemetry.transfer;

import io.metricsaggregator.event.TimestampMath;
import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.TransferFigures;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import io.metricsaggregator.telemetry.statistics.InterpolatedStatistics;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Statistics of the transfers in a span of time: an interval or the run. Belongs to the thread that applies events. */
final class TransferStats {
    /** Sources with a row of their own; further ones share {@code other}. */
    static final int SOURCES_MAX = TelemetryLimits.TRANSFER_SOURCES_MAX;
    /** Number of slowest transfers that are kept. */
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
    /** Not by {@link Comparator#comparingDouble}, whose class is in no archive and would be made at each start. */
    private final PriorityQueue<Slow> slowest = new PriorityQueue<>((a, b) -> Double.compare(a.micros(), b.micros()));

    private final Map<String, Long> reasons = new LinkedHashMap<>();
    private final Map<String, Long> unknownLists = new LinkedHashMap<>();
    private boolean anyWithoutWall;
    private boolean anyWithoutEnd;
    private long ok;
    private long untimed;
    private long failed;
    private long notifyFailed;
    private long handshakeFailed;
    private long receiveFailed;
    private boolean receivesCounted;
    private long notifiedAfterExpiry;
    private long expired;
    private long bytesTotal;
    private double timedBytes;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /** One of the slowest transfers. */
    private record Slow(double micros, long bytes, long endNanos, String source, String request, String peer) {}

    /** Transfers of one source. */
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

    /** Statistics without transfers. */
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

    /** Returns the memory of the values to the allowance. The object must not be used afterwards. */
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
     * Adds a transfer that succeeded.
     *
     * @param xfer transfer time in µs; null if it was not reported
     * @param post time to post it in µs; null if it was not reported
     * @param size bytes
     * @param count descriptors
     * @param endKnown whether the record was sent when the transfer ended
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

    /** Counts the elements of a list that this version does not know: new versions of vLLM add lists. */
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

    /** Counts failed receives, which only Mooncake's connector reports: its log line differs from NIXL's. */
    void receiveFailed(TelemetryRecord observation, long count) {
        ofSource(observation, count);
        receivesCounted = true;
        receiveFailed = TimestampMath.saturatedAdd(receiveFailed, count);
    }

    void notifiedAfterExpiry(TelemetryRecord observation, long count) {
        source(observation);
        notifiedAfterExpiry = TimestampMath.saturatedAdd(notifiedAfterExpiry, count);
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
        return ok == 0 && transportFailures() == 0 && expired == 0 && notifiedAfterExpiry == 0;
    }

    long ok() {
        return ok;
    }

    long transportFailures() {
        return TimestampMath.saturatedAdd(
                TimestampMath.saturatedAdd(failed, notifyFailed),
                TimestampMath.saturatedAdd(handshakeFailed, receiveFailed));
    }

    /** Failed receives; null if no record counts them. */
    @Nullable
    Long receivesFailed() {
        return receivesCounted ? (Long) receiveFailed : null;
    }

    long notifiedAfterExpiry() {
        return notifiedAfterExpiry;
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

    /** Bytes of the transfers that reported their time. */
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
     * The figures of the transfers so far, as a copy.
     *
     * @param intervalSeconds length of the span of time that they cover
     */
    TransferFigures snapshot(double intervalSeconds) {
        double tried = (double) ok + failed + handshakeFailed + receiveFailed;
        // Clocks of several hosts can be compared only where every record has a wall time.
        boolean oneClock = !anyWithoutEnd && (nodes.size() <= 1 || !anyWithoutWall);
        BusyTime.Total total = busy.total();
        double sum = xferMicros.sum() / 1e6;
        double union = total.nanos() / NANOS_PER_SECOND;
        double span = last < first ? 0 : TimestampMath.saturatedBetween(first, last) / NANOS_PER_SECOND;
        return new TransferFigures(
                new TransferFigures.Counts(
                        ok,
                        failed,
                        notifyFailed,
                        handshakeFailed,
                        receiveFailed,
                        transportFailures(),
                        expired,
                        notifiedAfterExpiry,
                        untimed),
                tried == 0 ? null : (Double) (ok / tried),
                bytesTotal,
                bytes.method(),
                busy.late(),
                xferMicros.over(1e3).summary(),
                postMicros.over(1e3).summary(),
                bytes.over(MIB).summary(),
                descriptors.summary(),
                new TransferFigures.Times(
                        sum, oneClock ? (Double) union : null, oneClock ? (Double) span : null, intervalSeconds),
                throughput(sum, oneClock ? union : 0, oneClock ? span : 0, intervalSeconds),
                new TransferFigures.Concurrency(
                        !oneClock || union == 0 ? null : (Double) (sum / union),
                        oneClock ? (Long) (long) total.peak() : null),
                bySource(),
                new LinkedHashMap<>(reasons),
                new LinkedHashMap<>(unknownLists),
                slowest());
    }

    private Map<String, TransferFigures.Source> bySource() {
        Map<String, TransferFigures.Source> bySource = new LinkedHashMap<>();
        sources.forEach((name, source) -> bySource.put(
                name,
                new TransferFigures.Source(
                        source.ok,
                        source.bytes,
                        source.failures,
                        source.expired,
                        source.busy.total().nanos() / NANOS_PER_SECOND)));
        return bySource;
    }

    private List<TransferFigures.Slow> slowest() {
        return slowest.stream()
                .sorted(Comparator.comparingDouble(Slow::micros).reversed())
                .map(each -> new TransferFigures.Slow(
                        each.micros / 1e3,
                        each.bytes,
                        each.endNanos,
                        each.source,
                        each.request.isEmpty() ? null : each.request,
                        each.peer.isEmpty() ? null : each.peer))
                .toList();
    }

    /** Throughput by several definitions; times are in seconds, 0 for an unknown one. */
    private TransferFigures.Throughput throughput(double sum, double union, double span, double interval) {
        double mib = timedBytes / MIB;
        return new TransferFigures.Throughput(
                sum == 0 ? null : (Double) (mib / sum),
                union == 0 ? null : (Double) (mib / union),
                span == 0 ? null : (Double) (mib / span),
                interval == 0 ? null : (Double) (bytesTotal / MIB / interval),
                rates.count() == 0 ? null : (Double) rates.mean());
    }
}
