package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens endpoints, exporters and collectors, and wires the main loop around a run. Used on the main loop's thread. */
final class AggregatorAssembler {
    private static final Logger LOG = LoggerFactory.getLogger(AggregatorAssembler.class);

    private final DaemonConfig config;
    private final StopRequest stop;
    private final Supervision supervision;

    AggregatorAssembler(DaemonConfig config, StopRequest stop, Supervision supervision) {
        this.config = config;
        this.stop = stop;
        this.supervision = supervision;
    }

    /**
     * Opens everything; frames are received from the first poll on.
     *
     * @param runs assembles the run that may follow {@code run}
     * @throws IOException if an endpoint or an exporter cannot be opened
     */
    Aggregator assemble(RunAssembler runs, LiveRun run, OutputDirectory directory, Transport sockets)
            throws IOException {
        CurrentRun current =
                new CurrentRun(runs, config.publishing().intervalNanos(), run, sockets::wakeup, supervision::sign);
        FrameSource source = sockets.openSource(config.endpoints().inputs(), current.frames());
        FrameSink sink = sockets.openSink(config.endpoints().outputs(), FrameSink.Kind.PUBLISH_LATEST);
        long openedNanos = System.nanoTime();
        SnapshotRenderer renderer = renderer(current, sockets);
        SnapshotPublisher publisher = new SnapshotPublisher(renderer, sink);
        Exporters exporters = new Exporters(config.exports(), renderer::lastRendered);
        Supplier<FinalSnapshotWriter> writers = () -> new FinalSnapshotWriter(
                directory.path(),
                config.output().fallbackDirectory(),
                config.output().fileMode(),
                supervision::giveMemoryBack);
        Aggregator aggregator = new Aggregator(
                config.publishing(),
                stop,
                supervision,
                current,
                sockets,
                new StartSignals(
                        config,
                        directory,
                        sockets,
                        source,
                        openedNanos,
                        () -> current.get().ready()),
                new PublisherWatch(source, openedNanos, LOG::info, LOG::warn),
                renderer,
                publisher,
                new TerminalDelivery(
                        config.lifecycle().strict(), stop, supervision, sockets, publisher, writers.get(), exporters),
                writers,
                exporters,
                new OwnCollection(config.collection(), sockets::wakeup));
        LOG.info("run {}: events from {}, snapshots to {}", run.id(), source.endpoints(), sink.endpoints());
        return aggregator;
    }

    private SnapshotRenderer renderer(CurrentRun current, Transport sockets) {
        return new SnapshotRenderer(
                current.get().limits().snapshotFrameBytes(),
                sockets::wakeup,
                nanos -> current.get().self().sample(nanos),
                (thread, cause) -> {
                    supervision.giveMemoryBack();
                    LOG.error("the thread {} died", thread.getName(), cause);
                    stop.fail(cause);
                });
    }
}
