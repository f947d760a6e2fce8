package io.metricsaggregator.collect;

import java.io.Closeable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that collect: a thread for the host, one for each exporter. One that fails at a round tries again at the next; that is counted. */
public final class Collectors implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Collectors.class);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong failures = new AtomicLong();
    private volatile boolean ended;

    private interface Round {
        Map<String, ?> go() throws InterruptedException;
    }

    /**
     * Starts them.
     *
     * @param host time between looks at this host; null for none
     * @param scrapes exporters
     * @param to takes records, on the threads of those who collect
     */
    public Collectors(@Nullable Duration host, List<ScrapeSpec> scrapes, Consumer<Map<String, ?>> to) {
        if (host != null) {
            HostSampler sampler = new HostSampler(Path.of("/"), null, System::nanoTime);
            start("host", host, true, sampler::sample, to);
        }
        for (ScrapeSpec each : scrapes) {
            start("scrape-" + each.instance(), each.interval(), false, new Scraper(each)::scrape, to);
        }
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
                to.accept(round.go());
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                // What is measured must go on; a figure less is counted.
                failures.incrementAndGet();
                if (!logged) {
                    logged = true;
                    LOG.warn(
                            "{} failed once (counted from now on)",
                            Thread.currentThread().getName(),
                            e);
                }
            }
            // Rounds that are missed are not made up for.
            due += intervalNanos * Math.max(1, (System.nanoTime() - due) / intervalNanos + 1);
        }
    }

    /** Rounds that failed for other reasons than an exporter that does not answer. */
    public long failures() {
        return failures.get();
    }

    /** No record comes from now on but those that are under way. */
    @Override
    public void close() {
        ended = true;
        threads.forEach(Thread::interrupt);
    }
}
