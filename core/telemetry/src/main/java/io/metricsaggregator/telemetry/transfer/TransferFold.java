package io.metricsaggregator.telemetry.transfer;

import io.metricsaggregator.event.frame.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.TransferSnapshot;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Folds KV-cache transfers between engines (vLLM's NIXL connector): those of the run, and those of the last interval of ten seconds, as the
 * connector's logger does. Belongs to the thread that applies events.
 */
public final class TransferFold implements TelemetryFold {
    static final double INTERVAL_SECONDS = 10;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Set<String> VALUES =
            Set.of("transfer_duration", "post_duration", "bytes_transferred", "num_descriptors");

    /** Counts failures of one sort in some statistics. */
    private interface Failure {
        void in(TransferStats stats, TelemetryRecord observation, long count);
    }

    /** Lists with one element for each failure. */
    private static final Map<String, Failure> COUNTS = Map.of(
            "num_failed_transfers", TransferStats::failed,
            "num_failed_notifications", TransferStats::notifyFailed,
            "num_failed_handshakes", TransferStats::handshakeFailed,
            "num_failed_recvs", TransferStats::receiveFailed,
            "num_kv_expired_reqs", TransferStats::expired,
            "num_notifications_after_expiry", TransferStats::notifiedAfterExpiry);

    private static final double[] XFER = {.005, .01, .025, .05, .075, .1, .2, .3, .5, .75, 1, 5};
    private static final double[] POST = {.001, .005, .01, .025, .05, .075, .1, .2, .3, .5, .75, 1, 5};
    private static final double[] DESCRIPTORS = {
        10, 20, 30, 50, 75, 100, 200, 400, 1000, 2000, 4000, 10_000, 20_000, 50_000
    };
    private static final double[] BYTES = new double[12];

    static {
        for (int i = 0; i < BYTES.length; i++) {
            BYTES[i] = Math.pow(2, 11 + 2.0 * i);
        }
    }

    private final int sourceSpansMax;
    private final Allowance allowance;
    private final TransferStats run;
    private final EdgeCounts xferSeconds = new EdgeCounts(XFER);
    private final EdgeCounts postSeconds = new EdgeCounts(POST);
    private final EdgeCounts bytesCounts = new EdgeCounts(BYTES);
    private final EdgeCounts descriptorCounts = new EdgeCounts(DESCRIPTORS);
    private TransferStats interval;
    private TransferSnapshot.@Nullable Span lastInterval;
    private long intervals;
    private double runSeconds;
    private long intervalStartNanos = Long.MIN_VALUE;
    private long nowNanos;
    private boolean any;

    /** A fold without transfers and without a limit of memory. */
    public TransferFold() {
        this(TelemetryLimits.ample(), Allowance.unlimited());
    }

    /** A fold without transfers, within limits of spans and bytes. */
    public TransferFold(TelemetryLimits limits, Allowance allowance) {
        this.sourceSpansMax = limits.transferSpans();
        this.allowance = allowance;
        this.run = new TransferStats(sourceSpansMax, allowance);
        this.interval = new TransferStats(sourceSpansMax, allowance);
    }

    @Override
    public List<String> categories() {
        return List.of("transfer");
    }

    @Override
    public void apply(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        switch (observation.action()) {
            case "complete" -> complete(observation);
            case "failed" -> counted(observation, TransferStats::failed);
            case "notify_failed" -> counted(observation, TransferStats::notifyFailed);
            case "handshake_failed" -> counted(observation, TransferStats::handshakeFailed);
            case "receive_failed" -> counted(observation, TransferStats::receiveFailed);
            case "kv_expired" -> counted(observation, TransferStats::expired);
            case "notified_after_expiry" -> counted(observation, TransferStats::notifiedAfterExpiry);
            case "stats" -> bulk(observation);
            default -> throw new TelemetryRecord.Rejected("unknown_type");
        }
        any = true;
    }

    private void counted(TelemetryRecord observation, Failure failure) throws TelemetryRecord.Rejected {
        long count = observation.count("count", 1);
        failure.in(run, observation, count);
        failure.in(interval, observation, count);
    }

    private void complete(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        // A transfer without its time is counted, and is in no statistic of times.
        boolean timed = observation.has("xfer_duration_us");
        Double xfer = timed ? (Double) observation.positive("xfer_duration_us") : null;
        Double post = observation.has("post_duration_us") ? (Double) observation.positive("post_duration_us") : null;
        long bytes = observation.count("total_bytes");
        long descriptors = observation.count("desc_count");
        complete(observation, xfer, post, bytes, descriptors, true);
    }

    private void complete(
            TelemetryRecord observation,
            @Nullable Double xfer,
            @Nullable Double post,
            long bytes,
            long descriptors,
            boolean endKnown) {
        run.complete(observation, xfer, post, bytes, descriptors, endKnown);
        interval.complete(observation, xfer, post, bytes, descriptors, endKnown);
        if (xfer != null) {
            xferSeconds.add(xfer / 1e6);
        }
        if (post != null) {
            postSeconds.add(post / 1e6);
        }
        bytesCounts.add((double) bytes);
        descriptorCounts.add((double) descriptors);
    }

    /**
     * Applies the object of lists of one of vLLM's connectors, in seconds, which lacks the times at which transfers ended. Connectors differ: only
     * NIXL's measures post times.
     */
    private void bulk(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        if (!(observation.fields().get("data") instanceof Map<?, ?> data)) {
            throw new TelemetryRecord.Rejected("missing_data");
        }
        List<?> xfer = list(data, "transfer_duration");
        List<?> post = list(data, "post_duration");
        List<?> bytes = list(data, "bytes_transferred");
        List<?> descriptors = list(data, "num_descriptors");
        boolean posted = data.get("post_duration") != null;
        boolean unequal = posted && xfer.size() != post.size();
        if (unequal || xfer.size() != bytes.size() || xfer.size() != descriptors.size()) {
            throw new TelemetryRecord.Rejected("lists_of_different_lengths");
        }
        // Every element is checked before any is applied, so that a malformed object changes nothing.
        for (int i = 0; i < xfer.size(); i++) {
            number(xfer.get(i));
            if (posted) {
                number(post.get(i));
            }
            integer(bytes.get(i));
            integer(descriptors.get(i));
        }
        Map<Failure, Long> counts = new LinkedHashMap<>();
        for (Map.Entry<String, Failure> each : COUNTS.entrySet()) {
            if (data.get(each.getKey()) != null) {
                counts.put(each.getValue(), (long) list(data, each.getKey()).size());
            }
        }
        for (int i = 0; i < xfer.size(); i++) {
            complete(
                    observation,
                    number(xfer.get(i)) * 1e6,
                    posted ? (Double) (number(post.get(i)) * 1e6) : null,
                    integer(bytes.get(i)),
                    integer(descriptors.get(i)),
                    false);
        }
        data.forEach((key, value) -> {
            if (value instanceof List<?> list && !VALUES.contains(key) && !COUNTS.containsKey(key)) {
                String name = String.valueOf(key);
                String cut = name.length() > 64 ? name.substring(0, 64) : name;
                run.unknownList(cut, list.size());
                interval.unknownList(cut, list.size());
            }
        });
        for (TransferStats each : List.of(run, interval)) {
            counts.forEach((failure, count) -> failure.in(each, observation, count));
        }
    }

    /** A list of the object; empty if it is missing, because versions of vLLM differ. */
    private static List<?> list(Map<?, ?> data, String key) throws TelemetryRecord.Rejected {
        Object value = data.get(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            throw new TelemetryRecord.Rejected("invalid_" + key);
        }
        return list;
    }

    /** A whole number from 0 to 2^63 − 1; a double without a fraction is accepted. */
    private static long integer(@Nullable Object value) throws TelemetryRecord.Rejected {
        if (value instanceof Long number && number >= 0) {
            return number;
        }
        double real = number(value);
        if (real != Math.rint(real) || real >= 0x1p63) {
            throw new TelemetryRecord.Rejected("invalid_list_element");
        }
        return (long) real;
    }

    private static double number(@Nullable Object value) throws TelemetryRecord.Rejected {
        if (value instanceof Number number && Double.isFinite(number.doubleValue()) && number.doubleValue() >= 0) {
            return number.doubleValue();
        }
        throw new TelemetryRecord.Rejected("invalid_list_element");
    }

    @Override
    public boolean isEmpty() {
        return !any;
    }

    @Override
    public void tick(long nowNanos) {
        this.nowNanos = nowNanos;
        if (intervalStartNanos == Long.MIN_VALUE) {
            intervalStartNanos = nowNanos;
        }
        double seconds = (nowNanos - intervalStartNanos) / NANOS_PER_SECOND;
        if (seconds >= INTERVAL_SECONDS) {
            closeInterval(seconds);
            intervalStartNanos = nowNanos;
        }
    }

    /** Ends the interval and starts the next. */
    void closeInterval(double seconds) {
        runSeconds += seconds;
        intervals++;
        lastInterval = span(interval, seconds, null);
        interval.release();
        interval = new TransferStats(sourceSpansMax, allowance);
    }

    private static TransferSnapshot.Span span(
            TransferStats stats, double seconds, TransferSnapshot.@Nullable Exposed exposed) {
        return new TransferSnapshot.Span(
                seconds,
                TransferCompat.of(stats, TransferCompat.Version.SEED),
                TransferCompat.of(stats, TransferCompat.Version.CURRENT),
                TransferCompat.of(stats, TransferCompat.Version.RELEASED),
                stats.snapshot(seconds),
                exposed);
    }

    @Override
    public TransferSnapshot snapshot(boolean terminal) {
        double open = intervalStartNanos == Long.MIN_VALUE ? 0 : (nowNanos - intervalStartNanos) / NANOS_PER_SECOND;
        TransferSnapshot.Exposed exposed = new TransferSnapshot.Exposed(
                xferSeconds.snapshot(),
                postSeconds.snapshot(),
                bytesCounts.snapshot(),
                descriptorCounts.snapshot(),
                run.failedAlone(),
                run.notificationsFailed(),
                run.expired(),
                run.notifiedAfterExpiry());
        return new TransferSnapshot(span(run, runSeconds + open, exposed), lastInterval, intervals);
    }
}
