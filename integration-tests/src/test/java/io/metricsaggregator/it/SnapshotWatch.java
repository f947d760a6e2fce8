package io.metricsaggregator.it;

import io.metricsaggregator.catalogue.CounterName;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.SeriesMetric;
import io.metricsaggregator.subscriber.SnapshotSubscriber;
import io.metricsaggregator.transport.Endpoint;
import io.metricsaggregator.transport.TransportOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Receives every snapshot of a daemon or fleet on a thread of its own, and notes each count that falls from one to the next. */
final class SnapshotWatch implements AutoCloseable {
    private final Thread thread;
    private final List<String> falls = new CopyOnWriteArrayList<>();
    private volatile @Nullable MetricsSnapshot latest;
    private volatile boolean over;

    /** Connects to an endpoint, such as {@code ipc:///tmp/metrics}. */
    SnapshotWatch(String endpoint) throws IOException {
        SnapshotSubscriber subscriber = new SnapshotSubscriber(
                List.of(Endpoint.parse("connect:" + endpoint, false)),
                TransportOptions.defaults(),
                SnapshotSubscriber.Mode.EVERY);
        this.thread = new Thread(() -> follow(subscriber), "watch");
        thread.setDaemon(true);
        thread.start();
    }

    private void follow(SnapshotSubscriber subscriber) {
        try (subscriber) {
            while (!over) {
                MetricsSnapshot next = subscriber.next(Duration.ofMillis(100));
                MetricsSnapshot before = latest;
                if (next != null) {
                    if (before != null) {
                        compare(before, next);
                    }
                    latest = next;
                }
            }
        } catch (IOException e) {
            falls.add("the subscriber failed: " + e.getMessage());
        }
    }

    private void compare(MetricsSnapshot before, MetricsSnapshot next) {
        for (CounterName each : SameFigures.SAMPLES) {
            if (next.counter(each) < before.counter(each)) {
                falls.add(each.wire() + " fell from " + before.counter(each) + " to " + next.counter(each));
            }
        }
        for (SeriesMetric each : before.series()) {
            SeriesMetric then = next.series(each.name());
            if (then == null || then.count() < each.count()) {
                falls.add(each.name() + " fell from " + each.count() + " to " + (then == null ? 0 : then.count()));
            }
        }
    }

    /** The counts that fell, in words. */
    List<String> falls() {
        return List.copyOf(falls);
    }

    /** Waits for a snapshot that meets a condition. The condition is asked once for each snapshot that it finds. */
    MetricsSnapshot await(Predicate<MetricsSnapshot> condition) {
        MetricsSnapshot[] asked = new MetricsSnapshot[1];
        Await.until(
                () -> {
                    MetricsSnapshot now = latest;
                    if (now == null || now == asked[0]) {
                        return false;
                    }
                    asked[0] = now;
                    return condition.test(now);
                },
                () -> asked[0] == null
                        ? "any snapshot"
                        : "snapshot that meets the condition; the last was " + asked[0].state() + ", nodes "
                                + asked[0].extensions().optional().nodes() + ", "
                                + SameFigures.SAMPLES.stream()
                                        .map(each -> each.wire() + " " + asked[0].counter(each))
                                        .toList());
        return asked[0];
    }

    @Override
    public void close() {
        over = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
