package io.metricsaggregator.daemon;

import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.collect.Collectors;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.run.HeapLimits;
import io.metricsaggregator.run.LiveRun;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the daemon collects itself, telemetry of its host and of exporters, and traces sent to it: other threads queue frames, and the thread of
 * the main flow folds them into the run as if it had received them. All methods belong to that thread.
 */
final class OwnCollection {
    private final CollectedFrames frames;
    private final Collectors collectors;

    private final @Nullable SpanInput spans;

    private OwnCollection(CollectedFrames frames, Collectors collectors, @Nullable SpanInput spans) {
        this.frames = frames;
        this.collectors = collectors;
        this.spans = spans;
    }

    /**
     * Opens the listener for traces, and starts the collector threads.
     *
     * @param wake called on a collector's thread when a frame is queued
     * @throws IOException if the listener's address cannot be bound
     */
    static OwnCollection start(DaemonConfig daemon, Runnable wake) throws IOException {
        DaemonConfig.Collection config = daemon.collection();
        InetSocketAddress traces = daemon.spans();
        SpanInput spans = traces == null
                ? null
                : SpanInput.open(traces, daemon.endpoints().inputs().isEmpty(), wake);
        int recordMaxBytes = HeapLimits.ofThisHeap().telemetry().recordBytes();
        CollectedFrames frames = new CollectedFrames(recordMaxBytes, wake);
        return new OwnCollection(
                frames,
                new Collectors(config.hostInterval(), daemon.run().node(), config.scrapes(), recordMaxBytes, frames),
                spans);
    }

    /** Connects to the records of other producers: a request that they measured is not a sample again when its span comes. */
    void connect(CurrentRun current) {
        if (spans != null) {
            current.tracesTo(spans::measured);
        }
    }

    /** Nanoseconds until something waiting is due; {@link Long#MAX_VALUE} if nothing waits for its time. */
    long nanosUntilDue(long nowNanos) {
        return spans == null ? Long.MAX_VALUE : spans.nanosUntilDue(nowNanos);
    }

    /** Folds all queued frames into {@code run}, and sets its counters of dropped records and failed rounds. */
    void foldInto(LiveRun run) {
        for (byte[] frame = frames.poll(); frame != null; frame = frames.poll()) {
            run.ingest().onFrame(ByteBuffer.wrap(frame), 0, frame.length);
            run.ingest().onBurstEnd();
        }
        count(run, frames.dropped());
        if (spans != null) {
            spans.foldInto(run);
        }
    }

    /** Stops collecting at the end of the session; queued records would be late, so they are dropped and counted. */
    void end(LiveRun run) {
        stop();
        long left = 0;
        while (frames.poll() != null) {
            left++;
        }
        count(run, frames.dropped() + left);
        if (spans != null) {
            spans.end(run);
        }
    }

    /** Stops collecting; queued frames stay. */
    void stop() {
        collectors.close();
        if (spans != null) {
            spans.stop();
        }
    }

    private void count(LiveRun run, long dropped) {
        run.counters().collectedDropped.set(dropped);
        run.counters().collectorFailures.set(collectors.failures());
    }
}
