package io.metricsaggregator.proxy;

import io.metricsaggregator.event.EventRecord;
import io.metricsaggregator.event.EventType;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands records from the threads of connections to the thread {@code proxy-records}, which numbers and publishes them in their order. Adding never
 * blocks: beyond {@value #RECORDS_MAX} waiting records further ones are dropped and counted, and their numbers are missing.
 */
final class RecordQueue {
    /** Waiting records: 20 s of 1000 streams with 50 chunks a second. */
    static final int RECORDS_MAX = 1_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(RecordQueue.class);
    private static final long PAUSE_NANOS = 2_000_000;
    private static final long TELEMETRY_NANOS = 1_000_000_000;
    private static final int EMPTY_PASSES_MAX = 50;

    private final ConcurrentLinkedQueue<EventRecord> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong skipped = new AtomicLong();
    private final RecordSink sink;
    private final ProxyCounts counts;
    private final long life = System.currentTimeMillis();
    private final Thread thread = new Thread(this::run, "proxy-records");
    private volatile boolean closing;
    private volatile boolean parked;
    private long sequence;
    private long telemetryNanos;
    private boolean failureLogged;

    RecordQueue(RecordSink sink, ProxyCounts counts) {
        this.sink = sink;
        this.counts = counts;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void add(EventRecord event) {
        if (waiting.incrementAndGet() > RECORDS_MAX) {
            waiting.decrementAndGet();
            skipped.incrementAndGet();
            counts.recordsDropped.increment();
            return;
        }
        queue.add(event);
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        int empty = 0;
        while (!closing || !queue.isEmpty()) {
            if (drain()) {
                empty = 0;
            } else {
                empty++;
            }
            if (!closing && empty > EMPTY_PASSES_MAX) {
                parked = true;
                if (queue.isEmpty() && !closing) {
                    LockSupport.park(this);
                }
                parked = false;
            } else if (!closing) {
                // One wake-up for many records: a wake-up for each would cost more than the relay.
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
    }

    private boolean drain() {
        boolean any = false;
        for (EventRecord event = queue.poll(); event != null; event = queue.poll()) {
            any = true;
            waiting.decrementAndGet();
            if (event.type() == EventType.SESSION_ENDED) {
                telemetry();
            }
            sequence += skipped.getAndSet(0);
            try {
                sink.publish(event.from(0, sequence++).inLife(life));
            } catch (IOException | RuntimeException e) {
                counts.recordsDropped.increment();
                report(e);
            }
        }
        if (any && System.nanoTime() - telemetryNanos > TELEMETRY_NANOS) {
            telemetryNanos = System.nanoTime();
            telemetry();
        }
        return any;
    }

    /** Publishes the counts and delays as gauges {@code proxy_…}. */
    private void telemetry() {
        long now = System.nanoTime();
        for (Map.Entry<String, Long> each : counts.status().toMap().entrySet()) {
            boolean isDelay = each.getKey().endsWith("_ns");
            if (each.getValue() < 0) {
                continue;
            }
            try {
                sink.telemetry(Map.of(
                        "event_type",
                        "metric.gauge",
                        "timestamp_ns",
                        now,
                        "source_id",
                        "proxy",
                        "name",
                        "proxy_" + each.getKey(),
                        "value",
                        each.getValue(),
                        "unit",
                        isDelay ? "ns" : "1"));
            } catch (IOException | RuntimeException e) {
                report(e);
                return;
            }
        }
    }

    private void report(Exception e) {
        if (!failureLogged) {
            failureLogged = true;
            LOG.warn(
                    "records of the proxy are not published; further failures are counted error=\"{}\"",
                    e.getMessage());
        }
    }

    /** Publishes what is waiting; returns whether that was done in time. */
    boolean close(long timeoutNanos) {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(Math.max(1, timeoutNanos / 1_000_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
