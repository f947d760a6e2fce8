package io.metricsaggregator.fleet;

import io.metricsaggregator.analysis.fleet.FleetWait;
import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.daemon.Exporters;
import io.metricsaggregator.daemon.OutputDirectory;
import io.metricsaggregator.daemon.StopRequest;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SnapshotFrames;
import io.metricsaggregator.publish.SnapshotOnOutput;
import io.metricsaggregator.publish.TickSchedule;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.snapshot.NodeState;
import io.metricsaggregator.snapshot.SessionState;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The main loop of a fleet and its end. Everything but {@link #latest} belongs to the thread that runs it; used once. */
final class FleetLoop {
    private static final Logger LOG = LoggerFactory.getLogger(FleetLoop.class);
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    /** Largest payload of a published frame: a snapshot of a thousand nodes is smaller. */
    private static final int FRAME_MAX_BYTES = 8 << 20;
    /** After SIGTERM: a file that is not durable by now is reported as not durable. */
    private static final long STOP_FILE_NANOS = 3 * SECOND + 500 * MILLI;
    /** After SIGTERM: a file still being written by now is replaced by one with figures only. */
    private static final long STOP_WHOLE_FILE_NANOS = 3 * SECOND;

    private static final long FILE_NANOS = 30 * SECOND;
    /** After SIGTERM: time to decode what was received. */
    private static final long STOP_DECODE_NANOS = 500 * MILLI;

    private static final long OUTPUT_NANOS = 300 * MILLI;
    private static final long PUBLISH_LINGER_NANOS = SECOND;

    private final FleetConfig config;
    private final StopRequest stop;
    private final NodeTable table;
    private final FleetSum sum;
    private final @Nullable FleetState state;
    private final Transport sockets;
    private final FrameSink sink;
    private final SnapshotFrames frames = new SnapshotFrames(FRAME_MAX_BYTES);
    private final Map<FleetNode, NodeState> states = new HashMap<>();
    private volatile @Nullable MetricsSnapshot latest;
    private String awaited = "";
    private long firstEndNanos;
    private boolean anyEnded;
    private long ticks;

    FleetLoop(
            FleetConfig config,
            StopRequest stop,
            NodeTable table,
            FleetSum sum,
            @Nullable FleetState state,
            Transport sockets,
            FrameSink sink) {
        this.config = config;
        this.stop = stop;
        this.table = table;
        this.sum = sum;
        this.state = state;
        this.sockets = sockets;
        this.sink = sink;
    }

    /** The last snapshot; null before the first. Any thread. */
    @Nullable
    MetricsSnapshot latest() {
        return latest;
    }

    /** Serves until the last node has ended or a stop is requested, and delivers the terminal snapshot. */
    Fleet.End run(FrameSource source, FrameQueue queue, @Nullable OutputDirectory directory, Exporters exporters)
            throws IOException {
        TickSchedule schedule = new TickSchedule(System.nanoTime(), config.intervalNanos());
        boolean failed = false;
        try {
            if (directory != null) {
                directory.markReady();
            }
            LOG.info("ready");
            serve(schedule, source, queue, directory);
        } catch (RuntimeException | Error e) {
            LOG.error("fleet failed", e);
            failed = true;
        }
        Fleet.End end = deliver(failed, directory, exporters);
        LOG.info(
                "fleet ended nodes={} snapshots={} ticks_skipped={}",
                table.nodes().size(),
                ticks,
                schedule.skipped());
        return end;
    }

    private void serve(TickSchedule schedule, FrameSource source, FrameQueue queue, @Nullable OutputDirectory directory)
            throws IOException {
        boolean subscribed = false;
        while (!stop.isRequested()) {
            long polled = System.nanoTime();
            long due = Math.max(0, schedule.nanosUntilDue(polled));
            queue.atOnceUntil(polled + due);
            sockets.poll(queue.isEmpty() ? due : 0);
            long received = System.nanoTime();
            // Ticks that take long must not leave the nodes unheard.
            queue.decode(received + Math.max(config.intervalNanos() / 2, schedule.nanosUntilDue(received)));
            long now = System.nanoTime();
            if (!subscribed && source.ready()) {
                subscribed = true;
                if (directory != null) {
                    directory.markSubscribed();
                }
                LOG.info("subscriptions confirmed publishers={}", source.peers());
            }
            if (schedule.nanosUntilDue(now) <= 0) {
                schedule.take(now);
                tick(now);
                if (isOver(now)) {
                    return;
                }
            }
        }
        queue.decode(System.nanoTime() + STOP_DECODE_NANOS);
    }

    private void tick(long nowNanos) {
        noteChanges(nowNanos);
        MetricsSnapshot next =
                sum.next(table, table.state(nowNanos), nowNanos, EpochNanos.now(), sockets.stats().exposures);
        latest = next;
        noteWait(FleetWait.of(next));
        ticks++;
        sink.offer(frames.encode(next));
    }

    /** Logs nodes that became stale, lost or live again, and stores what lost ones said last. */
    private void noteChanges(long nowNanos) {
        for (FleetNode node : table.nodes()) {
            NodeState now = node.state(nowNanos);
            NodeState before = states.put(node, now);
            if (before != null && before != now && now != NodeState.ENDED) {
                if (now == NodeState.LIVE) {
                    LOG.info("node live again node={} run={}", node.name(), node.runId());
                } else {
                    LOG.warn("node {} node={} run={}", now.wire(), node.name(), node.runId());
                }
            }
            if (now == NodeState.LOST && before != now && state != null) {
                state.store(node.runId());
            }
        }
    }

    /** Logs for whom a fleet without live nodes waits, once for each change. */
    private void noteWait(@Nullable FleetWait wait) {
        String now = wait == null ? "" : wait.awaited();
        if (wait != null && !now.equals(awaited)) {
            LOG.warn("no live node: waiting {}", wait.clause());
        }
        awaited = now;
    }

    private boolean isOver(long nowNanos) {
        if (!anyEnded && table.anyEnded(nowNanos)) {
            anyEnded = true;
            firstEndNanos = nowNanos;
        }
        long linger = config.nodes().lingerNanos();
        return table.isOver(nowNanos) || (anyEnded && linger > 0 && nowNanos - firstEndNanos >= linger);
    }

    private Fleet.End deliver(boolean failed, @Nullable OutputDirectory directory, Exporters exporters) {
        long now = System.nanoTime();
        SessionState ended =
                failed || (stop.isRequested() && !table.isOver(now)) ? SessionState.INTERRUPTED : table.finalState(now);
        MetricsSnapshot last = last(ended, now);
        latest = last;
        Path file = directory == null ? null : write(last, directory);
        boolean durable = directory == null || file != null;
        SnapshotOnOutput output = durable ? null : SnapshotOnOutput.start(last);
        sink.offerLast(frames.encode(last));
        exporters.last(last);
        sockets.close(PUBLISH_LINGER_NANOS);
        if (output != null) {
            output.await(stop.isRequested() ? OUTPUT_NANOS : FILE_NANOS);
        }
        LOG.info(
                "fleet snapshot state={} final_snapshot={}",
                ended.wireName(),
                directory == null ? "none" : file == null ? "NOT DURABLE" : file);
        if (!durable) {
            return Fleet.End.NOT_DURABLE;
        }
        if (failed) {
            return Fleet.End.INTERNAL;
        }
        return table.nodes().isEmpty() ? Fleet.End.NOBODY : Fleet.End.DELIVERED;
    }

    /** The terminal snapshot; after a failure of the sum, the last one that succeeded under the next number. */
    private MetricsSnapshot last(SessionState ended, long nowNanos) {
        try {
            return sum.next(table, ended, nowNanos, EpochNanos.now(), sockets.stats().exposures);
        } catch (RuntimeException | Error e) {
            MetricsSnapshot shown = latest;
            if (shown == null) {
                throw e;
            }
            LOG.error("terminal snapshot not summed: the last one is delivered", e);
            return new MetricsSnapshot(
                    shown.counter() + 1,
                    shown.timestampNanos(),
                    SessionState.INTERRUPTED,
                    shown.pendingTasks(),
                    shown.metrics(),
                    shown.extensions());
        }
    }

    /** Writes the file and serves the sockets meanwhile; returns the durable file, null if there is none. */
    private @Nullable Path write(MetricsSnapshot last, OutputDirectory directory) {
        DaemonConfig.Output output = config.output();
        if (output == null) {
            return null;
        }
        FinalSnapshotWriter writer =
                new FinalSnapshotWriter(directory.path(), output.fallbackDirectory(), output.fileMode(), () -> {});
        long start = System.nanoTime();
        writer.start(last, () -> stop.isOlderThan(STOP_WHOLE_FILE_NANOS));
        try {
            while (!writer.isDone() && System.nanoTime() - start < FILE_NANOS && !stop.isOlderThan(STOP_FILE_NANOS)) {
                sockets.poll(MILLI);
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("sockets failed while the final snapshot was written", e);
            return writer.await(FILE_NANOS);
        }
        return writer.await(0);
    }
}
