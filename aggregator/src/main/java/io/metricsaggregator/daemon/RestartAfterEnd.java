package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.publish.ExitStatus;
import io.metricsaggregator.publish.SnapshotFrames;
import io.metricsaggregator.run.HeapLimits;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main flow of a process that replaces one killed after the end of its run: serves the result of that run until SIGTERM, as the
 * killed process did, and measures nothing. The file stays as it is. Belongs to the main loop.
 */
final class RestartAfterEnd {
    private static final Logger LOG = LoggerFactory.getLogger(RestartAfterEnd.class);

    private final DaemonConfig config;
    private final StopRequest stop;

    RestartAfterEnd(DaemonConfig config, StopRequest stop) {
        this.config = config;
        this.stop = stop;
    }

    /**
     * Serves the result until a stop is requested. The terminal snapshot is not pushed over OTLP again.
     *
     * @return the exit status of the finished run
     * @throws IOException if a socket, the Prometheus endpoint or the live page cannot be opened
     */
    ExitStatus serve(FinishedRun finished, OutputDirectory directory, Transport sockets) throws IOException {
        AtomicLong discarded = new AtomicLong();
        FrameSource source =
                sockets.openSource(config.endpoints().inputs(), (buffer, start, length) -> discarded.incrementAndGet());
        FrameSink sink = sockets.openSink(config.endpoints().outputs(), FrameSink.Kind.PUBLISH_LATEST);
        DaemonConfig.Exports all = config.exports();
        DaemonConfig.Exports pulled = new DaemonConfig.Exports(all.prometheus(), null, 0, all.genAi(), all.web(), 0);
        try (Exporters exporters = Exporters.open(pulled, () -> null)) {
            exporters.last(finished.last());
            sink.offerLast(new SnapshotFrames(HeapLimits.ofThisHeap().snapshotFrameBytes()).encode(finished.last()));
            LOG.info(
                    "finished run found state={} final_snapshot={}: its result is served until SIGTERM, and nothing is measured."
                            + " For a new run, stop this daemon and start another one",
                    finished.last().state().wireName(),
                    finished.file());
            new StartSignals(config, directory, sockets, source, System.nanoTime(), () -> {}).end();
            AfterEnd.untilStopped(stop, sockets, sink, discarded::get);
        }
        sockets.close(TerminalDelivery.PUBLISH_LINGER_NANOS);
        if (stop.failure() != null) {
            return ExitStatus.INTERNAL;
        }
        FinishedMarker.delete(directory.path());
        return TerminalDelivery.statusOf(finished.last(), config.lifecycle().strict(), discarded.get());
    }
}
