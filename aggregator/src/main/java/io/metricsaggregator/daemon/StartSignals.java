package io.metricsaggregator.daemon;

import io.metricsaggregator.config.DaemonConfig;
import io.metricsaggregator.transport.FrameSink;
import io.metricsaggregator.transport.FrameSource;
import io.metricsaggregator.transport.Transport;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the daemon tells others of its start: that it is ready, and that its subscriptions have reached every publisher it connects
 * to. It is ready when it is subscribed. As MLCommons endpoints has it, it is ready as soon as its sockets are: no publisher has to
 * be there. One that is there is still waited for, so that nothing it sends after the signal is missed.
 */
final class StartSignals {
    private static final Logger LOG = LoggerFactory.getLogger(StartSignals.class);
    private static final long MILLI = 1_000_000L;

    /** A publisher that is bound is connected within milliseconds; after this nobody is there. */
    private static final long NOBODY_NANOS = 250 * MILLI;
    /** A publisher whose subscription takes longer does not hold up the signal. */
    private static final long SUBSCRIBE_PATIENCE_NANOS = 2_000 * MILLI;

    private final DaemonConfig config;
    private final OutputDirectory directory;
    private final Transport sockets;
    private final FrameSource source;
    private final long openedNanos;
    private final Runnable whenSubscribed;
    private boolean ready;
    private boolean subscribed;

    /**
     * Signals of a daemon whose sockets are open.
     *
     * @param whenSubscribed called once when no record published from then on is missed
     */
    StartSignals(
            DaemonConfig config,
            OutputDirectory directory,
            Transport sockets,
            FrameSource source,
            long openedNanos,
            Runnable whenSubscribed) {
        this.config = config;
        this.directory = directory;
        this.sockets = sockets;
        this.source = source;
        this.openedNanos = openedNanos;
        this.whenSubscribed = whenSubscribed;
    }

    /** Whether both have been given. */
    boolean isSettled() {
        return ready && subscribed;
    }

    /** Gives those whose time has come. */
    void check(long nowNanos) throws IOException {
        if (isSettled()) {
            return;
        }
        boolean confirmed = source.ready();
        if (!subscribed && confirmed) {
            subscribed = true;
            whenSubscribed.run();
            directory.markSubscribed();
            int publishers = source.peers();
            if (publishers > 0) {
                LOG.info("subscriptions confirmed publishers={}", publishers);
            }
        }
        if (!ready && (confirmed || isReadyWithoutPublisher(nowNanos - openedNanos))) {
            announceReady();
        }
    }

    private boolean isReadyWithoutPublisher(long openNanos) {
        return config.lifecycle().mlcommons()
                && (openNanos >= SUBSCRIBE_PATIENCE_NANOS || (openNanos >= NOBODY_NANOS && source.peers() == 0));
    }

    /** The session is over: whoever still waits for the daemon to be ready must not wait for ever. */
    void end() throws IOException {
        if (!subscribed) {
            subscribed = true;
            whenSubscribed.run();
        }
        if (!ready) {
            announceReady();
        }
    }

    private void announceReady() throws IOException {
        ready = true;
        directory.markReady();
        DaemonConfig.Readiness readiness = config.endpoints().readiness();
        if (readiness != null) {
            sockets.openSink(List.of(readiness.endpoint()), FrameSink.Kind.PUSH)
                    .offer(ReadySignal.encode(readiness.id()));
        }
        LOG.info("ready");
    }
}
