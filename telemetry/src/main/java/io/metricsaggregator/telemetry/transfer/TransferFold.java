package io.metricsaggregator.telemetry.transfer;

import io.metricsaggregator.event.TelemetryRecord;
import io.metricsaggregator.snapshot.telemetry.TelemetryKind;
import io.metricsaggregator.snapshot.telemetry.TransferSnapshot;
import io.metricsaggregator.telemetry.fold.Allowance;
import io.metricsaggregator.telemetry.fold.FiniteTree;
import io.metricsaggregator.telemetry.fold.TelemetryFold;
import io.metricsaggregator.telemetry.fold.TelemetryLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Transfers of a KV cache between engines (vLLM's NIXL connector): of the run, and of the last interval of ten seconds, as its logger
 * has it.
 */
public final class TransferFold implements TelemetryFold {
    static final double INTERVAL_SECONDS = 10;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Set<String> LISTS = Set.of(
            "transfer_duration",
            "post_duration",
            "bytes_transferred",
            "num_descriptors",
            "num_failed_transfers",
            "num_failed_notifications",
            "num_kv_expired_reqs");
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
    private @Nullable Map<String, @Nullable Object> lastInterval;
    private long intervals;
    private double runSeconds;
    private long intervalStartNanos = Long.MIN_VALUE;
    private long nowNanos;
    private boolean any;

    /** No transfers, with memory for all. */
    public TransferFold() {
        this(TelemetryLimits.ample(), Allowance.unlimited());
    }

    /** No transfers. */
    public TransferFold(TelemetryLimits limits, Allowance allowance) {
        this.sourceSpansMax = limits.transferSpans();
        this.allowance = allowance;
        this.run = new TransferStats(sourceSpansMax, allowance);
        this.interval = new TransferStats(sourceSpansMax, allowance);
    }

    @Override
    public TelemetryKind kind() {
        return TelemetryKind.TRANSFER;
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
            case "kv_expired" -> counted(observation, TransferStats::expired);
            case "stats" -> bulk(observation);
            default -> throw new TelemetryRecord.Rejected("unknown_type");
        }
        any = true;
    }

    /** What goes wrong with a number of transfers at once. */
    private interface Failure {
        void in(TransferStats stats, TelemetryRecord observation, long count);
    }

    private void counted(TelemetryRecord observation, Failure failure) throws TelemetryRecord.Rejected {
        long count = observation.count("count", 1);
        failure.in(run, observation, count);
        failure.in(interval, observation, count);
    }

    private void complete(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        // Telemetry can be missing: the transfer counts, its time does not.
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

    /** An object of lists as vLLM keeps them, in seconds; without the times of single transfers. */
    private void bulk(TelemetryRecord observation) throws TelemetryRecord.Rejected {
        if (!(observation.fields().get("data") instanceof Map<?, ?> data)) {
            throw new TelemetryRecord.Rejected("missing_data");
        }
        List<?> xfer = list(data, "transfer_duration");
        List<?> post = list(data, "post_duration");
        List<?> bytes = list(data, "bytes_transferred");
        List<?> descriptors = list(data, "num_descriptors");
        if (xfer.size() != post.size() || xfer.size() != bytes.size() || xfer.size() != descriptors.size()) {
            throw new TelemetryRecord.Rejected("lists_of_different_lengths");
        }
        // All is read before anything is applied: the object counts whole, or not at all.
        for (int i = 0; i < xfer.size(); i++) {
            number(xfer.get(i));
            number(post.get(i));
            integer(bytes.get(i));
            integer(descriptors.get(i));
        }
        long failed = list(data, "num_failed_transfers").size();
        long notify = list(data, "num_failed_notifications").size();
        long expired = list(data, "num_kv_expired_reqs").size();
        for (int i = 0; i < xfer.size(); i++) {
            complete(
                    observation,
                    number(xfer.get(i)) * 1e6,
                    number(post.get(i)) * 1e6,
                    integer(bytes.get(i)),
                    integer(descriptors.get(i)),
                    false);
        }
        data.forEach((key, value) -> {
            if (value instanceof List<?> list && !LISTS.contains(key)) {
                String name = String.valueOf(key);
                String cut = name.length() > 64 ? name.substring(0, 64) : name;
                run.unknownList(cut, list.size());
                interval.unknownList(cut, list.size());
            }
        });
        for (TransferStats each : List.of(run, interval)) {
            each.failed(observation, failed);
            each.notifyFailed(observation, notify);
            each.expired(observation, expired);
        }
    }

    /** A list of the object; empty if it has none of that name, which a version of upstream may lack. */
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

    /** Bytes and descriptors are integers to the last digit; a whole real counts. */
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

    /** The interval ends, and another begins. */
    void closeInterval(double seconds) {
        runSeconds += seconds;
        intervals++;
        lastInterval = frozen(interval, seconds);
        interval.release();
        interval = new TransferStats(sourceSpansMax, allowance);
    }

    private static Map<String, @Nullable Object> frozen(TransferStats stats, double seconds) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("interval_s", seconds);
        Map<String, Object> seed = TransferCompat.of(stats, false);
        Map<String, Object> current = TransferCompat.of(stats, true);
        tree.put("compat_seed", seed);
        tree.put("compat_current", current);
        tree.put("line_seed", TransferCompat.line(seed));
        tree.put("line_current", TransferCompat.line(current));
        tree.put("ours", stats.freeze(seconds));
        return tree;
    }

    @Override
    public TransferSnapshot snapshot(boolean terminal) {
        return new TransferSnapshot(FiniteTree.of(freeze(terminal), terminal));
    }

    Map<String, @Nullable Object> freeze(boolean terminal) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        double open = intervalStartNanos == Long.MIN_VALUE ? 0 : (nowNanos - intervalStartNanos) / NANOS_PER_SECOND;
        Map<String, @Nullable Object> cumulative = frozen(run, runSeconds + open);
        Map<String, Object> prometheus = new LinkedHashMap<>();
        prometheus.put("vllm:nixl_xfer_time_seconds", xferSeconds.freeze());
        prometheus.put("vllm:nixl_post_time_seconds", postSeconds.freeze());
        prometheus.put("vllm:nixl_bytes_transferred", bytesCounts.freeze());
        prometheus.put("vllm:nixl_num_descriptors", descriptorCounts.freeze());
        prometheus.put("vllm:nixl_num_failed_transfers_total", run.failedAlone());
        prometheus.put("vllm:nixl_num_failed_notifications_total", run.notificationsFailed());
        prometheus.put("vllm:nixl_num_kv_expired_reqs_total", run.expired());
        cumulative.put("prometheus", prometheus);
        tree.put("cumulative", cumulative);
        tree.put("last_interval", lastInterval);
        tree.put("intervals", intervals);
        return tree;
    }
}
