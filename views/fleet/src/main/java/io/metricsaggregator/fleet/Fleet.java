package io.metricsaggregator.fleet;

import io.metricsaggregator.codec.EpochNanos;
import io.metricsaggregator.codec.RunIds;
import io.metricsaggregator.daemon.Descriptors;
import io.metricsaggregator.daemon.Exporters;
import io.metricsaggregator.daemon.OutputDirectory;
import io.metricsaggregator.daemon.Signals;
import io.metricsaggregator.daemon.StopRequest;
import io.metricsaggregator.publish.FileErrors;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.LockFile;
import io.metricsaggregator.transport.Transport;
import io.metricsaggregator.transport.TransportException;
import io.metricsaggregator.transport.TransportOptions;
import io.metricsaggregator.transport.Transports;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process of a fleet: opens directories and sockets, ticks until the last node has ended or a signal arrives, and delivers the terminal snapshot.
 * Runs on the thread that calls it.
 */
public final class Fleet {
    private static final Logger LOG = LoggerFactory.getLogger(Fleet.class);
    private static final int OTHER_DESCRIPTORS = 64;
    /** Bytes of frames that wait to be decoded, at most: an eighth of the heap. */
    private static final long QUEUE_MAX_BYTES = Runtime.getRuntime().maxMemory() / 8;

    private final FleetConfig config;
    private final StopRequest stop;

    private Fleet(FleetConfig config, StopRequest stop) {
        this.config = config;
        this.stop = stop;
    }

    /** How a fleet ended. */
    public enum End {
        /** The final snapshot is durable, or none was asked for. */
        DELIVERED,
        /** No node was ever seen; the final snapshot is durable, or none was asked for. */
        NOBODY,
        /** The final snapshot is not known to be durable. */
        NOT_DURABLE,
        /** A socket, a lock or a directory is not available. */
        UNAVAILABLE,
        /** An endpoint or a directory is not safe. */
        UNSAFE,
        /** An internal error; an INTERRUPTED snapshot was attempted. */
        INTERNAL
    }

    /** Runs a fleet until its end, with handlers for SIGTERM, SIGHUP and SIGINT. */
    public static End run(FleetConfig config) {
        StopRequest stop = new StopRequest();
        try {
            Signals.handle(
                    stop::signal,
                    config.foreground() ? Signals.Interactive.INTERRUPTS : Signals.Interactive.SECOND_INTERRUPTS);
        } catch (IllegalStateException e) {
            LOG.error("{}", e.getMessage());
            return End.UNSAFE;
        }
        return run(config, stop);
    }

    /**
     * Runs a fleet until its end.
     *
     * @param stop ends it from any thread
     */
    public static End run(FleetConfig config, StopRequest stop) {
        Fleet fleet = new Fleet(config, stop);
        try (OutputDirectory directory = config.output() == null
                        ? null
                        : OutputDirectory.open(config.output().directory());
                FleetState state = config.stateDirectory() == null ? null : FleetState.open(config.stateDirectory())) {
            return fleet.open(directory, state);
        } catch (OutputDirectory.UnsafeException e) {
            LOG.error("{}", e.getMessage());
            return End.UNSAFE;
        } catch (TransportException e) {
            LOG.error("{}", e.getMessage());
            return e.reason() == TransportException.Reason.UNSAFE ? End.UNSAFE : End.UNAVAILABLE;
        } catch (LockFile.HeldException e) {
            LOG.error("cannot use a directory of the fleet: {}", e.getMessage());
            return End.UNAVAILABLE;
        } catch (IOException e) {
            LOG.error("cannot start the fleet: {}", FileErrors.words(e));
            return End.UNAVAILABLE;
        }
    }

    private End open(@Nullable OutputDirectory directory, @Nullable FleetState state) throws IOException {
        String runId = state == null ? RunIds.random() : state.runId(RunIds.random());
        FleetConfig.NodeSettings settings = config.nodes();
        FleetSum sum = new FleetSum(new FleetIdentity(runId, config.version(), EpochNanos.now()));
        NodeTable table = new NodeTable(
                runId,
                new FleetLimits(
                        config.intervalNanos(),
                        settings.staleNanos(),
                        settings.lostNanos(),
                        settings.lingerNanos(),
                        settings.nodesMax()),
                new Expectation(settings.expected(), settings.names()));
        FleetInput input = new FleetInput(table, sum, state, System::nanoTime, EpochNanos::now);
        if (state != null) {
            restore(state, input);
        }
        try (Transport sockets = Transports.open(transportOptions())) {
            stop.wakes(sockets::wakeup);
            FrameQueue queue = new FrameQueue(input, System::nanoTime, QUEUE_MAX_BYTES);
            FrameSource source = sockets.openSource(config.inputs(), queue);
            FrameSink sink = sockets.openSink(config.outputs(), FrameSink.Kind.PUBLISH_LATEST);
            FleetLoop loop = new FleetLoop(config, stop, table, sum, state, sockets, sink);
            try (Exporters exporters = Exporters.open(config.exports(), loop::latest)) {
                if (directory != null) {
                    directory.setAside();
                }
                LOG.info("fleet started run={} inputs={} outputs={}", runId, source.endpoints(), sink.endpoints());
                End end = loop.run(source, queue, directory, exporters);
                exporters.linger(stop);
                return end;
            }
        }
    }

    /** Takes the snapshots of nodes that had ended or were lost before this process started. */
    private static void restore(FleetState state, FleetInput input) throws IOException {
        int restored = 0;
        for (byte[] payload : state.read(FleetInput.FRAME_MAX_BYTES)) {
            FleetNode node = input.accept(payload, payload.length);
            if (node != null) {
                restored++;
                if (!node.isEnded()) {
                    node.restoreLost();
                }
            }
        }
        if (restored > 0) {
            LOG.info("snapshots of ended and lost nodes restored nodes={}", restored);
        }
    }

    private TransportOptions transportOptions() {
        int wanted =
                Math.max(config.transport().connectionsMax(), config.nodes().nodesMax());
        return config.transport().withConnectionsMax(Descriptors.connections(wanted, OTHER_DESCRIPTORS));
    }
}
