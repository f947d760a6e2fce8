package io.metricsaggregator.daemon;

import io.metricsaggregator.collect.CollectedFrames;
import io.metricsaggregator.collect.Collectors;
import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.run.HeapLimits;
import io.metricsaggregator.run.LiveRun;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Telemetry that the daemon collects itself, from its host and from exporters: collector threads queue frames, and the thread of
 * the main flow folds them into the run as if it had received them. All methods belong to that thread.
 */
final class OwnCollection {
    private final CollectedFrames frames;
    private final Collectors collectors;

    private OwnCollection(CollectedFrames frames, Collectors collectors) {
        this.frames = frames;
        this.collectors = collectors;
    }

    /**
     * Starts the collector threads.
     *
     * @param node name of this host in its resource samples; null for its host name
     * @param wake called on a collector's thread when a frame is queued
     */
    static OwnCollection start(DaemonConfig.Collection config, @Nullable String node, Runnable wake) {
        int recordMaxBytes = HeapLimits.ofThisHeap().telemetry().recordBytes();
        CollectedFrames frames = new CollectedFrames(recordMaxBytes, wake);
        return new OwnCollection(
                frames, new Collectors(config.hostInterval(), node, config.scrapes(), recordMaxBytes, frames));
    }

    /** Folds all queued frames into {@code run}, and sets its counters of dropped records and failed rounds. */
    void foldInto(LiveRun run) {
        for (byte[] frame = frames.poll(); frame != null; frame = frames.poll()) {
            run.ingest().onFrame(ByteBuffer.wrap(frame), 0, frame.length);
            run.ingest().onBurstEnd();
        }
        count(run, frames.dropped());
    }

    /** Stops collecting at the end of the session; queued records would be late, so they are dropped and counted. */
    void end(LiveRun run) {
        stop();
        long left = 0;
        while (frames.poll() != null) {
            left++;
        }
        count(run, frames.dropped() + left);
    }

    /** Stops collecting; queued frames stay. */
    void stop() {
        collectors.close();
    }

    private void count(LiveRun run, long dropped) {
        run.counters().collectedDropped.set(dropped);
        run.counters().collectorFailures.set(collectors.failures());
    }
}
