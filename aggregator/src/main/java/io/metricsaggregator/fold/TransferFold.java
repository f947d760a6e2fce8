package io.metricsaggregator.fold;

import io.metricsaggregator.event.Observation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Transfers of a KV cache between engines (vLLM's NIXL connector): of the run, and of the last interval of ten seconds, as its logger
 * has it.
 */
final class TransferFold implements ObservationFold {
    static final double INTERVAL_SECONDS = 10;
    private static final double NANOS_PER_SECOND = 1e9;
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

    private final TransferStats run = new TransferStats();
    private TransferStats interval = new TransferStats();
    private @Nullable Map<String, @Nullable Object> lastInterval;
    private long intervals;
    private double runSeconds;
    private long intervalStartNanos = Long.MIN_VALUE;
    private boolean any;

    @Override
    public String category() {
        return "transfer";
    }

    @Override
    public void apply(Observation observation) throws Observation.Rejected {
        switch (observation.action()) {
            case "complete" -> complete(observation);
            case "failed" -> {
                long count = observation.count("count", 1);
                run.failed(observation, count);
                interval.failed(observation, count);
            }
            case "notify_failed" -> {
                long count = observation.count("count", 1);
                run.notifyFailed(observation, count);
                interval.notifyFailed(observation, count);
            }
            case "handshake_failed" -> {
                long count = observation.count("count", 1);
                run.handshakeFailed(observation, count);
                interval.handshakeFailed(observation, count);
            }
            case "kv_expired" -> {
                long count = observation.count("count", 1);
                run.expired(observation, count);
                interval.expired(observation, count);
            }
            case "stats" -> bulk(observation);
            default -> throw new Observation.Rejected("unknown_type");
        }
        any = true;
    }

    private void complete(Observation observation) throws Observation.Rejected {
        // Telemetry can be missing: the transfer counts, its time does not.
        boolean timed = observation.has("xfer_duration_us");
        Double xfer = timed ? (Double) observation.positive("xfer_duration_us") : null;
        double post = timed && observation.has("post_duration_us") ? observation.positive("post_duration_us") : 0;
        long bytes = observation.count("total_bytes");
        long descriptors = observation.count("desc_count");
        run.complete(observation, xfer, post, bytes, descriptors, true);
        interval.complete(observation, xfer, post, bytes, descriptors, true);
    }

    /** An object of lists as vLLM keeps them, in seconds; without the times of single transfers. */
    private void bulk(Observation observation) throws Observation.Rejected {
        if (!(observation.fields().get("data") instanceof Map<?, ?> data)) {
            throw new Observation.Rejected("missing_data");
        }
        List<?> xfer = list(data, "transfer_duration");
        List<?> post = list(data, "post_duration");
        List<?> bytes = list(data, "bytes_transferred");
        List<?> descriptors = list(data, "num_descriptors");
        if (xfer.size() != post.size() || xfer.size() != bytes.size() || xfer.size() != descriptors.size()) {
            throw new Observation.Rejected("lists_of_different_lengths");
        }
        for (List<?> each : List.of(xfer, post, bytes, descriptors)) {
            for (Object value : each) {
                number(value);
            }
        }
        for (int i = 0; i < xfer.size(); i++) {
            for (TransferStats each : List.of(run, interval)) {
                each.complete(
                        observation,
                        number(xfer.get(i)) * 1e6,
                        number(post.get(i)) * 1e6,
                        (long) number(bytes.get(i)),
                        (long) number(descriptors.get(i)),
                        false);
            }
        }
        long failed = list(data, "num_failed_transfers").size();
        long notify = list(data, "num_failed_notifications").size();
        long expired = list(data, "num_kv_expired_reqs").size();
        for (TransferStats each : List.of(run, interval)) {
            each.failed(observation, failed);
            each.notifyFailed(observation, notify);
            each.expired(observation, expired);
        }
    }

    private static List<?> list(Map<?, ?> data, String key) {
        return data.get(key) instanceof List<?> list ? list : List.of();
    }

    private static double number(@Nullable Object value) throws Observation.Rejected {
        if (value instanceof Number number && Double.isFinite(number.doubleValue()) && number.doubleValue() >= 0) {
            return number.doubleValue();
        }
        throw new Observation.Rejected("invalid_list_element");
    }

    @Override
    public boolean isEmpty() {
        return !any;
    }

    @Override
    public void tick(long nowNanos) {
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
        interval = new TransferStats();
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
    public Map<String, @Nullable Object> freeze(boolean terminal) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        Map<String, @Nullable Object> cumulative = frozen(run, runSeconds);
        Map<String, Object> prometheus = new LinkedHashMap<>();
        prometheus.put("vllm:nixl_xfer_time_seconds", TransferStats.buckets(run.xferMicros(), 1e6, XFER));
        prometheus.put("vllm:nixl_post_time_seconds", TransferStats.buckets(run.postMicros(), 1e6, POST));
        prometheus.put("vllm:nixl_bytes_transferred", TransferStats.buckets(run.bytes(), 1, BYTES));
        prometheus.put("vllm:nixl_num_descriptors", TransferStats.buckets(run.descriptors(), 1, DESCRIPTORS));
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
