package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.publish.FinalSnapshotWriter;
import io.metricsaggregator.publish.SnapshotRenderer;
import io.metricsaggregator.publish.SteadyJudge;
import io.metricsaggregator.run.CurrentRun;
import io.metricsaggregator.run.LiveRun;
import io.metricsaggregator.run.RunAssembler;
import io.metricsaggregator.snapshot.MetricsSnapshot;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens endpoints, exporters and collectors, and wires the main loop around a run. Used on the main loop's thread. */
final class AggregatorAssembler {
    private static final Logger LOG = LoggerFactory.getLogger(AggregatorAssembler.class);

    private final DaemonConfig config;
    private final StopRequest stop;
    private final Supervision supervision;
    private final Function<MetricsSnapshot, Judgement.Words> judge;

    AggregatorAssembler(
            DaemonConfig config,
            StopRequest stop,
            Supervision supervision,
            Function<MetricsSnapshot, Judgement.Words> judge) {
        this.config = config;
        this.stop = stop;
        this.supervision = supervision;
        this.judge = judge;
    }

    /**
     * Opens the sockets and exporters, and starts the collector and renderer threads; then sets the result of an earlier run aside. Frames
     * are received from the first poll on.
     *
     * @param runs assembles the run that may follow {@code run}
     * @throws IOException if an endpoint or an exporter cannot be opened
     */
    Aggregator open(RunAssembler runs, LiveRun run, OutputDirectory directory, Transport sockets) throws IOException {
        CurrentRun current =
                new CurrentRun(runs, config.publishing().intervalNanos(), run, sockets::wakeup, supervision::sign);
        FrameSource source = sockets.openSource(config.endpoints().inputs(), current.frames());
        FrameSink sink = sockets.openSink(config.endpoints().outputs(), FrameSink.Kind.PUBLISH_LATEST);
        long openedNanos = System.nanoTime();
        SnapshotRenderer renderer = renderer(current, sockets);
        renderer.start();
        Exporters exporters = Exporters.open(config.exports(), renderer::lastRendered);
        OwnCollection collection = OwnCollection.start(config, sockets::wakeup);
        collection.connect(current);
        directory.setAside();
        StartSignals startSignals = new StartSignals(
                config,
                directory,
                sockets,
                source,
                openedNanos,
                () -> current.get().ready());
        PublisherWatch publishers = new PublisherWatch(source, openedNanos, LOG::info, LOG::warn);
        Aggregator aggregator = assemble(
                directory,
                sockets,
                current,
                startSignals,
                publishers,
                new StallWatch(current, source, stop, config.lifecycle().interruptOnStallNanos()),
                renderer,
                new SnapshotPublisher(renderer, sink),
                exporters,
                collection);
        LOG.info("run started id={} inputs={} outputs={}", run.id(), source.endpoints(), sink.endpoints());
        return aggregator;
    }

    private Aggregator assemble(
            OutputDirectory directory,
            Transport sockets,
            CurrentRun current,
            StartSignals startSignals,
            PublisherWatch publishers,
            StallWatch stalls,
            SnapshotRenderer renderer,
            SnapshotPublisher publisher,
            Exporters exporters,
            OwnCollection collection) {
        Supplier<FinalSnapshotWriter> writers = () -> new FinalSnapshotWriter(
                directory.path(),
                config.output().fallbackDirectory(),
                config.output().fileMode(),
                supervision::giveMemoryBack);
        TerminalDelivery delivery = new TerminalDelivery(
                config.lifecycle(),
                directory.path(),
                config.output().fileMode(),
                stop,
                supervision,
                sockets,
                publisher,
                writers.get(),
                exporters,
                judge);
        Ticks ticks = new Ticks(
                config.publishing().intervalNanos(),
                current,
                sockets,
                renderer,
                () -> exporters.any() || publisher.sink().peers() > 0);
        Drain drain = new Drain(
                config.publishing().drainTimeoutNanos(),
                stop,
                supervision,
                current,
                sockets,
                renderer,
                publisher,
                collection,
                ticks);
        EndOfRun finish = new EndOfRun(stop, supervision, current, sockets, collection, exporters, delivery);
        supervision.watch(renderer, writers);
        return new Aggregator(
                stop,
                supervision,
                current,
                sockets,
                startSignals,
                publishers,
                stalls,
                publisher,
                collection,
                exporters,
                ticks,
                drain,
                finish);
    }

    private SnapshotRenderer renderer(CurrentRun current, Transport sockets) {
        return new SnapshotRenderer(
                current.get().limits().snapshotFrameBytes(),
                new SteadyJudge(config.run().steady().minSeconds()),
                sockets::wakeup,
                nanos -> current.get().self().sample(nanos),
                (thread, cause) -> {
                    supervision.giveMemoryBack();
                    LOG.error("thread died name={}", thread.getName(), cause);
                    stop.fail(cause);
                });
    }
}
