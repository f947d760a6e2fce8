package io.metricsaggregator.collect;

import io.metricsaggregator.collect.CollectedFrames.RecordTooLargeException;
import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The collector threads: {@code host} samples this host, and one {@code scrape-INSTANCE} per exporter scrapes it. A round that throws is
 * counted, and the next round runs as scheduled.
 */
public final class Collectors implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Collectors.class);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean ended;

    /** Heaps hold a response of this many times the largest record: text, samples and the record exist at the same time. */
    private static final int BODY_RECORDS = 4;

    /** Collects one record. */
    private interface Round {
        Map<String, ?> collect() throws InterruptedException;

        /** The record in the place of one that is too large; null if there is none. */
        @SuppressWarnings("UnusedVariable") // only scrapes have one
        default @Nullable Map<String, ?> instead(Map<String, ?> record, RecordTooLargeException e) {
            return null;
        }
    }

    /**
     * Starts the threads.
     *
     * @param host sampling interval of this host; null to not sample it
     * @param node name of this host in its samples; null for its host name
     * @param scrapes exporters, each with its scrape interval
     * @param recordMaxBytes largest record that {@code to} takes
     * @param to receives records, on the collector threads
     */
    public Collectors(
            @Nullable Duration host,
            @Nullable String node,
            List<ScrapeSpec> scrapes,
            int recordMaxBytes,
            Consumer<Map<String, ?>> to) {
        if (host != null) {
            HostSampler sampler = new HostSampler(Path.of("/"), node, System::nanoTime);
            start("host", host, true, sampler::sample, to);
        }
        int bodyMaxBytes = (int) Math.min(Scraper.BYTES_MAX, (long) BODY_RECORDS * recordMaxBytes);
        Set<String> sources = new HashSet<>();
        for (int i = 0; i < scrapes.size(); i++) {
            String source = Scraper.source(scrapes.get(i));
            String unique = sources.add(source) ? source : source + "#" + (i + 1);
            scrape(new Scraper(scrapes.get(i), unique, bodyMaxBytes), scrapes.get(i), to);
        }
    }

    private void scrape(Scraper scraper, ScrapeSpec spec, Consumer<Map<String, ?>> to) {
        Round round = new Round() {
            @Override
            public Map<String, ?> collect() {
                return scraper.scrape();
            }

            @Override
            public Map<String, ?> instead(Map<String, ?> record, RecordTooLargeException e) {
                return scraper.tooLarge(record, e.bytes, e.maxBytes);
            }
        };
        start("scrape-" + spec.instance(), spec.interval(), false, round, to);
    }

    private void start(String name, Duration interval, boolean waitFirst, Round round, Consumer<Map<String, ?>> to) {
        Thread thread = new Thread(() -> run(interval.toNanos(), waitFirst, round, to), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void run(long intervalNanos, boolean waitFirst, Round round, Consumer<Map<String, ?>> to) {
        long due = System.nanoTime() + (waitFirst ? intervalNanos : 0);
        boolean logged = false;
        while (!ended) {
            long left = due - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                continue;
            }
            try {
                deliver(round.collect(), round, to);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                // One failed round must not end the collection.
                failures.incrementAndGet();
                if (!logged) {
                    logged = true;
                    LOG.warn(
                            "collector round failed thread={}. Later failures of this thread are only counted",
                            Thread.currentThread().getName(),
                            e);
                }
            }
            // Missed rounds are skipped.
            due += intervalNanos * Math.max(1, (System.nanoTime() - due) / intervalNanos + 1);
        }
    }

    private static void deliver(Map<String, ?> record, Round round, Consumer<Map<String, ?>> to) {
        try {
            to.accept(record);
        } catch (RecordTooLargeException e) {
            Map<String, ?> other = round.instead(record, e);
            if (other == null) {
                throw e;
            }
            to.accept(other);
        }
    }

    /** Number of rounds that threw. A scrape without a response is a record, not a failed round. Any thread. */
    public long failures() {
        return failures.get();
    }

    /** Stops the threads without waiting for them. Rounds in progress may still deliver a record. */
    @Override
    public void close() {
        ended = true;
        threads.forEach(Thread::interrupt);
    }
}
