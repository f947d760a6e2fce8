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
 * Signals of the daemon's start: {@code .subscribed} once its subscriptions have reached every publisher, {@code .ready} and the
 * readiness signal once it is ready. It is ready when it is subscribed; with MLCommons compatibility, without a publisher as soon as
 * its sockets are open. A publisher that is already connected is waited for, so that no record it sends after the signal is missed.
 * Belongs to the main loop.
 */
final class StartSignals {
    private static final Logger LOG = LoggerFactory.getLogger(StartSignals.class);
    private static final long MILLI = 1_000_000L;

    /** Time after which no publisher is assumed to be bound: a bound one connects within milliseconds. */
    private static final long NOBODY_NANOS = 250 * MILLI;
    /** Longest time for which the subscription of a publisher delays the readiness signal. */
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

    /** Whether both signals have been given. */
    boolean isSettled() {
        return ready && subscribed;
    }

    /** Gives the signals that are due. */
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

    /** Gives the remaining signals at the end of the session, so that no process waits for them for ever. */
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
