package io.metricsaggregator.producer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Generates synthetic telemetry: overlapping KV-cache transfers of four ranks, operations of a store with cached keys, or custom metrics
 * of a worker. Arrivals are Poisson; the same seed gives the same records.
 */
public final class SyntheticTelemetry {
    /** The kind of telemetry to generate. */
    public enum Kind {
        TRANSFERS,
        OPERATIONS,
        METRICS
    }

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int RANKS = 4;
    private static final int KEYS = 40;

    private final Kind kind;
    private final double rate;
    private final long endNanos;
    private final Random random;
    private final Map<String, Long> sequences = new LinkedHashMap<>();
    private final boolean[] cached = new boolean[KEYS];
    /** Differs between starts, so that a daemon counts the sequence of each start separately. */
    private final long life;

    private long nanos;
    private int turn;
    private @Nullable Map<String, Object> following;

    /**
     * Creates a generator.
     *
     * @param rate mean records per second, above 0
     * @param startNanos time of the first record on the monotonic clock
     * @param durationNanos time in which records arrive
     */
    public SyntheticTelemetry(Kind kind, double rate, long startNanos, long durationNanos, long seed) {
        if (!(rate > 0 && rate <= 1e6)) {
            throw new IllegalArgumentException("--rate is not above 0 and at most 1,000,000 per s");
        }
        this.kind = kind;
        this.rate = rate;
        this.nanos = startNanos;
        this.life = startNanos & Long.MAX_VALUE;
        this.endNanos = startNanos + durationNanos;
        this.random = new Random(seed);
    }

    /** Returns the next record with its {@code timestamp_ns}; null at the end. */
    public @Nullable Map<String, Object> next() {
        Map<String, Object> waiting = following;
        if (waiting != null) {
            following = null;
            return waiting;
        }
        nanos += (long) (-Math.log(1 - random.nextDouble()) / rate * NANOS_PER_SECOND);
        if (nanos > endNanos) {
            return null;
        }
        turn++;
        return switch (kind) {
            case TRANSFERS -> transfer();
            case OPERATIONS -> operation();
            case METRICS -> metric();
        };
    }

    private double logNormal(double median, double sigma) {
        return median * Math.exp(sigma * random.nextGaussian());
    }

    private Map<String, Object> record(String type, String source) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("event_type", type);
        fields.put("timestamp_ns", nanos);
        fields.put("source_id", source);
        fields.put("seq", sequences.merge(source, 1L, Long::sum) - 1);
        fields.put("life", life);
        return fields;
    }

    private Map<String, Object> transfer() {
        String rank = "rank-" + random.nextInt(RANKS);
        double chance = random.nextDouble();
        if (chance < 0.01) {
            Map<String, Object> failed = record("transfer.failed", rank);
            failed.put("reason", "NIXL_ERR_REMOTE_DISCONNECT");
            return failed;
        }
        Map<String, Object> fields = record("transfer.complete", rank);
        long blocks = 8L + random.nextInt(120);
        double micros = logNormal(40 + blocks * 12.0, 0.3);
        fields.put("xfer_duration_us", micros);
        fields.put("post_duration_us", Math.min(micros, logNormal(60, 0.4)));
        fields.put("total_bytes", blocks * 65_536);
        fields.put("desc_count", blocks);
        fields.put("op", "READ");
        return fields;
    }

    private Map<String, Object> operation() {
        String process = "worker-" + random.nextInt(3);
        int key = Math.min(KEYS - 1, (int) Math.abs(random.nextGaussian() * KEYS / 3));
        String name = "object-" + key;
        if (turn % 4 == 0) {
            boolean hit = cached[key];
            cached[key] = true;
            Map<String, Object> fields = record("operation.count", process);
            fields.put("name", hit ? "store.get.cache_hits" : "store.get.cache_misses");
            fields.put("key", name);
            fields.put("value", 1L);
            return fields;
        }
        boolean put = random.nextInt(5) == 0;
        double whole = logNormal(put ? 900_000 : 350_000, 0.5);
        String verb = put ? "store.put" : "store.get";
        // ProxyStore records nested operations before the outer one.
        Map<String, Object> within = complete(process, name, verb + ".connector", (long) (0.7 * whole));
        following = complete(process, name, verb, (long) whole);
        return within;
    }

    private Map<String, Object> complete(String process, String key, String name, long took) {
        Map<String, Object> fields = record("operation.complete", process);
        fields.put("name", name);
        fields.put("key", key);
        fields.put("duration_ns", took);
        fields.put("ok", random.nextInt(200) != 0);
        return fields;
    }

    private Map<String, Object> metric() {
        Map<String, Object> fields;
        switch (turn % 3) {
            case 0 -> {
                fields = record("metric.count", "scheduler");
                fields.put("name", "prefill.tokens");
                fields.put("value", 64L + random.nextInt(960));
                fields.put("unit", "tokens");
            }
            case 1 -> {
                fields = record("metric.gauge", "scheduler");
                fields.put("name", "queue.depth");
                fields.put("value", Math.max(0, 8 + 6 * Math.sin(nanos / 3e9) + random.nextGaussian()));
                fields.put("unit", "requests");
            }
            default -> {
                fields = record("metric.record", "scheduler");
                fields.put("name", "step.duration");
                fields.put("value", logNormal(0.024, 0.25));
                fields.put("unit", "s");
                fields.put(
                        "labels", Map.of("phase", List.of("prefill", "decode").get(random.nextInt(2))));
            }
        }
        return fields;
    }
}
