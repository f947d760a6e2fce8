package io.metricsaggregator.web;

import io.metricsaggregator.codec.JsonTree;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.web.model.PageModel;
import io.metricsaggregator.web.model.RecentRun;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The two events of the page, each rendered once per snapshot and window whatever the number of viewers: the present figures, at most four times a
 * second, and the history, once a second. Events that cost more come later: rendering takes about a hundredth of a core, unless that would
 * delay the figures by more than two seconds or the history by more than ten. Belongs to the thread {@code web}.
 */
final class LivePage {
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** Shortest time between two events. */
    static final long INTERVAL_NANOS = 250 * NANOS_PER_MILLI;
    /** Time between checks without viewers: the history needs a snapshot a second. */
    static final long IDLE_NANOS = 1000 * NANOS_PER_MILLI;

    private static final long INTERVAL_MAX_NANOS = 2000 * NANOS_PER_MILLI;
    private static final long HISTORY_NANOS = 950 * NANOS_PER_MILLI;
    private static final long HISTORY_MAX_NANOS = 10_000 * NANOS_PER_MILLI;
    /** The figures, and the history, may each take one part in as many of the time. */
    private static final int COST_SHARE = 200;

    private final Supplier<@Nullable MetricsSnapshot> latest;
    private final RecentRun recent = new RecentRun();
    private @Nullable MetricsSnapshot seen;
    private @Nullable MetricsSnapshot rendered;
    /** The present figures by the length of their window, and those windows for which {@link #rendered} was rendered. */
    private final Map<Integer, byte[]> now = new HashMap<>();

    private final Set<Integer> tried = new HashSet<>();
    private byte @Nullable [] history;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private boolean historyChanged;
    private long historyDueNanos = System.nanoTime();

    /** A page of the snapshots that {@code latest} supplies; null before the first. */
    LivePage(Supplier<@Nullable MetricsSnapshot> latest) {
        this.latest = latest;
    }

    /**
     * Takes the latest snapshot, and renders what changed.
     *
     * @param windows the windows that viewers look at, in seconds; without any only the history is kept
     * @return the time until the next call, in nanoseconds
     */
    @SuppressWarnings("ReferenceEquality") // the same snapshot, not one like it
    long update(Set<Integer> windows) {
        long start = cpuNanos();
        MetricsSnapshot snapshot = latest.get();
        if (snapshot != null && snapshot != seen) {
            seen = snapshot;
            historyChanged |= recent.add(snapshot);
        }
        if (windows.isEmpty()) {
            return IDLE_NANOS;
        }
        if (snapshot != rendered) {
            rendered = snapshot;
            tried.clear();
        }
        for (int seconds : windows) {
            // Noted before it is rendered, so that a snapshot that cannot be rendered is not tried again.
            if (tried.add(seconds)) {
                now.put(
                        seconds,
                        event(
                                "now",
                                snapshot == null ? PageModel.waiting() : PageModel.now(snapshot, recent, seconds)));
            }
        }
        long cost = cpuNanos() - start;
        if (snapshot != null && historyChanged) {
            history(snapshot);
        }
        return Math.max(INTERVAL_NANOS, Math.min(INTERVAL_MAX_NANOS, cost * COST_SHARE));
    }

    private void history(MetricsSnapshot snapshot) {
        long start = System.nanoTime();
        if (start - historyDueNanos < 0 && !snapshot.state().isTerminal() && history != null) {
            return;
        }
        long before = cpuNanos();
        historyChanged = false;
        historyDueNanos = start + HISTORY_NANOS;
        history = event("history", PageModel.history(snapshot, recent));
        historyDueNanos =
                start + Math.max(HISTORY_NANOS, Math.min(HISTORY_MAX_NANOS, (cpuNanos() - before) * COST_SHARE));
    }

    /** CPU time of this thread; 0 where the platform does not measure it. */
    private long cpuNanos() {
        return threads.isCurrentThreadCpuTimeSupported() ? Math.max(0, threads.getCurrentThreadCpuTime()) : 0;
    }

    /** The present figures with a window of {@code seconds} as an event; null before the first rendering. */
    byte @Nullable [] now(int seconds) {
        return now.get(seconds);
    }

    /** The history as an event; null before the first snapshot. */
    byte @Nullable [] history() {
        return history;
    }

    /** An event whose data is a document on one line. */
    static byte[] event(String name, Map<String, ?> document) {
        byte[] json = JsonTree.writeLine(document);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(json.length + 32);
        bytes.writeBytes(("event: " + name + "\ndata: ").getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes(json);
        bytes.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
        return bytes.toByteArray();
    }
}
